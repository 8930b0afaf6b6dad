/** Watches a search for a window: starts at once, sends events as it advances, and continues as the text grows. */
import type { MatchedRowsResult, SearchState } from '../../../shared/api/search.ts';
import type { Document } from '../documents/document.ts';
import type { Generation } from '../documents/generation.ts';
import { keepUp } from '../documents/keep-up.ts';
import type { FoundSearch } from './search-job.ts';

/** Shortest time between two events; the first, the first with a match, and the last are sent at once. */
const TELL_MS = 50;

/**
 * After its first match a search rests for this time. The match is drawn, and a quick typist presses the next key, for
 * which the processors are then free: its first match takes 39 ms instead of 63 at the 90th percentile.
 */
const REST_MS = 110;

/** A search of a text, and what brings it up to date. */
export interface RunningSearch {
  job: FoundSearch;
  run(signal: AbortSignal, onProgress: () => void): Promise<void>;
}

interface SearchActions {
  /** Returns the search of a text; `anew` as for `Searches.job`. */
  open(generation: Generation, anew: boolean): RunningSearch;
  /** Reads the rows sent with the first match; undefined if none were asked for. */
  firstRows(job: FoundSearch, signal: AbortSignal): Promise<MatchedRowsResult['lines'] | undefined>;
}

export function watchSearch(
  document: Document,
  { open, firstRows }: SearchActions,
  listener: (state: SearchState) => void,
  onError: (error: Error) => void,
): () => void {
  const stop = new AbortController();
  let anew = true;
  let told = Number.NEGATIVE_INFINITY;
  let toldOfMatch = false;
  let reading: Promise<void> | null = null;
  const tell = (job: FoundSearch, last: boolean): Promise<void> | null => {
    const found = job.lines.size > 0;
    const isNews = last || (!reading && (found !== toldOfMatch || performance.now() - told >= TELL_MS));
    if (stop.signal.aborted || !isNews) return null;
    told = performance.now();
    const isFirst = found && !toldOfMatch;
    toldOfMatch = found;
    if (!isFirst) {
      listener(stateOf(job, last));
      return null;
    }
    if (!last) job.rest(REST_MS);
    reading = firstRows(job, stop.signal)
      // The window asks for the rows again and then gets the error.
      .catch(() => undefined)
      .then((rows) => {
        reading = null;
        if (!stop.signal.aborted) listener({ ...stateOf(job, last), ...(rows && { first_rows: rows }) });
      });
    return reading;
  };
  const searchOnce = () =>
    document.use({ need: 'everything', asSeen: true }, async (generation) => {
      const { job, run } = open(generation, anew);
      anew = false;
      await run(stop.signal, () => void tell(job, false));
      await reading;
      await tell(job, true);
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
