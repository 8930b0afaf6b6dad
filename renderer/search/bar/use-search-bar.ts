/** Opens and closes the search bar, and reports its settings. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { TYPING_PAUSE_MS } from '../open-search.ts';
import { type SearchTab, type SearchTabs, sameSearches } from '../tabs/use-search-tabs.ts';
import { queryOf, type SearchSettings } from './search-settings.ts';

export function useSearchBar(
  initialOpen: boolean,
  onBar: (open: boolean) => void,
  settle: () => void,
  focusText: () => void,
) {
  const [open, setOpen] = useState(initialOpen);
  useEffect(() => onBar(open), [open, onBar]);
  const field = useRef<HTMLInputElement>(null);
  const openField = useCallback(() => {
    // Render now: the next key may come before the next frame, and belongs to the field.
    flushSync(() => setOpen(true));
    field.current?.focus();
    field.current?.select();
  }, []);
  const closeField = useCallback(() => {
    settle();
    setOpen(false);
    focusText();
  }, [settle, focusText]);
  return { open, setOpen, field, openField, closeField };
}

/** Gets the shown search, or null; and all of them if there are several, or null. */
export type OnSearch = (shown: SearchSettings | null, all: SearchTabs | null) => void;

/**
 * Reports the searches when they change, and returns a function that reports them at once. Browsers limit how often the
 * address may change: while a pattern is typed, the report waits for a pause.
 *
 * @param known what the address has at first
 */
export function useSearchReport(searches: SearchTabs, known: SearchTabs, onSearch: OnSearch): () => void {
  const reported = useRef(known);
  const latest = useRef(searches);
  latest.current = searches;
  const report = useCallback(() => {
    const { current } = latest;
    if (sameSearches(current, reported.current)) return;
    reported.current = current;
    const { settings } = shownOf(current);
    onSearch(queryOf(settings) === null ? null : settings, current.tabs.length > 1 ? current : null);
  }, [onSearch]);
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
