/** The state of a search whose lines are not listed, and in which parts of the text its matches are. */

import { useCallback, useEffect, useRef, useState } from 'react';
import type { RequestResult } from '../../../shared/api/api.ts';
import type { LineFilter } from '../../../shared/api/filters.ts';
import type { DocumentRef } from '../../../shared/api/rows.ts';
import type { SearchState } from '../../../shared/api/search.ts';
import type { SearchQuery } from '../../../shared/search-query.ts';
import { useConnection } from '../../connection/HostProvider.tsx';
import { PacedListeners } from '../../viewer/document/paced-listeners.ts';
import { MAX_BUCKETS, type RulerScale } from '../../viewer/scrolling/Ruler.tsx';

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

export type FetchCounts = (buckets: number, signal: AbortSignal) => Promise<RequestResult<'matchCounts'>>;

/** @param fetch the same function as long as it is the same search */
export function useBucketCounts(
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
