/** Opens and closes the search bar, reports its settings, and remembers patterns. */

import { useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { SearchTerm } from '../../shared/search-query.ts';
import { jsonOf, persisted, useStore } from '../ui/state/store.ts';
import { TYPING_PAUSE_MS } from './open-search.ts';
import { NO_SEARCH, queryOf, type SearchSettings } from './search-settings.ts';
import { type SearchTab, type SearchTabs, sameSearches } from './search-tabs.ts';

/** Gets what a reload should search for. */
export interface SearchReports {
  /** Gets the shown search, or null; and all of them if there are several, or null. */
  reportSearch(shown: SearchSettings | null, all: SearchTabs | null): void;
  /** Gets whether the search bar is open. */
  reportSearchBar(open: boolean): void;
}

export function useSearchBar(
  initialOpen: boolean,
  reports: SearchReports,
  settle: () => void,
  focusText: () => void,
) {
  const [open, setOpen] = useState(initialOpen);
  useEffect(() => reports.reportSearchBar(open), [open, reports]);
  const field = useRef<HTMLInputElement>(null);
  const openField = () => {
    // Render now: the next key may come before the next frame, and belongs to the field.
    flushSync(() => setOpen(true));
    field.current?.focus();
    field.current?.select();
  };
  const closeField = () => {
    settle();
    setOpen(false);
    focusText();
  };
  return { open, setOpen, field, openField, closeField };
}

/**
 * Reports the searches when they change, and returns a function that reports them at once. Browsers limit how often the
 * address may change: while a pattern is typed, the report waits for a pause.
 *
 * @param known what the address has at first
 */
export function useSearchReport(searches: SearchTabs, known: SearchTabs, reports: SearchReports): () => void {
  const reported = useRef(known);
  const latest = useRef(searches);
  latest.current = searches;
  const report = useCallback(() => {
    const { current } = latest;
    if (sameSearches(current, reported.current)) return;
    reported.current = current;
    const { settings } = shownOf(current);
    reports.reportSearch(
      queryOf(settings) === null ? null : settings,
      current.tabs.length > 1 ? current : null,
    );
  }, [reports]);
  useEffect(() => {
    const [now, last] = [shownOf(searches), shownOf(reported.current)];
    const isTyping = now.id === last.id && now.settings.pattern !== last.settings.pattern;
    if (!isTyping || now.settings.pattern === '') return report();
    const timer = setTimeout(report, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [searches, report]);
  return report;
}

function shownOf({ tabs, at }: SearchTabs): SearchTab {
  return tabs[at]!;
}

/** Remembers searches with their switches in localStorage, newest first. */
export const KEPT_SEARCHES = 20;
/** UTF-16 code units. Longer patterns are not remembered. */
const MAX_CHARS = 2000;
const earlier = persisted('spillway.searches', parseHistory, true);

export function withSearch(
  searches: readonly SearchTerm[],
  { pattern, ...switches }: SearchTerm,
): SearchTerm[] {
  if (pattern === '' || pattern.length > MAX_CHARS) return [...searches];
  const others = searches.filter((each) => each.pattern !== pattern);
  return [{ pattern, ...switches }, ...others].slice(0, KEPT_SEARCHES);
}

/** Parses the stored searches; skips invalid ones. Earlier versions stored patterns alone. */
export function parseHistory(text: string | null): SearchTerm[] {
  const value = jsonOf(text);
  return (Array.isArray(value) ? value : [])
    .flatMap((each) => {
      const read = SearchTerm.safeParse({
        ...NO_SEARCH,
        ...(typeof each === 'string' ? { pattern: each } : each),
      });
      return read.success && read.data.pattern.length <= MAX_CHARS ? [read.data] : [];
    })
    .slice(0, KEPT_SEARCHES);
}

/**
 * Returns the index in `searches` after a step from `at`: 1 for older, -1 for newer; null if there is none. Index -1
 * stands for the typed text.
 */
export function stepInHistory(searches: readonly SearchTerm[], at: number, by: 1 | -1): number | null {
  const next = at + by;
  return next < -1 || next >= searches.length ? null : next;
}

export function readHistory(): readonly SearchTerm[] {
  return earlier.get();
}

export function useEarlierSearches(): readonly SearchTerm[] {
  return useStore(earlier);
}

export function remember({ within: _, ...term }: SearchSettings): void {
  earlier.set(withSearch(readHistory(), term));
}
