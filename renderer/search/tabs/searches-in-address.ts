/**
 * Several searches in the address. The shown one is there as if it were alone, so that earlier versions can read it;
 * `k=` lists all in order: its id, and `&` with the parameters of one that is not shown.
 */
import { addToParams, fromParams, NO_SEARCH, queryOf } from '../bar/search-settings.ts';
import { MAX_TABS, type SearchTab, type SearchTabs } from './use-search-tabs.ts';

/** Adds the parameters that restore the searches beside the shown one. */
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
