/** The search of one artifact, shared by the search bar, the text and the results. */
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import type { Connection } from '../../shared/api/api.ts';
import type { LineFilter } from '../../shared/api/filters.ts';
import type { DocumentRef } from '../../shared/api/rows.ts';
import type { SpillwayError } from '../../shared/errors.ts';
import type { SearchQuery } from '../../shared/search-query.ts';
import { formatCount } from '../../shared/text/format.ts';
import { usePaletteDestinations } from '../actions/palette-items.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import { noSubscription } from '../ui/state/store.ts';
import type { Viewer } from '../viewer/use-viewer.ts';
import {
  type Direction,
  isBadPattern,
  isReady,
  NOTHING_YET,
  OpenSearch,
  type OpenSearchOptions,
  type SearchSnapshot,
} from './open-search.ts';
import { useMatchSteps } from './results/use-match-steps.ts';
import { rowsInView, useResultsFocus, useResultsLayout } from './results/use-results-layout.ts';
import { narrowed, queryOf, type SearchSettings, typedPattern } from './search-settings.ts';
import { type SearchTabs, useSearchTabs } from './search-tabs.ts';
import { remember, type SearchReports, useSearchBar, useSearchReport } from './use-search-bar.ts';

/** The searches to show first. */
export interface SearchPlace {
  search?: SearchSettings | null | undefined;
  /** All searches side by side, if there were several. */
  searches?: SearchTabs | null | undefined;
  searchOpen: boolean;
}

interface SearchOptions {
  document: DocumentRef;
  viewer: Viewer;
  /** Lines that other filters hide are not searched. */
  filter: LineFilter | null;
  place: SearchPlace;
  reports: SearchReports;
  say: (message: string) => void;
}

export type Search = ReturnType<typeof useSearch>;

export function useSearch({ document, viewer, filter, place, reports, say }: SearchOptions) {
  const { search: initial = null, searches = null } = place;
  const tabs = useSearchTabs(searches, initial);
  const { settings, edit } = tabs;
  const { layout, change: changeLayout } = useResultsLayout();
  // Every key begins a search and ends the one before, which costs next to nothing.
  const query = queryOf(settings);
  const searched = useOpenSearch(document, query, {
    context: layout.context,
    rowsInView: rowsInView(layout),
    filter,
  });
  const { search, snapshot } = searched;
  const steps = useMatchSteps({ viewer, settings, search, snapshot, say });
  const { step: stepNow } = steps;
  const report = useSearchReport(tabs.state, searches ?? tabs.state, reports);
  useRetryInNewText(viewer, search, snapshot);

  const focusText = () => viewer.scroller.current?.focus({ preventScroll: true });
  const settle = () => {
    remember(settings);
    report();
  };
  const bar = useSearchBar(place.searchOpen, reports, settle, focusText);
  const focus = useResultsFocus({ search, setFolded: (folded) => changeLayout({ folded }), focusText });

  const step = (direction: Direction) => {
    settle();
    stepNow(direction);
  };
  const end = () => {
    bar.setOpen(false);
    tabs.close(tabs.at);
    focusText();
  };
  const type = (pattern: string) => {
    const typed = typedPattern(pattern, settings.fixed);
    searched.beginEarly(queryOf({ ...settings, ...typed }));
    edit(typed);
  };
  /** Keeps this search, and begins another beside it. */
  const keep = () => {
    settle();
    flushSync(tabs.add);
    bar.openField();
  };
  /** The next search goes on in what this one found. */
  const narrow = () => {
    settle();
    flushSync(() => edit(narrowed(settings)));
    bar.openField();
  };
  /** Closes the bar, or else ends the search. False when there was neither. */
  const closeOne = (): boolean => {
    if (bar.open) bar.closeField();
    else if (query) end();
    else return false;
    return true;
  };

  return {
    ...searched,
    ...bar,
    ...focus,
    document,
    filter,
    /** Lines of the text that are counted. */
    lines: viewer.opened.snapshot.total,
    settings,
    active: query !== null,
    current: steps.current,
    layout,
    changeLayout,
    edit,
    /** Takes what stands in the field now. */
    type,
    tabs,
    keep,
    narrow,
    showTab: tabs.choose,
    closeTab: (index: number) => (tabs.tabs.length === 1 ? end() : tabs.close(index)),
    step,
    goTo: steps.goTo,
    goToMatch: (number: number) => {
      settle();
      steps.goToMatch(number);
    },
    showLine: steps.showLine,
    /** Reports the searches at once. */
    report,
    end,
    closeOne,
    focusText,
    say,
  };
}

