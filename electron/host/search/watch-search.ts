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

/** @param open returns the search of a text; `anew` as for `Searches.job` */
export function watchSearch(
  document: Document,
  open: (generation: Generation, anew: boolean) => RunningSearch,
  listener: (state: SearchState) => void,
  onError: (error: Error) => void,
): () => void {
  const stop = new AbortController();
  let anew = true;
  let told = Number.NEGATIVE_INFINITY;
  let toldOfMatch = false;
  const tell = (job: FoundSearch, last: boolean) => {
    const found = job.lines.size > 0;
    if (stop.signal.aborted || (!last && found === toldOfMatch && performance.now() - told < TELL_MS)) return;
    told = performance.now();
    if (found && !toldOfMatch && !last) job.rest(FIRST_MATCH_MS);
    toldOfMatch = found;
    listener(stateOf(job, last));
  };
  const searchOnce = () =>
    document.use('everything', async (generation) => {
      const { job, run } = open(generation, anew);
      anew = false;
      await run(stop.signal, () => tell(job, false));
      tell(job, true);
    });
  return keepUp(document, stop, searchOnce, onError);
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
