/**
 * Keeps the search that is wanted open. While the next one has said nothing the last one stays shown, for a
 * moment; one whose pattern is none is never shown, and the last good one goes on.
 */
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { SearchQuery } from '../../shared/api/query.ts';
import type { DocumentRef } from '../../shared/api/rows.ts';
import type { SpillwayError } from '../../shared/errors.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import { hasTold, isBadPattern, OpenSearch, type SearchSnapshot } from './open-search.ts';

/** Milliseconds the last results stay while the next say nothing: what is older would be taken for new. */
const LAST_STAYS = 150;

export interface Searched {
  search: OpenSearch | null;
  snapshot: SearchSnapshot;
  /** What is wrong with the pattern. */
  problem: SpillwayError | null;
}

const NOTHING: SearchSnapshot = { state: null, error: null, cancelled: false, caughtUp: false, total: 0 };
const noSubscription = () => () => {};
const nothing = () => NOTHING;

export function useOpenSearch(document: DocumentRef, query: SearchQuery | null): Searched {
  const connection = useConnection();
  const [search, setSearch] = useState<OpenSearch | null>(null);
  const [problem, setProblem] = useState<SpillwayError | null>(null);
  const shown = useRef<OpenSearch | null>(null);
  const key = query && JSON.stringify([document, query]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what the document and the query are
  useEffect(() => {
    // Offline: what was found stays on the screen until there is a host to ask again.
    if (!connection) return;
    const show = (next: OpenSearch | null) => {
      if (shown.current !== next) shown.current?.close();
      shown.current = next;
      setSearch(next);
    };
    setProblem(null);
    if (!query) return show(null);
    const next = new OpenSearch(connection, document, query);
    const look = () => {
      if (!hasTold(next)) return;
      stopLooking();
      if (isBadPattern(next)) setProblem(next.snapshot().error);
      else show(next);
    };
    const stopListening = next.subscribe(look);
    const timer = setTimeout(() => {
      stopListening();
      show(next);
    }, LAST_STAYS);
    const stopLooking = () => {
      stopListening();
      clearTimeout(timer);
    };
    return () => {
      stopLooking();
      if (shown.current !== next) next.close();
    };
  }, [connection, key]);

  useEffect(
    () => () => {
      shown.current?.close();
      shown.current = null;
    },
    [],
  );

  const snapshot = useSyncExternalStore(search?.subscribe ?? noSubscription, search?.snapshot ?? nothing);
  const late = search && isBadPattern(search) ? snapshot.error : null;
  return { search, snapshot, problem: problem ?? late };
}
