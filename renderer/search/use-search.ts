/** Searching as everything in the window shares it: what is asked for, what was found, where in it one is. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { DocumentRef } from '../../shared/api/rows.ts';
import { toSpillwayError } from '../../shared/errors.ts';
import type { Viewer } from '../viewer/use-viewer.ts';
import { remember } from './history.ts';
import type { Direction, OpenSearch } from './open-search.ts';
import { NO_SEARCH, queryOf, type SearchSettings, sameSettings } from './search-settings.ts';
import { useOpenSearch } from './use-open-search.ts';
import { useResultsLayout } from './use-results-layout.ts';

/** Milliseconds after the last key before the address names the search: browsers let it change only so often. */
const SETTLE = 150;

/** The match one is at: its line from 1, its position among all from 0. */
export interface At {
  line: number;
  index: number;
}

interface SearchOptions {
  document: DocumentRef;
  viewer: Viewer;
  initial: SearchSettings | null;
  /** What a reload is to return to. */
  onSearch: (settings: SearchSettings | null) => void;
  initialOpen: boolean;
  /** The line to search with was opened or closed. */
  onLine: (open: boolean) => void;
  say: (message: string) => void;
}

export type Search = ReturnType<typeof useSearch>;

export function useSearch(options: SearchOptions) {
  const { document, viewer, initial, onSearch, onLine, say } = options;
  const [open, setOpen] = useState(options.initialOpen);
  useEffect(() => onLine(open), [open, onLine]);
  const [settings, setSettings] = useState(initial ?? NO_SEARCH);
  const [at, setAt] = useState<At | null>(null);
  const { layout, change: changeLayout } = useResultsLayout();
  // Every key begins a search and ends the one before it, which costs next to nothing.
  const query = queryOf(settings);
  const searched = useOpenSearch(document, query, layout.context);
  const { search, snapshot } = searched;
  const field = useRef<HTMLInputElement>(null);
  const results = useRef<HTMLDivElement>(null);
  const steps = useRef<Promise<void>>(Promise.resolve());
  /** Where one is, known at once: what is drawn follows. */
  const position = useRef<At | null>(null);

  const latest = useRef({ viewer, settings, search, snapshot, say });
  latest.current = { viewer, settings, search, snapshot, say };

  const arrive = useCallback((next: At | null) => {
    position.current = next;
    setAt(next);
  }, []);

  const reported = useRef(settings);
  const report = useCallback(() => {
    const { settings } = latest.current;
    if (sameSettings(settings, reported.current)) return;
    reported.current = settings;
    onSearch(settings.pattern === '' ? null : settings);
  }, [onSearch]);
  useEffect(() => {
    // Only typing is so quick.
    if (settings.pattern === '' || settings.pattern === reported.current.pattern) return report();
    const timer = setTimeout(report, SETTLE);
    return () => clearTimeout(timer);
  }, [settings, report]);

  // What one is at belongs to one search of one text.
  const generation = snapshot.state?.generation ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever these change
  useEffect(() => arrive(null), [search, generation, arrive]);

  // A search that was stopped begins anew in a text that is another one.
  const documentGeneration = viewer.opened.snapshot.state?.generation ?? null;
  useEffect(() => {
    if (!search || !snapshot.cancelled || generation === null || documentGeneration === null) return;
    if (documentGeneration > generation) search.resume();
  }, [search, snapshot.cancelled, generation, documentGeneration]);

  // Whoever selects other lines is no longer at the match.
  const { selection, pending } = viewer;
  useEffect(() => {
    // The selection may be older than where one is by now: it is drawn with what it belongs to.
    const isNow = at === position.current;
    if (isNow && at && !pending && selection && selection.focus !== at.line) arrive(null);
  }, [selection, pending, at, arrive]);

  const goTo = useCallback(
    (next: At) => {
      arrive(next);
      latest.current.viewer.showLine(next.line, 'always');
    },
    [arrive],
  );

  /** A line that is only around a match. */
  const showLine = useCallback(
    (line: number) => {
      arrive(null);
      latest.current.viewer.showLine(line, 'always');
    },
    [arrive],
  );

  const stepOnce = useCallback(
    async (direction: Direction) => {
      const search = await wantedSearch(() => latest.current);
      if (!search) return;
      const { viewer, say } = latest.current;
      const signal = new AbortController().signal;
      const back = direction === 'previous';
      const from = position.current?.line ?? viewer.currentLine() - (back || viewer.selection ? 0 : 1);
      try {
        let found = await search.next(Math.max(0, from), direction, signal);
        if (found.line_number === null && found.match_count > 0) {
          const { state, cancelled } = latest.current.snapshot;
          const whole = state?.done === true || cancelled;
          if (!back && !whole) return say('No further match was found so far');
          found = await search.next(back ? Number.MAX_SAFE_INTEGER : 0, direction, signal);
          if (found.line_number !== position.current?.line)
            say(back ? 'Went on from the last match' : 'Went on from the first match');
        }
        if (latest.current.search !== search || found.line_number === null || found.index === null) return;
        arrive({ line: found.line_number, index: found.index });
        latest.current.viewer.showLine(found.line_number, 'unless visible');
      } catch (error) {
        if (toSpillwayError(error).code !== 'cancelled') say(toSpillwayError(error).message);
      }
    },
    [arrive],
  );
  /** One after the other, however fast they come. */
  const step = useCallback(
    (direction: Direction) => {
      remember(latest.current.settings.pattern);
      // Whoever goes through matches is done typing.
      report();
      steps.current = steps.current.then(() => stepOnce(direction));
    },
    [stepOnce, report],
  );

  const edit = useCallback(
    (part: Partial<SearchSettings>) => setSettings((last) => ({ ...last, ...part })),
    [],
  );

  const openField = useCallback(() => {
    // Drawn at once: the next key may come before the next frame, and is for the field.
    flushSync(() => setOpen(true));
    field.current?.focus();
    field.current?.select();
  }, []);

  const focusText = useCallback(() => {
    latest.current.viewer.scroller.current?.focus({ preventScroll: true });
  }, []);

  const closeField = useCallback(() => {
    remember(latest.current.settings.pattern);
    report();
    setOpen(false);
    focusText();
  }, [focusText, report]);

  const end = useCallback(() => {
    setOpen(false);
    setSettings((last) => ({ ...last, pattern: '' }));
    focusText();
  }, [focusText]);

  /** The field first, then the results. False when there was neither. */
  const closeOne = useCallback((): boolean => {
    if (open) closeField();
    else if (query) end();
    else return false;
    return true;
  }, [open, query, closeField, end]);

  /** To the results, unfolded; from them back to the text, folded. */
  const toggleResults = useCallback(() => {
    if (!latest.current.search) return;
    const inside = results.current?.contains(window.document.activeElement) ?? false;
    flushSync(() => changeLayout({ folded: inside }));
    if (inside) focusText();
    else results.current?.querySelector<HTMLElement>('[role="grid"]')?.focus();
  }, [changeLayout, focusText]);

  return {
    ...searched,
    document,
    /** Of the text, as far as they are counted. */
    lines: viewer.opened.snapshot.total,
    open,
    settings,
    active: query !== null,
    at,
    layout,
    changeLayout,
    field,
    results,
    edit,
    step,
    goTo,
    showLine,
    /** What is searched for is told now, whenever the last key was. */
    settle: report,
    openField,
    closeField,
    end,
    closeOne,
    focusText,
    toggleResults,
  };
}

/** Between looks at whether the search has said something, and how many there are. Milliseconds. */
const LOOK_MS = 20;
const LOOKS = 50;

/** The search of what stands in the field now: the last key may be a moment ago, and another one still shown. */
async function wantedSearch(
  now: () => { search: OpenSearch | null; settings: SearchSettings },
): Promise<OpenSearch | null> {
  for (let look = 0; look < LOOKS; look += 1) {
    const { search, settings } = now();
    const query = queryOf(settings);
    if (!query) return null;
    if (search && JSON.stringify(search.query) === JSON.stringify(query)) {
      const { state, error } = search.snapshot();
      if (error || state?.done || (state && state.match_count > 0)) return search;
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return now().search;
}
