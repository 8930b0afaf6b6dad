/** Fetches the histogram of a text, turns its parts into bars, and names a span of them. */

import { useEffect, useState } from 'react';
import type { LineFilter } from '../../../shared/api/filters.ts';
import type { DocumentRef } from '../../../shared/api/rows.ts';
import type { HistogramState } from '../../../shared/api/search.ts';
import { type SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import { countFitting } from '../../../shared/line-set.ts';
import type { SearchQuery } from '../../../shared/search-query.ts';
import { sinceStart } from '../../../shared/text/line-time.ts';
import { useConnection } from '../../connection/HostProvider.tsx';
import { localClock, localDay } from '../../ui/text/format.ts';
import type { FilteredLines } from '../../viewer/document/rows-view.ts';

const MAX_BINS = 240;
const GROWS_EVERY_MS = 2000;
const COUNTS_EVERY_MS = 300;

/** @param lines in the text now */
export function useHistogram(document: DocumentRef, generation: number, lines: number) {
  const connection = useConnection();
  const [found, setFound] = useState<HistogramState | null>(null);
  const [error, setError] = useState<SpillwayError | null>(null);
  const late = useLate(lines, found === null ? 0 : GROWS_EVERY_MS);
  // biome-ignore lint/correctness/useExhaustiveDependencies: more lines, or another text, are asked for anew
  useEffect(() => {
    if (!connection) return;
    return connection.subscribe(
      'histogram',
      { document, bins: MAX_BINS },
      (state) => {
        // For a text that has grown, the last histogram is better than an estimate.
        setFound((last) =>
          last?.done && last.generation === state.generation && !state.done ? last : state,
        );
        setError(null);
      },
      (reason) => setError(toSpillwayError(reason)),
    );
  }, [connection, document, generation, late]);
  return { found, error };
}

/** Returns the number of a search's matches in each part; null without a search. */
export function useCounts(
  document: DocumentRef,
  query: SearchQuery | null,
  filter: LineFilter | null,
  histogram: HistogramState | null,
): readonly number[] | null {
  const connection = useConnection();
  const [counts, setCounts] = useState<readonly number[] | null>(null);
  const [progress, setProgress] = useState('');
  const late = useLate(progress, COUNTS_EVERY_MS);
  const key = JSON.stringify([query, filter]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what the query and the filter are
  useEffect(() => {
    setCounts(null);
    if (!connection || !query) return;
    const search = { document, query, ...(filter ? { filter } : {}) };
    return connection.subscribe(
      'search',
      search,
      ({ match_count, searched_bytes, done }) => setProgress(`${match_count} ${searched_bytes} ${done}`),
      () => {},
    );
  }, [connection, document, key]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: progress of the search asks again
  useEffect(() => {
    if (!connection || !query || !histogram?.done || histogram.edges.length < 2) return;
    const request = new AbortController();
    const search = { document, query, ...(filter ? { filter } : {}) };
    const lines = histogram.edges.map((edge) => edge.line_number);
    connection.request('counts', { search, lines }, { signal: request.signal }).then(
      (result) => setCounts(result.counts),
      // The next state asks again.
      () => {},
    );
    return () => request.abort();
  }, [connection, document, key, histogram, late]);
  return query ? counts : null;
}

/** Returns the value, updated at most once every `ms` milliseconds. */
function useLate<T>(value: T, ms: number): T {
  const [late, setLate] = useState(value);
  useEffect(() => {
    if (Object.is(late, value)) return;
    const timer = setTimeout(() => setLate(value), ms);
    return () => clearTimeout(timer);
    // A later value waits for the same timer, so that updates are never postponed for ever.
  }, [late, value, ms]);
  return late;
}

/** Turns parts of a text by time into bars, and names a span of them. */
export type Edges = HistogramState['edges'];

/** Parts `from` to `to`, from 0, both included. */
export interface BinSpan {
  from: number;
  to: number;
}

interface SpanFacts {
  first: number;
  /** Below `first` if the span has no lines. */
  last: number;
  label: string;
}

/** Counts each part's lines; with a filter, the lines that pass it. */
export function countsIn(edges: Edges, passing: Pick<FilteredLines, 'rowOf'> | null): number[] {
  const places = edges.map(({ line_number: line }) => (passing ? passing.rowOf(line) : line));
  return places.slice(1).map((place, i) => place - places[i]!);
}

export function binFacts(edges: Edges, { from, to }: BinSpan): SpanFacts {
  const [start, end] = [edges[from]!, edges[to + 1]!];
  const isShort = end.time - start.time < 10_000;
  const withDay = areDays(edges);
  const began = timeWords(start.time, isShort, withDay);
  const ended = timeWords(end.time, isShort, withDay && dayOf(start.time) !== dayOf(end.time));
  return { first: start.line_number, last: end.line_number - 1, label: `${began}–${ended}` };
}

/** The part that a line is in, from 0. */
export function binOf(edges: Edges, line: number): number {
  const begun = countFitting(edges.length, (index) => edges[index]!.line_number <= line);
  return Math.min(Math.max(0, begun - 1), edges.length - 2);
}

/** Whether the parts are of more than one day, so that their times need the day. */
export function areDays(edges: Edges): boolean {
  return dayOf(edges[0]!.time) !== dayOf(edges.at(-1)!.time);
}

/** Returns local time, `10:30:00`, optionally with the day, if it is known, or milliseconds. */
export function timeWords(time: number, withMs: boolean, withDay: boolean): string {
  const day = withDay ? dayOf(time) : '';
  return `${day === '' ? '' : `${day} `}${localClock(new Date(time), withMs)}`;
}

function dayOf(time: number): string {
  return sinceStart(time) === null ? localDay(new Date(time)) : '';
}

/**
 * Returns one SVG path of bars, each a unit wide, in a box `1` high. Bars that are not empty are at least `least` high.
 */
export function barsPath(counts: readonly number[], most: number, least: number): string {
  let path = '';
  for (const [i, count] of counts.entries()) {
    if (count === 0) continue;
    // Scale by the square root, so that few lines stay visible beside many.
    const height = Math.max(least, Math.sqrt(count / Math.max(1, most)));
    path += `M${i + 0.05} 1v-${height.toFixed(4)}h0.9V1z`;
  }
  return path;
}

/** Returns the span between two parts, in either order. */
export function spanBetween(a: number, b: number): BinSpan {
  return { from: Math.min(a, b), to: Math.max(a, b) };
}
