/** A column of the ruler for the lines that a query finds, without listing them. */
import { useCallback, useEffect, useState } from 'react';
import type { DocumentRef } from '../../../shared/api/rows.ts';
import type { SearchState } from '../../../shared/api/search.ts';
import type { SearchQuery } from '../../../shared/search-query.ts';
import { useConnection } from '../../connection/HostProvider.tsx';
import { Lane, type LaneKind } from '../../viewer/ruler/Lane.tsx';
import type { RulerScale } from '../../viewer/ruler/Ruler.tsx';
import { type FetchCounts, useBucketCounts } from './use-bucket-counts.ts';

interface FoundLaneProps {
  kind: LaneKind;
  document: DocumentRef;
  query: SearchQuery;
  scale: RulerScale;
  colour?: string;
  onLine: (line: number) => void;
}

export function FoundLane({ kind, document, query, scale, colour, onLine }: FoundLaneProps) {
  const connection = useConnection();
  const [state, setState] = useState<SearchState | null>(null);
  useEffect(() => {
    setState(null);
    // Without an answer the column stays empty; the search itself tells what is wrong.
    return connection?.subscribe('search', { document, query }, setState, () => {});
  }, [connection, document, query]);
  const fetch: FetchCounts = useCallback(
    (buckets, signal) => {
      if (!connection) return Promise.reject(new Error('offline'));
      return connection.request('match_marks', { search: { document, query }, buckets }, { signal });
    },
    [connection, document, query],
  );
  const counts = useBucketCounts(state, fetch, scale);
  const show = (before: number) => {
    const params = { search: { document, query }, line_number: before, direction: 'next' as const };
    connection?.request('next_match', params).then(
      ({ line_number }) => line_number !== null && onLine(line_number),
      () => {},
    );
  };
  return <Lane kind={kind} counts={counts} scale={scale} colour={colour} onShow={show} />;
}
