/** Keeps the search that is wanted open, and shows what search-switch.ts says is to be shown. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { LineFilter } from '../../shared/api/filters.ts';
import type { DocumentRef } from '../../shared/api/rows.ts';
import type { SpillwayError } from '../../shared/errors.ts';
import type { SearchQuery } from '../../shared/search-query.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import { isBadPattern, NOTHING_YET, OpenSearch, type SearchSnapshot } from './open-search.ts';
import { SearchSwitch } from './search-switch.ts';

export interface Searched {
  search: OpenSearch | null;
  snapshot: SearchSnapshot;
  /** The error of an invalid pattern. */
  problem: SpillwayError | null;
}

const noSubscription = () => () => {};
const nothing = () => NOTHING_YET;

/** @param context lines around each match, as the results of a search that is begun list them */
export function useOpenSearch(
  document: DocumentRef,
  query: SearchQuery | null,
  context: number,
  filter: LineFilter | null = null,
): Searched {
  const connection = useConnection();
  const [search, setSearch] = useState<OpenSearch | null>(null);
  const [problem, setProblem] = useState<SpillwayError | null>(null);
  const [shown] = useState(() => new SearchSwitch(setSearch, setProblem));
  const key = query && JSON.stringify([document, query, filter]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what the document and the query are
  useEffect(() => {
    // Offline: what was found stays on the screen until there is a host to ask again.
    if (!connection) return;
    return shown.begin(query && new OpenSearch(connection, document, query, context, filter));
  }, [shown, connection, key]);

  useEffect(() => () => shown.close(), [shown]);

  const snapshot = useSyncExternalStore(search?.subscribe ?? noSubscription, search?.snapshot ?? nothing);
  const late = search && isBadPattern(search) ? snapshot.error : null;
  return { search, snapshot, problem: problem ?? late };
}
