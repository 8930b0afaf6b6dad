/** The text with what a search found in it. On its own, so that scrolling draws nothing else anew. */

import {
  type ComponentProps,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'react';
import type { Row } from '../../../shared/api/rows.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { useConnection } from '../../connection/HostProvider.tsx';
import { RowCache, RowFetcher } from '../../viewer/document/row-fetcher.ts';
import { wholeRows } from '../../viewer/scrolling/positions.ts';
import { Rows } from '../../viewer/text/Rows.tsx';
import type { RowMatches } from '../../viewer/text/row-matches.ts';
import type { Viewer } from '../../viewer/use-viewer.ts';
import type { OpenSearch } from '../open-search.ts';
import type { Search } from '../use-search.ts';
import { useDeepMatches } from './use-deep-matches.ts';

/** Longest time that marks of the last search stay in the text: more than a host on a busy machine takes for others. */
const LAST_STAY_MS = 2000;

interface MatchedRowsProps extends Omit<ComponentProps<typeof Rows>, 'matches'> {
  viewer: Viewer;
  search: Search;
}

export function MatchedRows({ viewer, search, ...rows }: MatchedRowsProps) {
  const { matches, areKnown } = useTextMatches(viewer, search);
  const shown = useUntilKnown(search.search, matches, areKnown);
  useMatchInView(viewer, search);
  return <Rows {...rows} matches={shown} />;
}

/**
 * The matches that were shown last, until those of another search are known: while a pattern is typed, no key takes the
 * marks out of the text only to draw others. They stay for a moment at most, and until the results are drawn, which
 * removing the marks would delay.
 */
function useUntilKnown<Matches>(search: Search['search'], matches: Matches, areKnown: boolean): Matches {
  const shown = useRef(matches);
  const isBehind = useDeferredValue(search) !== search;
  const [late, setLate] = useState<Search['search']>(null);
  useEffect(() => {
    if (areKnown) return;
    const timer = setTimeout(() => setLate(search), LAST_STAY_MS);
    return () => clearTimeout(timer);
  }, [search, areKnown]);
  if (!isBehind && (areKnown || late === search)) shown.current = matches;
  return shown.current;
}

const MARGIN_PX = 40;

/**
 * Brings the match one went to into view: its line is there already, the match may be far to the right, or many lines
 * down where the line wraps.
 */
function useMatchInView({ scroller, pending }: Viewer, { current }: Search): void {
  const shown = useRef(current);
  // Once for each: who then scrolls away is left alone. Marks and the rows they are in may come one after the other.
  useEffect(() => {
    const view = scroller.current;
    if (!current || !view || shown.current === current || pending) return;
    const mark = view.querySelector('[data-current] mark');
    const gutter = view.querySelector('[data-current] [data-gutter]');
    if (!mark || !gutter) return;
    shown.current = current;
    const box = mark.getBoundingClientRect();
    const left = gutter.getBoundingClientRect().right;
    const { right, top, bottom } = view.getBoundingClientRect();
    const down = box.top < top ? box.top - top - MARGIN_PX : Math.max(0, box.bottom - bottom + MARGIN_PX);
    if (down !== 0 && (box.top < top || box.bottom > bottom))
      view.scrollBy({ top: down, behavior: 'instant' });
    if (box.left >= left && box.right <= right) return;
    const wide = box.width > right - left - MARGIN_PX;
    const by = box.left < left || wide ? box.left - left - MARGIN_PX : box.right - right + MARGIN_PX;
    view.scrollBy({ left: by, behavior: 'instant' });
  });
}

/** Blocks of rows with matches kept: a text's own rows are kept elsewhere. */
const MAX_CACHED_BLOCKS = 6;
/** Milliseconds between two looks at which lines match. */
const LOOK_EVERY_MS = 60;

interface TextMatches {
  matches: RowMatches | null;
  /** Some of the search's own were fetched, or there are none to fetch. */
  areKnown: boolean;
}

export function useTextMatches(viewer: Viewer, search: Search): TextMatches {
  const matched = useMatchedRows(viewer, search);
  const hits = useHits(viewer, search);
  const active = search.active && search.search !== null;
  const current = search.current?.line ?? null;
  // Within another search, a line can hold the pattern and not match.
  const isNarrowed = search.search?.query.within !== undefined;
  const row = current === null ? undefined : viewer.rows.row(viewer.rows.rowOf(current));
  const isDeep = row?.clipped && current !== null && matched?.of(current, row)?.length === 0;
  const generation = search.snapshot.state?.generation ?? null;
  const { of: deepMatchOf, want } = useDeepMatches(search.search, generation);
  useEffect(() => {
    if (isDeep) want([current]);
  }, [isDeep, current, want]);
  const matches = useMemo((): RowMatches | null => {
    if (!active) return null;
    return {
      matchesOf: (line, row) => (isNarrowed && !hits.has(line) ? null : (matched?.of(line, row) ?? null)),
      deepMatchOf: (line) => (line === current ? deepMatchOf(line) : null),
      isHit: (line) => hits.has(line),
      current,
    };
  }, [active, matched, hits, current, deepMatchOf, isNarrowed]);
  return { matches, areKnown: !active || (matched?.areKnown ?? true) };
}

/** Calls `look` with the first and last line in view now and when they change. Waits while lines have no numbers. */
function watchLines({ rows, scroll }: Viewer, look: (first: number, last: number) => void): () => void {
  let seen = '';
  const tell = () => {
    const { position, height } = scroll.view.get();
    const first = rows.lineOf(position.row);
    if (first === null || position.row >= rows.count) return;
    const lastRow = Math.min(position.row + wholeRows(height) + 1, rows.count - 1);
    const last = rows.lineOf(lastRow) ?? first;
    if (seen === `${first}-${last}`) return;
    seen = `${first}-${last}`;
    look(first, last);
  };
  tell();
  return scroll.view.subscribe(tell);
}

interface FetchedMatches {
  areKnown: boolean;
  of(line: number, row: Row): readonly number[] | null;
}

function useMatchedRows(viewer: Viewer, { search, document }: Search): FetchedMatches | null {
  const connection = useConnection();
  const [version, redraw] = useReducer((count: number) => count + 1, 0);
  const { passing, opened } = viewer;
  const { state } = opened.snapshot;
  const fetcher = useMemo(() => {
    // Where a line does not match there is nothing to highlight in it.
    if (!connection || !search || search.query.invert) return null;
    const { query } = search;
    let gotNowhere = false;
    return new RowFetcher<Row>(
      async (start_line, count, signal) => {
        if (gotNowhere) throw new SpillwayError('cancelled', 'The pattern takes too long', 'simplify it');
        await search.pauseInTyping(signal);
        const params = { document, start_line, count, highlight: query };
        const result = passing
          ? await passing.fetchRows(start_line, count, signal, query)
          : await connection.request('rows', params, { signal });
        // An expression that got nowhere once is not tried on every screen: each try costs seconds.
        gotNowhere = result.rows.some((row) => row.matches === undefined);
        return result;
      },
      redraw,
      new RowCache<Row>(MAX_CACHED_BLOCKS),
    );
  }, [connection, search, document, passing]);
  useEffect(() => () => fetcher?.close(), [fetcher]);
  const { rows, scroll } = viewer;
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows may be of more passing lines
  useEffect(() => {
    if (state) fetcher?.update(passing ? { ...state, total_lines: passing.count } : state);
  }, [fetcher, state, rows]);
  /** A line's place among what the fetcher fetches. */
  const placeOf = useCallback((line: number) => passing?.rowOf(line) ?? line - 1, [passing]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the viewer only what tells which lines are seen
  useEffect(() => {
    if (fetcher) return watchLines(viewer, (first, last) => fetcher.want(placeOf(first), placeOf(last)));
  }, [fetcher, rows, scroll]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version has other rows
  return useMemo(
    () =>
      fetcher && {
        areKnown: fetcher.problem !== null || fetcher.row(fetcher.seen.first) !== undefined,
        of(line, row) {
          const found = fetcher.row(placeOf(line));
          // A line that grew since may match elsewhere.
          return found?.text === row.text ? (found.matches ?? null) : null;
        },
      },
    [fetcher, version, placeOf],
  );
}

/** Lines in view that match, by what the search itself found. */
function useHits(viewer: Viewer, { search, snapshot }: Search): ReadonlySet<number> {
  const [hits, setHits] = useState<Hits>(NO_HITS);
  const asked = useRef(0);
  const generation = snapshot.state?.generation ?? null;
  const { total } = snapshot;
  const { rows, scroll } = viewer;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for other lines in view, and when more was found
  useEffect(() => {
    if (!search) return;
    if (generation === null || total === 0) return setHits(NO_HITS);
    let request = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async (first: number, last: number) => {
      asked.current = Date.now();
      const { signal } = request;
      // When it fails, the next state or the next position asks again.
      const found = await search.linesIn(first, last, signal).catch(() => null);
      if (signal.aborted || found?.generation !== generation) return;
      setHits({ of: search, lines: new Set(found.lines) });
    };
    const unwatch = watchLines(viewer, (first, last) => {
      request.abort();
      request = new AbortController();
      clearTimeout(timer);
      timer = setTimeout(
        () => void ask(first, last),
        Math.max(0, asked.current + LOOK_EVERY_MS - Date.now()),
      );
    });
    return () => {
      unwatch();
      clearTimeout(timer);
      request.abort();
    };
  }, [search, rows, scroll, generation, total]);
  return hits.of === search ? hits.lines : NO_HITS.lines;
}

interface Hits {
  of: OpenSearch | null;
  lines: ReadonlySet<number>;
}

const NO_HITS: Hits = { of: null, lines: new Set() };
