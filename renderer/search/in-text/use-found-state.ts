/** The state of a search whose lines are not listed, and its counts for the ruler. */
import { useCallback, useEffect, useState } from 'react';
import type { LineFilter } from '../../../shared/api/filters.ts';
import type { DocumentRef } from '../../../shared/api/rows.ts';
import type { SearchState } from '../../../shared/api/search.ts';
import type { SearchQuery } from '../../../shared/search-query.ts';
import { useConnection } from '../../connection/HostProvider.tsx';
import { PacedListeners } from '../../viewer/document/paced-listeners.ts';
import type { FetchCounts } from './use-bucket-counts.ts';

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
      return connection.request('match_counts', { search: asked, buckets }, { signal });
    },
    [connection, key],
  );
  /** The first matching line after one; null without any. */
  const next = async (line_number: number): Promise<number | null> => {
    const params = { search: asked, line_number, direction: 'next' as const };
    return (await connection?.request('next_match', params))?.line_number ?? null;
  };
  return { state, fetch, next };
}
