/** Asks where long lines match whose rows show only their beginning. */
import { useCallback, useEffect, useMemo, useReducer } from 'react';
import { type DeepMatch, deepMatch } from '../../viewer/text/row-matches.ts';
import type { OpenSearch } from '../open-search.ts';

/** Each costs the host the reading of a line. */
const MAX_REQUESTS = 2;

class DeepMatches {
  readonly known = new Map<number, DeepMatch | null>();
  readonly #search: OpenSearch;
  readonly #generation: number | null;
  readonly #onChange: () => void;
  readonly #asked = new AbortController();
  #queue: number[] = [];
  #running = 0;

  constructor(search: OpenSearch, generation: number | null, onChange: () => void) {
    this.#search = search;
    this.#generation = generation;
    this.#onChange = onChange;
  }

  /** Asks for these lines, and no longer for others. */
  want(lines: readonly number[]): void {
    this.#queue = lines.filter((line) => !this.known.has(line));
    while (this.#queue.length > 0 && this.#running < MAX_REQUESTS) void this.#ask(this.#queue.shift()!);
  }

  close(): void {
    this.#asked.abort();
  }

  async #ask(line: number): Promise<void> {
    const { signal } = this.#asked;
    this.#running += 1;
    const found = await this.#search.matchInLine(line, signal).catch(() => undefined);
    this.#running -= 1;
    if (signal.aborted) return;
    // After an error the row stays as it is.
    const isOfText = found?.match && found.generation === this.#generation;
    this.known.set(line, isOfText ? deepMatch(found.match!) : null);
    this.#onChange();
    this.want(this.#queue);
  }
}

/** `want` asks for long lines in view without a match in their shown part; `of` returns what is known by now. */
export function useDeepMatches(search: OpenSearch | null, generation: number | null) {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const matches = useMemo(() => search && new DeepMatches(search, generation, redraw), [search, generation]);
  useEffect(() => () => matches?.close(), [matches]);
  const size = matches?.known.size ?? 0;
  return {
    size,
    want: useCallback((lines: readonly number[]) => matches?.want(lines), [matches]),
    // Another function when more is known: rows are memoised.
    // biome-ignore lint/correctness/useExhaustiveDependencies: the size tells that more is known
    of: useCallback((line: number) => matches?.known.get(line) ?? null, [matches, size]),
  };
}
