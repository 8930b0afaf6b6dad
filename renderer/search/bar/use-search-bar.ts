/** Opens and closes the search bar, and reports its settings. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { TYPING_PAUSE_MS } from '../open-search.ts';
import { queryOf, type SearchSettings, sameSettings } from './search-settings.ts';

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

/**
 * Reports the settings when they change, and returns a function that reports them at once. Browsers limit how often the
 * address may change: while a pattern is typed, the report waits for a pause.
 */
export function useSettingsReport(
  settings: SearchSettings,
  onSearch: (settings: SearchSettings | null) => void,
): () => void {
  const reported = useRef(settings);
  const latest = useRef(settings);
  latest.current = settings;
  const report = useCallback(() => {
    const { current } = latest;
    if (sameSettings(current, reported.current)) return;
    reported.current = current;
    onSearch(queryOf(current) === null ? null : current);
  }, [onSearch]);
  useEffect(() => {
    const isTyping = settings.pattern !== '' && settings.pattern !== reported.current.pattern;
    if (!isTyping) return report();
    const timer = setTimeout(report, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [settings, report]);
  return report;
}
