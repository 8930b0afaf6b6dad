/** The open tabs, and the tab in each pane. Pure functions that return the next state. */

import {
  ArtifactId,
  MAX_MERGED,
  mergedId,
  type StreamName,
  StreamName as StreamNames,
} from '../../../shared/artifact.ts';
import { addToParams, fromParams, type SearchSettings } from '../../search/search-settings.ts';
import { addSearchesToParams, type SearchTabs, searchesFromParams } from '../../search/search-tabs.ts';
import { START_OF_TEXT, type ViewState } from '../../viewer/view-state.ts';

export interface Shown extends Address {
  /** Changes whenever the content must be shown anew. */
  visit: number;
  /** The artifact now at its path: another one after the file was replaced. */
  now: string | null;
  /** True to open the search bar. */
  searchOpen: boolean;
  /** The part of the text to show first. */
  view: ViewState;
}

export interface Tab {
  id: number;
  shown: Shown;
  /** The open panel of its artifact. */
  panel: string | null;
}

export interface Tabs {
  /** From the left; never empty. */
  tabs: readonly Tab[];
  /** Ids of the shown tabs: one, or two side by side. */
  panes: readonly number[];
  /** Index of the pane with the focus. */
  focused: number;
}

export function shownAt({ lastLine, ...address }: Address, visit: number): Shown {
  const { line } = address;
  const named = line !== null && lastLine ? { anchor: lastLine, focus: line } : null;
  return {
    ...address,
    visit,
    now: address.artifactId,
    searchOpen: Boolean(address.search),
    view: { ...START_OF_TEXT, line, ...(named ? { selection: named, selectedAt: LINK_PX } : {}) },
  };
}

/** Pixels of context above the first line of a link. */
const LINK_PX = 126;

export function oneTab(shown: Shown): Tabs {
  return { tabs: [{ id: 1, shown, panel: null }], panes: [1], focused: 0 };
}

export function focusedTab({ tabs, panes, focused }: Tabs): Tab {
  return tabs.find(({ id }) => id === panes[focused]) ?? tabs[0]!;
}

export function changeTab(state: Tabs, id: number, change: (tab: Tab) => Tab): Tabs {
  return { ...state, tabs: state.tabs.map((tab) => (tab.id === id ? change(tab) : tab)) };
}

/** Shows the tab in the pane with the focus, or focuses the pane that already shows it. */
export function showTab(state: Tabs, id: number): Tabs {
  const pane = state.panes.indexOf(id);
  if (pane >= 0) return { ...state, focused: pane };
  if (!state.tabs.some((tab) => tab.id === id)) return state;
  return { ...state, panes: state.panes.with(state.focused, id) };
}

/** Adds a tab to the right of the focused one. */
export function addTab(state: Tabs, shown: Shown, how: 'show' | 'split'): Tabs {
  const here = focusedTab(state);
  const tab: Tab = { id: nextId(state), shown, panel: null };
  const tabs = state.tabs.toSpliced(state.tabs.indexOf(here) + 1, 0, tab);
  if (how === 'show') return { ...state, tabs, panes: state.panes.with(state.focused, tab.id) };
  return { tabs, panes: [here.id, tab.id], focused: 1 };
}

/** Closes a tab. Its pane shows a neighbour that no other pane shows, or closes too. The last tab stays. */
export function closeTab(state: Tabs, id: number): Tabs {
  const index = state.tabs.findIndex((tab) => tab.id === id);
  if (index < 0 || state.tabs.length === 1) return state;
  const tabs = state.tabs.toSpliced(index, 1);
  const pane = state.panes.indexOf(id);
  if (pane < 0) return { ...state, tabs };
  const free = tabs.filter((tab) => !state.panes.includes(tab.id));
  const next = free.find((tab) => tabs.indexOf(tab) >= index) ?? free.at(-1);
  if (next) return { ...state, tabs, panes: state.panes.with(pane, next.id) };
  return { tabs, panes: state.panes.toSpliced(pane, 1), focused: 0 };
}

/** Closes the pane without the focus; its tab stays open. */
export function closeOtherPane(state: Tabs): Tabs {
  return { ...state, panes: [focusedTab(state).id], focused: 0 };
}

export function focusPane(state: Tabs, pane: number): Tabs {
  return pane === state.focused || pane >= state.panes.length ? state : { ...state, focused: pane };
}

/** Returns the tab `by` places to the right, wrapping around. */
export function neighbour(state: Tabs, by: number): number {
  const { tabs } = state;
  const index = tabs.indexOf(focusedTab(state));
  return tabs[(index + by + tabs.length) % tabs.length]!.id;
}

/** Moves the focused tab one place; it stays at the ends. */
export function moveTab(state: Tabs, by: 1 | -1): Tabs {
  const tab = focusedTab(state);
  const from = state.tabs.indexOf(tab);
  const to = from + by;
  if (to < 0 || to >= state.tabs.length) return state;
  return { ...state, tabs: state.tabs.toSpliced(from, 1).toSpliced(to, 0, tab) };
}

function nextId({ tabs }: Tabs): number {
  return Math.max(...tabs.map(({ id }) => id)) + 1;
}

/**
 * Reads and writes the location hash: `#a=<artifact id>&s=<stream>&l=<line>&q=<pattern>&f=<switches>`, and with
 * `m=<id>,<id>` several artifacts merged into one text. Several searches are in `k=`.
 */
export interface Address {
  artifactId: string | null;
  stream: StreamName | null;
  line: number | null;
  /** A link to lines has `l=<line>-<last line>` and selects them; the window's own address has the line at the top. */
  lastLine?: number;
  /** The search to show. */
  search?: SearchSettings | null;
  /** All searches side by side, if there are several. */
  searches?: SearchTabs | null;
  /** Several artifacts, merged by time; `artifactId` names the merged text. */
  merged?: readonly string[] | null;
}

export function parseHash(hash: string): Address {
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  const [line, lastLine] = (params.get('l') ?? '').split('-', 2).map(Number);
  const stream = StreamNames.safeParse(params.get('s'));
  const search = fromParams(params);
  const searches = searchesFromParams(params);
  const merged = (params.get('m') ?? '').split(',').filter((id) => ArtifactId.safeParse(id).success);
  const isMerged = merged.length > 1 && merged.length <= MAX_MERGED;
  return {
    artifactId: isMerged ? mergedId(merged) : params.get('a') || null,
    stream: stream.success ? stream.data : null,
    line: isLine(line) ? line : null,
    ...(isLine(line) && isLine(lastLine) && lastLine >= line ? { lastLine } : {}),
    ...(search ? { search } : {}),
    ...(searches ? { searches } : {}),
    ...(isMerged ? { merged } : {}),
  };
}

function isLine(number: number | undefined): number is number {
  return Number.isSafeInteger(number) && number! >= 1;
}

export function formatHash({ artifactId, stream, line, search, searches, merged }: Address): string {
  if (artifactId === null) return '';
  const params = new URLSearchParams({ a: artifactId });
  if (stream) params.set('s', stream);
  if (line !== null) params.set('l', String(line));
  if (merged) params.set('m', merged.join(','));
  if (search) addToParams(params, search);
  if (searches) addSearchesToParams(params, searches);
  return `#${params}`;
}
