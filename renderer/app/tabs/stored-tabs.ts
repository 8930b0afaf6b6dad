/** Stores the tabs for the next time the window opens, and what a reload shows again besides the address. */

import * as z from 'zod';
import {
  jsonOf,
  recordOf,
  stored,
  storedForSession,
  storeForSession,
  storeText,
} from '../../ui/state/store.ts';
import { START_OF_TEXT, type ViewState } from '../../viewer/view-state.ts';
import {
  type Address,
  addTab,
  changeTab,
  focusedTab,
  formatHash,
  oneTab,
  parseHash,
  type Shown,
  shownAt,
  showTab,
  type Tab,
  type Tabs,
} from './tab-state.ts';

/** The stored form of a text's view. */
const line = z.number().int().min(1);
/** `end` stands for the end of a line, as JSON has no infinity. */
const column = z.union([z.number(), z.literal('end').transform(() => Number.POSITIVE_INFINITY)]);
const columns = z.object({ anchor: column, focus: column });
const StoredView = z.object({
  line: line.nullable(),
  px: z.number(),
  range: z.object({ start: line, end: line }).nullable(),
  selection: z
    .union([z.object({ anchor: line, focus: line, columns }), z.object({ anchor: line, focus: line })])
    .nullable(),
  selectedAt: z.number().optional(),
  following: z.enum(['off', 'on', 'paused']).catch('off'),
  current: line.nullable(),
});

/** Returns the view without what only the present window knows. */
function lastingView({ from: _, ...lasting }: ViewState): Omit<ViewState, 'from'> {
  return lasting;
}

function viewsAsJson(value: unknown): string {
  return JSON.stringify(value, (_, each) => (each === Number.POSITIVE_INFINITY ? 'end' : each));
}

/** Remembers what a reload shows again besides the address: the panel and the view of the focused tab. */
const KEY = 'spillway.tabs';
const MAX_TABS = 500;

const Stored = z.object({
  tabs: z
    .array(
      z.object({
        hash: z.string(),
        searchOpen: z.boolean(),
        view: StoredView.catch(START_OF_TEXT),
      }),
    )
    .min(2)
    .max(MAX_TABS),
  /** Indexes of the shown tabs. */
  panes: z.array(z.number().int().min(0)).min(1).max(2),
  focused: z.number().int().min(0),
});

/** Returns the present content of a tab. */
type Present = (tab: Tab) => Partial<Shown> & Address;

export function storeTabs(tabs: Tabs, present: Present): void {
  storeText(KEY, tabs.tabs.length < 2 ? '' : textOfTabs(tabs, present));
}

/** Writes the text that `parseTabs` reads. Of more than MAX_TABS, it keeps the shown ones and the last others. */
export function textOfTabs({ tabs, panes, focused }: Tabs, present: Present): string {
  const isShown = ({ id }: Tab) => panes.includes(id);
  let surplus = tabs.length - MAX_TABS;
  const kept = tabs.filter((tab) => isShown(tab) || surplus-- <= 0);
  const value: z.input<typeof Stored> = {
    tabs: kept.map((tab) => {
      const { view = START_OF_TEXT, searchOpen = false, ...address } = present(tab);
      return { hash: formatHash(address), searchOpen, view: lastingView(view) };
    }),
    panes: panes.map((id) => kept.findIndex((tab) => tab.id === id)),
    focused,
  };
  return viewsAsJson(value);
}

/** Returns the stored tabs, with the window's address in front, and the panel and view before a reload. */
export function restoreTabs(address: Address): Tabs {
  const tabs = tabsOfLastTime(address);
  if (address.artifactId === null) return tabs;
  return changeTab(tabs, focusedTab(tabs).id, (tab) => ({ ...tab, panel: rememberedPanel() }));
}

function tabsOfLastTime(address: Address): Tabs {
  const tabs = parseTabs(stored(KEY));
  if (!tabs) {
    const shown = shownAt(address, 0);
    return oneTab({ ...shown, view: rememberedView() ?? shown.view });
  }
  const isIt = ({ shown }: Tab) => shown.artifactId === address.artifactId;
  const focused = focusedTab(tabs);
  const known = isIt(focused) ? focused : tabs.tabs.find(isIt);
  if (address.artifactId === null) return tabs;
  if (!known) return addTab(tabs, shownAt(address, 0), 'show');
  const isLink = address.lastLine !== undefined;
  const linked = isLink ? changeTab(tabs, known.id, (tab) => ({ ...tab, shown: shownAt(address, 0) })) : tabs;
  return showTab(linked, known.id);
}

/** Returns null for nothing and for invalid text. */
export function parseTabs(text: string | null): Tabs | null {
  const parsed = Stored.safeParse(jsonOf(text));
  if (!parsed.success) return null;
  const { tabs, panes, focused } = parsed.data;
  if (panes.some((index) => index >= tabs.length) || new Set(panes).size < panes.length) return null;
  if (focused >= panes.length) return null;
  return {
    tabs: tabs.map(({ hash, searchOpen, view }, index) => {
      const shown = shownAt(parseHash(hash), 0);
      return { id: index + 1, panel: null, shown: { ...shown, searchOpen, view } };
    }),
    panes: panes.map((index) => index + 1),
    focused,
  };
}

/** The stored form of a text's view. */
const PANEL_KEY = 'spillway.panel';
const VIEW_KEY = 'spillway.view';

export function rememberForReload(panel: string | null, view: ViewState | undefined): void {
  storeForSession(PANEL_KEY, panel ?? '');
  const { hash } = location;
  storeForSession(VIEW_KEY, view ? viewsAsJson({ hash, view: lastingView(view) }) : '');
}

function rememberedPanel(): string | null {
  return storedForSession(PANEL_KEY) || null;
}

/** Returns null for another address than the one that was left. */
function rememberedView(): ViewState | null {
  const { hash, view } = recordOf(storedForSession(VIEW_KEY));
  return wasLeft(hash) ? (StoredView.safeParse(view).data ?? null) : null;
}

/** Whether the page at this address is the one that was left. */
function wasLeft(hash: unknown): boolean {
  if (hash === location.hash) return true;
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (typeof hash !== 'string' || navigation?.type !== 'reload') return false;
  // Scrolling and searching may still have changed the address when the reload had begun with the older one.
  const [left, now] = [parseHash(hash), parseHash(location.hash)];
  return left.artifactId === now.artifactId && left.stream === now.stream;
}
