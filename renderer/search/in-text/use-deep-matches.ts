/** Asks where long lines match whose rows show only their beginning. */
import { useCallback, useEffect, useReducer, useRef } from 'react';
import { type DeepMatch, deepMatch } from '../../viewer/text/row-matches.ts';
import type { OpenSearch } from '../open-search.ts';

/** Each costs the host the reading of a line. */
const MAX_REQUESTS = 2;

interface Known {
  search: OpenSearch | null;
  generation: number | null;
  matches: Map<number, DeepMatch | null>;
}

/**
 * @param lines long lines in view without a match in their shown part
 * @returns the match of each line that is known by now
 */
export function useDeepMatches(
  search: OpenSearch | null,
  generation: number | null,
  lines: readonly number[],
): (line: number) => DeepMatch | null {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const known = useRef<Known>({ search, generation, matches: new Map() });
  if (known.current.search !== search || known.current.generation !== generation)
    known.current = { search, generation, matches: new Map() };
  const { matches } = known.current;
  const missing = lines.filter((line) => !matches.has(line));
  const key = missing.join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key names the lines
  useEffect(() => {
    if (!search || missing.length === 0) return;
    const request = new AbortController();
    const queue = [...missing];
    const ask = async (): Promise<void> => {
      const line = queue.shift();
      if (line === undefined || request.signal.aborted) return;
      const found = await search.matchInLine(line, request.signal).catch(() => undefined);
      if (request.signal.aborted) return;
      // After an error the row stays as it is.
      matches.set(line, found?.match && found.generation === generation ? deepMatch(found.match) : null);
      redraw();
      await ask();
    };
    for (let each = 0; each < MAX_REQUESTS; each += 1) void ask();
    return () => request.abort();
  }, [search, generation, matches, key]);
  const { size } = matches;
  // Another function when more is known: rows are memoised.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the size tells that more is known
  return useCallback((line: number) => matches.get(line) ?? null, [matches, size]);
}
