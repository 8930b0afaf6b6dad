/** The ruler of the text: lines that tell errors or explain a failure, matches, and marks. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { RequestResult } from '../../shared/api/api.ts';
import type { LineFilter } from '../../shared/api/filters.ts';
import type { DocumentRef } from '../../shared/api/rows.ts';
import type { SearchState } from '../../shared/api/search.ts';
import { ERROR_LINES, type SearchQuery } from '../../shared/search-query.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import { PacedListeners } from '../viewer/document/paced-listeners.ts';
import {
  countsOf,
  countsOfRanges,
  Lane,
  type LaneKind,
  type Lines,
  MAX_BUCKETS,
  Ruler,
  type RulerScale,
} from '../viewer/scrolling/Ruler.tsx';
import type { Viewer } from '../viewer/use-viewer.ts';
import type { OpenSearch } from './open-search.ts';
import { queryOf } from './search-settings.ts';
import { colourOf } from './search-tabs.ts';
import type { Search } from './use-search.ts';

/** Errors, the matches of the search, marks. */
const COLUMNS = 3;

interface TextRulerProps {
  viewer: Viewer;
  search: Search;
  /** Lines that explain a failure, rising. */
  explaining: readonly number[];
  /** Lines that a person marked, rising. */
  marked: readonly number[];
  /** Lines that differ from other outputs; null without a comparison, when they have no column. */
  differing: readonly Lines[] | null;
  /** Lines that agents got; null if none read it, when they have no column. */
  read: readonly Lines[] | null;
}

export function TextRuler({ viewer, search, explaining, marked, differing, read }: TextRulerProps) {
  const { rows, scroll, opened, counted } = viewer;
  const { total } = opened.snapshot;
  const { tabs, at } = search.tabs;
  const others = tabs.filter((_, index) => index !== at);
  const columns = COLUMNS + others.length + (differing ? 1 : 0) + (read ? 1 : 0);
  const show = (line: number) => viewer.showLine(line, 'always');
  return (
    <Ruler
      rows={rows}
      lines={total}
      isFiltered={viewer.hasFilter}
      range={viewer.range}
      scroll={scroll}
      onGo={viewer.stopWaiting}
      columns={columns}
      lanes={(scale) => (
        <>
          {/* Counting the lines comes first: it is what the reader waits for. */}
          {counted && (
            <FoundLane
              kind="errors"
              column={0}
              document={search.document}
              query={ERROR_LINES}
              scale={scale}
              onLine={show}
            />
          )}
          <LinesLane kind="errors" column={0} lines={explaining} scale={scale} onLine={show} />
          {differing && (
            <RangesLane
              kind="news"
              column={columns - (read ? 3 : 2)}
              ranges={differing}
              scale={scale}
              onLine={show}
            />
          )}
          {read && <RangesLane kind="read" column={columns - 2} ranges={read} scale={scale} onLine={show} />}
          <LinesLane kind="marks" column={columns - 1} lines={marked} scale={scale} onLine={show} />
          {others.map((tab, index) => {
            const query = queryOf(tab.settings);
            return (
              query && (
                <FoundLane
                  key={tab.id}
                  kind="matches"
                  column={2 + index}
                  document={search.document}
                  query={query}
                  filter={search.filter}
                  colour={colourOf(tab)}
                  scale={scale}
                  onLine={show}
                />
              )
            );
          })}
          {search.active && search.search && <Matches search={search} found={search.search} scale={scale} />}
        </>
      )}
    />
  );
}

interface LinesLaneProps {
  kind: LaneKind;
  column: number;
  /** Rising. */
  lines: readonly number[];
  scale: RulerScale;
  onLine: (line: number) => void;
}

function LinesLane({ kind, column, lines, scale, onLine }: LinesLaneProps) {
  if (lines.length === 0) return null;
  const show = (from: number, to: number) => {
    const line = lines.find((each) => each > from && each <= to);
    if (line !== undefined) onLine(line);
  };
  return (
    <Lane
      kind={kind}
      column={column}
      counts={countsOf(lines, scale.lines, scale.height)}
      scale={scale}
      onShow={show}
    />
  );
}

interface RangesLaneProps extends Pick<LinesLaneProps, 'kind' | 'column' | 'scale' | 'onLine'> {
  ranges: readonly Lines[];
}

function RangesLane({ kind, column, ranges, scale, onLine }: RangesLaneProps) {
  if (ranges.length === 0) return null;
  const buckets = Math.max(1, Math.min(MAX_BUCKETS, scale.height, scale.lines));
  const show = (from: number, to: number) => {
    const range = ranges.find((each) => each[1] > from && each[0] <= to);
    if (range) onLine(Math.max(from + 1, range[0]));
  };
  return (
    <Lane
      kind={kind}
      column={column}
      counts={countsOfRanges(ranges, scale.lines, buckets)}
      scale={scale}
      onShow={show}
    />
  );
}

