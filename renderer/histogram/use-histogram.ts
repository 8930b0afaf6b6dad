/** Fetches the histogram of a text, and again while it grows. */
import { useEffect, useState } from 'react';
import type { LineFilter } from '../../shared/api/filters.ts';
import type { HistogramState } from '../../shared/api/histogram.ts';
import type { DocumentRef } from '../../shared/api/rows.ts';
import { type SpillwayError, toSpillwayError } from '../../shared/errors.ts';
import type { SearchQuery } from '../../shared/search-query.ts';
import { useConnection } from '../connection/HostProvider.tsx';

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
