/** The state of a search whose lines are not listed, and its counts for the ruler. */
import { useCallback, useEffect, useState } from 'react';
import type { DocumentRef } from '../../../shared/api/rows.ts';
import type { SearchState } from '../../../shared/api/search.ts';
import type { SearchQuery } from '../../../shared/search-query.ts';
import { useConnection } from '../../connection/HostProvider.tsx';
import type { FetchCounts } from './use-bucket-counts.ts';

export function useFoundState(document: DocumentRef, query: SearchQuery) {
  const connection = useConnection();
  const [state, setState] = useState<SearchState | null>(null);
  const key = JSON.stringify([document, query]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what is searched for
  useEffect(() => {
    setState(null);
    // Without an answer nothing is told; the search itself says what is wrong when it is shown.
    return connection?.subscribe('search', { document, query }, setState, () => {});
  }, [connection, key]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  const fetch: FetchCounts = useCallback(
    (buckets, signal) => {
      if (!connection) return Promise.reject(new Error('offline'));
      return connection.request('match_marks', { search: { document, query }, buckets }, { signal });
    },
    [connection, key],
  );
  /** The first matching line after one; null without any. */
  const next = async (line_number: number): Promise<number | null> => {
    const params = { search: { document, query }, line_number, direction: 'next' as const };
    return (await connection?.request('next_match', params))?.line_number ?? null;
  };
  return { state, fetch, next };
}
