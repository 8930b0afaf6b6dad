/** Keeps the search that is wanted open, and shows what search-switch.ts says is to be shown. */
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import type { Connection } from '../../shared/api/api.ts';
import type { LineFilter } from '../../shared/api/filters.ts';
import type { DocumentRef } from '../../shared/api/rows.ts';
import type { SpillwayError } from '../../shared/errors.ts';
import type { SearchQuery } from '../../shared/search-query.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import { noSubscription } from '../ui/state/store.ts';
import { NOTHING_YET, OpenSearch, type OpenSearchOptions, type SearchSnapshot } from './open-search.ts';
import { isBadPattern } from './search-phases.ts';
import { SearchSwitch } from './search-switch.ts';

interface Searched {
  search: OpenSearch | null;
  snapshot: SearchSnapshot;
  /** The error of an invalid pattern. */
  problem: SpillwayError | null;
  /** Begins the search of a query that is about to be rendered: the host works while the page draws the key. */
  beginEarly(query: SearchQuery | null): void;
}

const nothing = () => NOTHING_YET;

/** A change of `options.filter` begins another search; the other options are for searches that are begun later. */
export function useOpenSearch(
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
