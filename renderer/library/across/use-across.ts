/** Runs one search through the listed artifacts, and returns its counts so far. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { type FoundIn, MAX_ACROSS } from '../../../shared/api/across.ts';
import { toSpillwayError } from '../../../shared/errors.ts';
import type { SearchQuery } from '../../../shared/search-query.ts';
import { formatCount, plural } from '../../../shared/text/format.ts';
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

/** Returns the state in words. An artifact counts as found before all of it is searched. */
export function acrossWords({ found, searched, unreadable, total, step }: AcrossState): string {
  if (total === 0) return step === 'searching' ? '' : 'Nothing is listed';
  let lines = 0;
  for (const { match_count } of found.values()) lines += match_count;
  const matches = `${plural(lines, 'matching line')} in ${formatCount(found.size)} of ${plural(total, 'item')}`;
  const rest = restWords(step, total - searched);
  const unread = unreadable > 0 ? `; ${formatCount(unreadable)} binary or not readable` : '';
  const capped = total === MAX_ACROSS ? `; only the first ${formatCount(MAX_ACROSS)}` : '';
  return `${matches}${rest}${unread}${capped}`;
}

function restWords(step: AcrossState['step'], left: number): string {
  if (step === 'searching') return `, ${formatCount(left)} to go`;
  return left > 0 ? `, ${formatCount(left)} not searched` : '';
}
