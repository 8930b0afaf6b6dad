/** A search that a window watches: begun at once, told as it gets on, and gone on with as the text grows. */
import type { SearchState } from '../../../shared/api/search.ts';
import type { Document } from '../documents/document.ts';
import type { Generation } from '../documents/generation.ts';
import { keepUp } from '../documents/keep-up.ts';
import type { FoundSearch } from './search-job.ts';

/** States are told at most this often, but for the first, the first with a match, and the last. */
const TELL_MS = 50;

/** The first match is drawn within this time, when nothing else keeps the processors. */
const FIRST_MATCH_MS = 40;

/** A search of a text, and what brings it up to date. */
export interface RunningSearch {
  job: FoundSearch;
  run(signal: AbortSignal, onProgress: () => void): Promise<void>;
}

/** Reads the first rows of what was found. */
export type FirstRows = (job: FoundSearch, signal: AbortSignal) => Promise<SearchState['first_rows']>;

/**
 * @param open returns the search of a text; `anew` as for `Searches.job`
 * @param firstRows null if nobody wants them
 */
export function watchSearch(
  document: Document,
  open: (generation: Generation, anew: boolean) => RunningSearch,
  firstRows: FirstRows | null,
  listener: (state: SearchState) => void,
  onError: (error: Error) => void,
): () => void {
  const stop = new AbortController();
  let anew = true;
  let told = Number.NEGATIVE_INFINITY;
  let toldOfMatch = false;
  const outlet = new Outlet(stop.signal, listener);
  const tell = (job: FoundSearch, last: boolean) => {
    const found = job.lines.size > 0;
    if (stop.signal.aborted || (!last && found === toldOfMatch && performance.now() - told < TELL_MS)) return;
    told = performance.now();
    const isFirst = found && !toldOfMatch;
    if (isFirst && !last) job.rest(FIRST_MATCH_MS);
    toldOfMatch = found;
    outlet.tell(stateOf(job, last), isFirst && firstRows ? firstRows(job, stop.signal) : null);
  };
  const searchOnce = () =>
    document.use('everything', async (generation) => {
      const { job, run } = open(generation, anew);
      anew = false;
      await run(stop.signal, () => tell(job, false));
      tell(job, true);
      // Then the file is looked at again.
      await outlet.settled;
    });
  return keepUp(document, stop, searchOnce, onError);
}

/** Tells states in order, of those that come while rows are read only the newest. */
class Outlet {
  readonly #signal: AbortSignal;
  readonly #listener: (state: SearchState) => void;
  #held: SearchState | null = null;
  #reading = false;
  settled: Promise<void> = Promise.resolve();

  constructor(signal: AbortSignal, listener: (state: SearchState) => void) {
    this.#signal = signal;
    this.#listener = listener;
  }

  tell(state: SearchState, rows: ReturnType<FirstRows> | null): void {
    if (this.#reading) this.#held = state;
    else if (rows) this.settled = this.#tellWith(rows, state);
    else this.#listener(state);
  }

  async #tellWith(rows: ReturnType<FirstRows>, state: SearchState): Promise<void> {
    this.#reading = true;
    // Without them, the window asks for the rows and learns what is wrong.
    const first_rows = await rows.catch(() => undefined);
    this.#reading = false;
    const [held] = [this.#held];
    this.#held = null;
    if (this.#signal.aborted) return;
    this.#listener(first_rows ? { ...state, first_rows } : state);
    if (held) this.#listener(held);
  }
}

function stateOf(job: FoundSearch, done: boolean): SearchState {
  return {
    generation: job.generation.number,
    searched_bytes: job.searchedBytes,
    total_bytes: job.generation.size,
    match_count: job.lines.size,
    row_counts: job.results.counts(),
    done,
    timed_out: job.timedOut,
    in_parts: job.inParts,
  };
}
