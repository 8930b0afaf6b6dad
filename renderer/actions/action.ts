/**
 * An action of the window: its name, its keys, when it applies and what it does. Each room declares its actions in
 * its file of actions, such as `viewer-actions.ts`; key handling, buttons and the key sheet read them from there, so that a key stands in one place.
 */
import { keyOnKeyboard } from '../ui/text/format.ts';
import type { IconName } from '../ui/text/Icon.tsx';

/** `Context` is what the action works on: the viewer, the search, the list. */
export interface Action<Context> {
  /** A sentence for the key sheet and tooltips: `Go to the first line`. */
  name: string;
  /** Short name for its button. */
  label?: string;
  /** Other words by which the palette finds it: those of other programs, other spellings. */
  words?: string;
  icon?: IconName;
  /** In the form of `keyName`. Buttons show the first. */
  keys: readonly string[];
  group: ActionGroup;
  /** Its place in its group in the menu of a line of text, of which at most a dozen apply at once. */
  inMenu?: 1 | 2;
  /** Whether a held key repeats it. */
  repeats?: boolean;
  /** Where its keys work; `page`: anywhere but in a field. */
  where: 'window' | 'page' | 'text' | 'control';
  /** Whether it applies. If not, its keys run `otherwise`, if any. */
  when?(context: Context): boolean;
  /** Shows what is missing when its key is pressed while it does not apply. */
  otherwise?(context: Context): void;
  /** For switches: whether it is on. */
  isOn?(context: Context): boolean;
  /** `key` is the key that was pressed; null from a button or a menu. */
  run(context: Context, key: string | null): void;
}

/** In the order of the key sheet. */
export const ACTION_GROUPS = [
  'Move',
  'Select and copy',
  'View',
  'Marks',
  'Search',
  'Filter',
  'Highlight',
  'In the search field',
  'In the results',
  'In the histogram',
  'In the outline',
  'List',
  'In the list',
  'Tabs and panes',
  'Window',
] as const;

export type ActionGroup = (typeof ACTION_GROUPS)[number];

/** Keys that a control handles itself; declared only for the key sheet. */
export interface KeyNote {
  name: string;
  /** Other words that find it. */
  words?: string;
  keys: readonly string[];
  group: ActionGroup;
}

const declared: KeyNote[] = [];

type Declared<Context> = Omit<Action<Context>, 'group' | 'where'> &
  Partial<Pick<Action<Context>, 'group' | 'where'>>;

/**
 * Declares actions of a group, whose keys work in a place; each may name another. Use:
 * `declareActions<Viewer>('Move')({ head: { … } })`.
 */
export function declareActions<Context>(group: ActionGroup, where: Action<Context>['where'] = 'window') {
  return <Id extends string>(actions: Record<Id, Declared<Context>>): Record<Id, Action<Context>> => {
    const entries = Object.entries<Declared<Context>>(actions);
    const complete = entries.map(([id, action]): [string, Action<Context>] => [
      id,
      { group, where, ...action },
    ]);
    declared.push(...complete.map(([, action]) => action));
    return Object.fromEntries(complete) as Record<Id, Action<Context>>;
  };
}

export function declareKeys(group: ActionGroup, notes: readonly Omit<KeyNote, 'group'>[]): void {
  declared.push(...notes.map((note) => ({ ...note, group })));
}

/** Returns every declared action and key, whether or not it applies now. */
export function declaredActions(): readonly KeyNote[] {
  return declared;
}

/** Returns the tooltip of its button: `Go to the first line (h)`. */
export function titleOf({ name, keys }: Pick<KeyNote, 'name' | 'keys'>): string {
  return keys.length === 0 ? name : `${name} (${keys.map((key) => keyOnKeyboard(key)).join(' or ')})`;
}

/** Hints for keys that need a selection, while there is none. */
export const SELECT_LINES_FIRST = 'Select lines first: click a line, Shift+click another';
export const SELECT_TEXT_FIRST =
  'Select a text in one line or one JSON field first: drag over it, or click the line';

const NAMES: Record<string, string> = {
  Escape: 'Esc',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  PageUp: 'Page Up',
  PageDown: 'Page Down',
  ' ': 'Space',
};
/** Keys that are not characters. Shift is part of their names, while a letter such as `N` already implies it. */
const NAMED = new Set([...Object.values(NAMES), 'Home', 'End', 'Enter', 'Delete']);

/** Names keys for buttons and the key sheet, and tells which keys belong to other controls. */
export interface PressedKey {
  key: string;
  code?: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

/** Returns `h`, `N`, `Esc`, `Shift+↑`, `Ctrl+Shift+L`, `Alt+C`. Command counts as Ctrl. Empty for unusable keys. */
export function keyName(event: PressedKey): string {
  const key = NAMES[event.key] ?? event.key;
  if (key === 'Esc') return key;
  // Alt changes the character on some keyboards, but not the code.
  if (event.altKey && (key === '←' || key === '→')) return `Alt+${key}`;
  if (event.altKey) return event.code?.startsWith('Key') ? `Alt+${event.code.slice(3)}` : '';
  const shift = event.shiftKey ? 'Shift+' : '';
  if (event.ctrlKey || event.metaKey) return `Ctrl+${shift}${key.length === 1 ? key.toUpperCase() : key}`;
  return NAMED.has(key) ? `${shift}${key}` : key;
}

/** Whether the target is in a dialog or menu, which takes all keys. */
export function isInPopup(target: EventTarget | null): boolean {
  return isInside(target, '[role="dialog"], [role="menu"], [role="alertdialog"]');
}

export function isInField(target: EventTarget | null): boolean {
  return isInside(target, 'input, textarea, select, [contenteditable="true"]');
}

/** Whether keys that move the text belong to a control at the target: a field, a list, a side panel. */
export function hasOwnMoveKeys(event: { target: EventTarget | null; key: string }): boolean {
  const { target, key } = event;
  if (isInside(target, 'input, textarea, select, [contenteditable], [role="listbox"], aside')) return true;
  return key === ' ' && isInside(target, 'button');
}

function isInside(target: EventTarget | null, selector: string): boolean {
  return target instanceof Element && target.closest(selector) !== null;
}
