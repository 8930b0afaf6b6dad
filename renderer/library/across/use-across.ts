/** Runs one search through the listed artifacts, and returns its counts so far. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { type FoundIn, MAX_ACROSS } from '../../../shared/api/across.ts';
import { toSpillwayError } from '../../../shared/errors.ts';
import type { SearchQuery } from '../../../shared/search-query.ts';
import { useConnection } from '../../connection/HostProvider.tsx';

export interface AcrossState {
  /** By artifact id, without artifacts that have no match. */
  found: ReadonlyMap<string, FoundIn>;
  searched: number;
  unreadable: number;
  /** Artifacts to search. */
  total: number;
  step: 'searching' | 'done' | 'cancelled';
  problem: string | null;
}

/** Milliseconds without typing before a search begins. */
const TYPING_PAUSE_MS = 200;

/**
 * @param query null to search nothing
 * @param ids returns the listed artifacts; called when a search begins
 * @param question a change starts the search again
 */
export function useAcross(query: SearchQuery | null, ids: () => readonly string[], question: string) {
  const connection = useConnection();
  const [state, setState] = useState<AcrossState>(NOTHING);
  const [round, setRound] = useState(0);
  const stop = useRef(() => {});
  const key = query && JSON.stringify([query, question, round]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what is searched for, and where
  useEffect(() => {
    if (!connection || !query) return;
    const begin = () => {
      const wanted = ids().slice(0, MAX_ACROSS);
      setState({ ...NOTHING, total: wanted.length, step: 'searching' });
      stop.current = connection.subscribe(
        'search_across',
        { query, artifact_ids: [...wanted] },
        ({ found, searched, unreadable, done }) =>
          setState((last) => {
            const all = new Map(last.found);
            for (const each of found) all.set(each.artifact_id, each);
            return { ...last, found: all, searched, unreadable, step: done ? 'done' : 'searching' };
          }),
        (error) => setState((last) => ({ ...last, step: 'done', problem: toSpillwayError(error).message })),
      );
    };
    const timer = setTimeout(begin, TYPING_PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.current();
      stop.current = () => {};
    };
  }, [connection, key]);

  const cancel = useCallback(() => {
    stop.current();
    setState((last) => ({ ...last, step: 'cancelled' }));
  }, []);
  const again = useCallback(() => setRound((last) => last + 1), []);
  return { state, cancel, again };
}

const NOTHING: AcrossState = {
  found: new Map(),
  searched: 0,
  unreadable: 0,
  total: 0,
  step: 'searching',
  problem: null,
};
