/** The application menu, with the actions of the page in it, and the menu of a field. */
import type { ContextMenuParams, MenuItemConstructorOptions } from 'electron';
import * as z from 'zod';
import type { MenuEntry } from '../../shared/desktop.ts';

/** The page's actions, as it sends them. */
export const MenuEntries = z
  .array(
    z.object({
      action: z.string().min(1).max(200),
      menu: z.string().min(1).max(40),
      key: z.string().max(40).nullable(),
      applies: z.boolean(),
      isOn: z.boolean().nullable(),
    }),
  )
  .max(400);

interface MenuActions {
  openFiles(): void;
  openFolder(): void;
  /** Null if the app is not packaged: README says how a checkout's command is installed. */
  installCommand: (() => void) | null;
  /** Runs an action of the page. */
  choose(action: string): void;
}

type Items = MenuItemConstructorOptions[];

/** The action that has its own place on macOS. */
const PREFERENCES = 'Preferences';
const LINE = { type: 'separator' } as const;
const RECENT: Items = [{ role: 'recentDocuments', submenu: [{ role: 'clearRecentDocuments' }] }];

/**
 * On macOS, a text field gets no key for cutting, pasting or undoing without these roles. Ctrl+W is the page's: it
 * closes a tab.
 *
 * @param entries the actions of the page (renderer/actions/registry.ts); none until it is loaded
 */
export function menuTemplate(
  actions: MenuActions,
  platform: NodeJS.Platform,
  entries: readonly MenuEntry[] = [],
): Items {
  const mac = platform === 'darwin';
  const item = (entry: MenuEntry): MenuItemConstructorOptions => ({
    label: entry.action.split(': ', 1)[0] ?? entry.action,
    enabled: entry.applies,
    ...(entry.isOn === null ? {} : { type: 'checkbox', checked: entry.isOn }),
    ...shownKey(entry.key, mac),
    click: () => actions.choose(entry.action),
  });
  const preferences = entries.filter(({ action }) => action === PREFERENCES).map(item);
  const of = (menu: string): Items =>
    entries.filter((entry) => entry.menu === menu && entry.action !== PREFERENCES).map(item);
  const { installCommand } = actions;
  const install: Items = installCommand
    ? [{ label: 'Install the spillway Command…', click: () => installCommand() }]
    : [];
  const after = (items: Items): Items => (items.length > 0 ? [LINE, ...items] : []);
  return [
    ...(mac ? [{ label: 'Spillway', submenu: macApplication([...preferences, ...install]) }] : []),
    {
      label: '&File',
      submenu: [
        { label: '&Open File…', accelerator: 'CmdOrCtrl+O', click: () => actions.openFiles() },
        { label: 'Open &Folder…', accelerator: 'CmdOrCtrl+Shift+O', click: () => actions.openFolder() },
        ...(mac ? RECENT : []),
        ...(mac ? [] : after([...preferences, ...install])),
        LINE,
        mac ? { role: 'close', accelerator: 'Cmd+Shift+W' } : { role: 'quit' },
      ],
    },
    {
      label: '&Edit',
      submenu: [...EDITING.map((role) => (role ? { role } : LINE)), ...after(of('Edit'))],
    },
    {
      label: '&View',
      submenu: [
        ...of('View'),
        ...(of('View').length > 0 ? [LINE] : []),
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        LINE,
        { role: 'togglefullscreen' },
        { role: 'reload' },
        { role: 'toggleDevTools' },
      ],
    },
    ...['Go', 'Search'].flatMap((name) => {
      const submenu = of(name);
      return submenu.length > 0 ? [{ label: `&${name}`, submenu }] : [];
    }),
    {
      label: '&Window',
      submenu: [
        { role: 'minimize' },
        ...(mac ? ([{ role: 'zoom' }, LINE, { role: 'front' }] as const) : []),
        ...after(of('Window')),
      ],
    },
    { label: '&Help', role: 'help', submenu: [...of('Help'), ...(mac ? [] : [{ role: 'about' } as const])] },
  ];
}

function macApplication(preferences: Items): Items {
  return [
    { role: 'about' },
    LINE,
    ...preferences,
    ...(preferences.length > 0 ? [LINE] : []),
    { role: 'services' },
    LINE,
    { role: 'hide' },
    { role: 'hideOthers' },
    { role: 'unhide' },
    LINE,
    { role: 'quit' },
  ];
}

/**
 * The page handles its keys itself: the menu only shows them. macOS gives the menu its keys first, so that a key
 * without Command or Control there would never reach a field.
 */
function shownKey(
  key: string | null,
  mac: boolean,
): Pick<MenuItemConstructorOptions, 'accelerator' | 'registerAccelerator'> {
  if (key === null || (mac && !key.startsWith('Ctrl+'))) return {};
  const accelerator = key
    .replace('Ctrl+', mac ? 'Cmd+' : 'Ctrl+')
    .replace(/[←→↑↓]/, (arrow) => ({ '←': 'Left', '→': 'Right', '↑': 'Up', '↓': 'Down' })[arrow] ?? arrow)
    .replace(/ /g, '')
    .replace(/^[A-Z]$/, 'Shift+$&');
  return isAccelerator(accelerator) ? { accelerator, registerAccelerator: false } : {};
}

/** Electron throws for a name that it does not know. */
function isAccelerator(name: string): boolean {
  return /^(?:(?:Ctrl|Cmd|Alt|Shift)\+)*(?:[\x21-\x2a\x2c-\x7e]|Plus|Left|Right|Up|Down|Home|End|PageUp|PageDown|Enter|Delete|Esc|Space|F\d+)$/.test(
    name,
  );
}

/** Null: a line between groups. */
const EDITING = ['undo', 'redo', null, 'cut', 'copy', 'paste', null, 'selectAll'] as const;

/** The menu of a field or of selected text; empty elsewhere, where the page has menus of its own. */
export function contextMenuTemplate({
  isEditable,
  selectionText,
  editFlags,
}: Pick<ContextMenuParams, 'isEditable' | 'selectionText' | 'editFlags'>): MenuItemConstructorOptions[] {
  if (!isEditable) return selectionText.trim() === '' ? [] : [{ role: 'copy' }];
  const { canUndo, canRedo, canCut, canCopy, canPaste, canSelectAll } = editFlags;
  const can = {
    ...{ undo: canUndo, redo: canRedo, cut: canCut, copy: canCopy, paste: canPaste },
    selectAll: canSelectAll,
  };
  return EDITING.map((role) => (role ? { role, enabled: can[role] } : { type: 'separator' }));
}
