/** Several searches of one text, one of them shown; and all of them in the address. */

import { useState } from 'react';
import {
  addToParams,
  fromParams,
  NO_SEARCH,
  queryOf,
  type SearchSettings,
  sameSettings,
} from './search-settings.ts';

export interface SearchTab {
  /** Decides its colour, which stays when others are closed. */
  id: number;
  settings: SearchSettings;
}

export interface SearchTabs {
  tabs: readonly SearchTab[];
  /** Index of the shown tab. */
  at: number;
}

export const MAX_TABS = 6;

/**
 * @param kept the searches that were open before; null for none, or only one
 * @param initial the search to show first; null for none
 */
export function useSearchTabs(kept: SearchTabs | null, initial: SearchSettings | null) {
  const [state, setState] = useState(() => restoreSearchTabs(kept, initial));

  const edit = (part: Partial<SearchSettings>) =>
    setState(({ tabs, at }) => ({
      tabs: tabs.map((tab, i) => (i === at ? { ...tab, settings: { ...tab.settings, ...part } } : tab)),
      at,
    }));
  const add = () => setState(withTab);
  const choose = (at: number) => setState(({ tabs }) => ({ tabs, at }));
  const close = (index: number) => setState((last) => withoutTab(last, index));
  /** Shows these searches in place of the others. */
  const replace = (searches: readonly SearchSettings[]) =>
    setState({
      tabs: (searches.length > 0 ? searches : [NO_SEARCH]).map((settings, id) => ({ id, settings })),
      at: 0,
    });
  const { tabs, at } = state;
  return { state, tabs, at, settings: tabs[at]!.settings, edit, add, choose, close, replace };
}

export function restoreSearchTabs(kept: SearchTabs | null, initial: SearchSettings | null): SearchTabs {
  if (!kept || kept.tabs.length === 1) return { tabs: [{ id: 0, settings: initial ?? NO_SEARCH }], at: 0 };
  if (!initial || sameSettings(kept.tabs[kept.at]!.settings, initial)) return kept;
  const known = kept.tabs.findIndex(({ settings }) => sameSettings(settings, initial));
  if (known >= 0) return { ...kept, at: known };
  const grown = withTab(kept);
  const tabs = grown.tabs.map((tab, i) => (i === grown.at ? { ...tab, settings: initial } : tab));
  return { ...grown, tabs };
}

/** Shows an empty tab. Adds one unless there is one or there are too many. */
function withTab({ tabs, at }: SearchTabs): SearchTabs {
  const empty = tabs.findIndex(({ settings }) => queryOf(settings) === null);
  if (empty >= 0) return { tabs, at: empty };
  if (tabs.length >= MAX_TABS) return { tabs, at };
  const id = [0, 1, 2, 3, 4, 5].find((each) => tabs.every((tab) => tab.id !== each)) ?? 0;
  return { tabs: [...tabs, { id, settings: NO_SEARCH }], at: tabs.length };
}

function withoutTab({ tabs, at }: SearchTabs, index: number): SearchTabs {
  if (tabs.length === 1) return { tabs: [{ ...tabs[0]!, settings: NO_SEARCH }], at: 0 };
  const left = tabs.filter((_, i) => i !== index);
  return { tabs: left, at: Math.min(at > index ? at - 1 : at, left.length - 1) };
}

/** Whether both show the same search, with the same ones beside it. */
export function sameSearches(a: SearchTabs, b: SearchTabs): boolean {
  return (
    a.at === b.at &&
    a.tabs.length === b.tabs.length &&
    a.tabs.every(({ id, settings }, i) => id === b.tabs[i]!.id && sameSettings(settings, b.tabs[i]!.settings))
  );
}

/** Returns a CSS colour, one for each of MAX_TABS. */
export function colourOf({ id }: SearchTab): string {
  return COLOURS[id % COLOURS.length]!;
}

const ANSI = [3, 4, 5, 6, 2, 1];
const COLOURS = ANSI.map((ansi) => `var(--ansi-${ansi})`);
/** The highlighter whose colour is nearest to each search's; matches in the text use it. */
const HIGHLIGHTERS = [0, 2, 6, 5, 1, 7];

/** Returns the colours of a search's matches as custom properties; the first search uses the theme's. */
export function foundColours(tab: SearchTab): Record<string, string> {
  const at = tab.id % COLOURS.length;
  if (at === 0) return {};
  const [edge, behind] = [COLOURS[at]!, `var(--highlight-${HIGHLIGHTERS[at]})`];
  const [on, current] = ['var(--on-highlight)', { '--match-current': behind, '--match-frame': edge }];
  return { '--match': behind, '--on-match': on, '--match-edge': edge, '--on-match-current': on, ...current };
}

/**
 * Adds the parameters that restore the searches beside the shown one. That is there as if it were alone, so that earlier
 * versions can read it; `k=` lists all in order: its id, and `&` with the parameters of one that is not shown.
 */
export function addSearchesToParams(params: URLSearchParams, { tabs, at }: SearchTabs): void {
  if (tabs.length < 2) return;
  for (const [index, { id, settings }] of tabs.entries()) {
    const own = new URLSearchParams();
    addToParams(own, settings);
    if (index === at) params.append('k', String(id));
    // An empty search that is not shown would come back as a tab to close.
    else if (queryOf(settings) !== null) params.append('k', `${id}&${own}`);
  }
}

/** Returns null if the address has one search or none. */
export function searchesFromParams(params: URLSearchParams): SearchTabs | null {
  const tabs: SearchTab[] = [];
  let at: number | null = null;
  for (const text of params.getAll('k')) {
    const [, id, own] = /^(\d)(?:&(.*))?$/s.exec(text) ?? [];
    const isShown = own === undefined;
    const settings = isShown ? (fromParams(params) ?? NO_SEARCH) : fromParams(new URLSearchParams(own));
    const isKnown = Number(id) < MAX_TABS && tabs.every((tab) => tab.id !== Number(id));
    if (!isKnown || settings === null || (isShown && at !== null)) continue;
    if (isShown) at = tabs.length;
    tabs.push({ id: Number(id), settings });
  }
  return at === null || tabs.length < 2 ? null : { tabs, at };
}