function Matches({ search, found, scale }: { search: Search; found: OpenSearch; scale: RulerScale }) {
  const fetch = useCallback((buckets: number, signal: AbortSignal) => found.counts(buckets, signal), [found]);
  const counts = useBucketCounts(search.snapshot.state, fetch, scale);
  const show = (before: number) => {
    found.next(before, 'next', new AbortController().signal).then(
      ({ line_number: line, index }) => {
        if (line !== null && index !== null) search.goTo({ line, index });
      },
      () => {},
    );
  };
  const { tabs, at } = search.tabs;
  const colour = tabs.length > 1 ? colourOf(tabs[at]!) : undefined;
  return <Lane kind="matches" column={1} colour={colour} counts={counts} scale={scale} onShow={show} />;
}

interface FoundLaneProps {
  kind: LaneKind;
  column: number;
  document: DocumentRef;
  query: SearchQuery;
  /** Shows only lines that pass. */
  filter?: LineFilter | null;
  scale: RulerScale;
  colour?: string;
  onLine: (line: number) => void;
}

/** A column for the lines that a query finds, without listing them. */
function FoundLane(props: FoundLaneProps) {
  const { kind, column, document, query, filter = null, scale, colour, onLine } = props;
  const { state, fetch, next } = useFoundState(document, query, filter);
  const counts = useBucketCounts(state, fetch, scale);
  const show = (before: number) => {
    next(before).then(
      (line) => line !== null && onLine(line),
      () => {},
    );
  };
  return <Lane kind={kind} column={column} counts={counts} scale={scale} colour={colour} onShow={show} />;
}

// The state of a search whose lines are not listed, and in which parts of the text its matches are.

/** @param filter looks only at lines that pass */
export function useFoundState(document: DocumentRef, query: SearchQuery, filter: LineFilter | null = null) {
  const connection = useConnection();
  const [state, setState] = useState<SearchState | null>(null);
  const asked = { document, query, ...(filter ? { filter } : {}) };
  const key = JSON.stringify(asked);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what is searched for
  useEffect(() => {
    setState(null);
    const listeners = new PacedListeners();
    let last: SearchState | null = null;
    listeners.subscribe(() => setState(last));
    const take = (state: SearchState) => {
      last = state;
      listeners.tellSoon();
    };
    // Without an answer nothing is told; the search itself says what is wrong when it is shown.
    const unsubscribe = connection?.subscribe('search', asked, take, () => {});
    return () => {
      unsubscribe?.();
      listeners.close();
    };
  }, [connection, key]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  const fetch: FetchCounts = useCallback(
    (buckets, signal) => {
      if (!connection) return Promise.reject(new Error('offline'));
      return connection.request('matchCounts', { search: asked, buckets }, { signal });
    },
    [connection, key],
  );
  /** The first matching line after one; null without any. */
  const next = async (line_number: number): Promise<number | null> => {
    const params = { search: asked, line_number, direction: 'next' as const };
    return (await connection?.request('nextMatch', params))?.line_number ?? null;
  };
  return { state, fetch, next };
}

/** Milliseconds between two looks while the search goes on. */
const LOOK_EVERY_MS = 250;

type FetchCounts = (buckets: number, signal: AbortSignal) => Promise<RequestResult<'matchCounts'>>;

/** @param fetch the same function as long as it is the same search */
function useBucketCounts(
  state: SearchState | null,
  fetch: FetchCounts,
  { height, lines }: RulerScale,
): readonly number[] {
  const [counts, setCounts] = useState<readonly number[]>([]);
  const asked = useRef(0);
  // Never more than there are lines: a part of a line would be shown at its end.
  const wanted = Math.max(1, Math.min(MAX_BUCKETS, height, lines));
  const generation = state?.generation ?? null;
  const total = state?.match_count ?? 0;
  const done = state?.done ?? false;
  const bytes = state?.total_bytes ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever changes where matches lie
  useEffect(() => {
    if (height === 0 || generation === null) return;
    if (total === 0) return setCounts([]);
    const request = new AbortController();
    const wait = Math.max(0, asked.current + LOOK_EVERY_MS - Date.now());
    const timer = setTimeout(() => {
      asked.current = Date.now();
      fetch(wanted, request.signal).then(
        (found) => found.generation === generation && setCounts(found.counts),
        // The next state asks again.
        () => {},
      );
    }, wait);
    return () => {
      clearTimeout(timer);
      request.abort();
    };
  }, [fetch, height === 0, wanted, generation, total, done, bytes]);
  return counts;
}