/** `#3`, `match 1,200`. */
const MATCH_NUMBER = /^\s*(?:#|match\s+)\s*(\d{1,3}(?:[,_ ]\d{3})+|\d{1,15})\s*$/i;

/**
 * Makes matches destinations of the palette and of "Go to" while there is a search. Returns a function that finds the
 * one of a typed text; null for other text.
 */
export function useMatchDestination(search: Search): (typed: string) => (() => void) | null {
  const numberIn = (typed: string): number | null => {
    const digits = MATCH_NUMBER.exec(typed)?.[1]?.replace(/[,_ ]/g, '');
    return search.active && digits && Number(digits) >= 1 ? Number(digits) : null;
  };
  usePaletteDestinations((query) => {
    const number = numberIn(query);
    if (number === null) return [];
    const run = () => search.goToMatch(number);
    return [
      {
        id: 'match',
        text: `Go to match ${formatCount(number)}`,
        kind: 'Search',
        icon: 'search',
        isAnswer: true,
        run,
      },
    ];
  });
  return (typed) => {
    const number = numberIn(typed);
    return number === null ? null : () => search.goToMatch(number);
  };
}

/** A search that was cancelled starts again when the text was replaced. */
function useRetryInNewText(viewer: Viewer, search: OpenSearch | null, snapshot: SearchSnapshot): void {
  const searched = snapshot.state?.generation ?? null;
  const shown = viewer.opened.snapshot.state?.generation ?? null;
  useEffect(() => {
    if (!search || !snapshot.cancelled || searched === null || shown === null) return;
    if (shown > searched) search.retry();
  }, [search, snapshot.cancelled, searched, shown]);
}

interface Searched {
  search: OpenSearch | null;
  snapshot: SearchSnapshot;
  /** The error of an invalid pattern. */
  problem: SpillwayError | null;
  /** Begins the search of a query that is about to be rendered: the host works while the page draws the key. */
  beginEarly(query: SearchQuery | null): void;
}

const nothing = () => NOTHING_YET;

/**
 * Keeps the search that is wanted open, and shows the one that `SearchSwitch` chooses. A change of `options.filter`
 * begins another search; the other options are for searches that are begun later.
 */
function useOpenSearch(
  document: DocumentRef,
  query: SearchQuery | null,
  options: OpenSearchOptions,
): Searched {
  const { filter } = options;
  const connection = useConnection();
  const [search, setSearch] = useState<OpenSearch | null>(null);
  const [problem, setProblem] = useState<SpillwayError | null>(null);
  const [shown] = useState(() => {
    const show = (search: OpenSearch | null, isAwaited: boolean) => {
      // Not in a task of its own: a frame that came first would cost the results 16 ms.
      if (isAwaited) flushSync(() => setSearch(search));
      else setSearch(search);
    };
    return new SearchSwitch(show, setProblem);
  });
  const key = keyOf(document, query, filter);
  const begun = useRef<{ connection: Connection | null; key: string | null; leave(): void } | null>(null);
  const begin = (query: SearchQuery | null) => {
    const key = keyOf(document, query, filter);
    if (begun.current?.connection === connection && begun.current.key === key) return;
    begun.current?.leave();
    const start = (connection: Connection) =>
      shown.begin(query && new OpenSearch(connection, document, query, options));
    // Offline: what was found stays on the screen until there is a host to ask again.
    begun.current = { connection, key, leave: connection ? start(connection) : () => {} };
  };
  const latest = useRef(begin);
  latest.current = begin;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what the document and the query are
  useEffect(() => begin(query), [shown, connection, key]);

  useEffect(
    () => () => {
      begun.current?.leave();
      begun.current = null;
      shown.close();
    },
    [shown],
  );

  const snapshot = useSyncExternalStore(search?.subscribe ?? noSubscription, search?.snapshot ?? nothing);
  const late = search && isBadPattern(search) ? snapshot.error : null;
  const beginEarly = useCallback((query: SearchQuery | null) => latest.current(query), []);
  return { search, snapshot, problem: problem ?? late, beginEarly };
}

function keyOf(document: DocumentRef, query: SearchQuery | null, filter: LineFilter | null): string | null {
  return query && JSON.stringify([document, query, filter]);
}

/** Longest time the last results stay; readers would take older ones for new. */
const LAST_STAYS_MS = 150;

/**
 * Chooses the search to show while the next one begins: the last one, until the next has something to show or a moment
 * has passed. Meanwhile the last one is paused, to leave the host's threads to the next. A search with an invalid
 * pattern is never shown; the last valid one continues.
 */
export class SearchSwitch {
  #shown: OpenSearch | null = null;
  readonly #onShow: (search: OpenSearch | null, isAwaited: boolean) => void;
  readonly #onProblem: (problem: SpillwayError | null) => void;

  constructor(
    /** `isAwaited`: it has just been told what there is to show, and is to be drawn with the next frame. */
    onShow: (search: OpenSearch | null, isAwaited: boolean) => void,
    /** Called with the problem of the newest pattern, or null. */
    onProblem: (problem: SpillwayError | null) => void,
  ) {
    this.#onShow = onShow;
    this.#onProblem = onProblem;
  }

  /**
   * Begins a search, or none. Call the returned function before the next call: it closes a search that was never shown.
   */
  begin(next: OpenSearch | null): () => void {
    this.#onProblem(null);
    if (!next) {
      this.#show(null);
      return () => {};
    }
    /** The search shown before; open until the next one has reported that its pattern is valid. */
    const last = this.#shown;
    last?.pause();
    const look = () => {
      if (!isReady(next)) return;
      stopLooking();
      const { error } = next.snapshot();
      if (isBadPattern(next)) {
        this.#onProblem(error);
        this.#set(last);
        last?.resume();
      } else this.#show(next, last, true);
    };
    const stopListening = next.subscribe(look);
    const timer = setTimeout(() => this.#set(next), LAST_STAYS_MS);
    const stopLooking = () => {
      stopListening();
      clearTimeout(timer);
    };
    return () => {
      stopLooking();
      if (this.#shown === next && !isReady(next)) last?.close();
      if (this.#shown !== next) next.close();
    };
  }

  close(): void {
    this.#shown?.close();
    this.#shown = null;
  }

  #show(next: OpenSearch | null, last = this.#shown, isAwaited = false): void {
    if (last !== next) last?.close();
    this.#set(next, isAwaited);
  }

  #set(next: OpenSearch | null, isAwaited = false): void {
    this.#shown = next;
    this.#onShow(next, isAwaited);
  }
}
