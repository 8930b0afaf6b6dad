/** The searches of a host: asking again, or for the next page, does not search again. */
import { cancelledRequest } from '../../../shared/errors.ts';
import type { SearchQuery } from '../../../shared/search-query.ts';
import type { Pool } from '../../workers/pool.ts';
import type { Generation } from '../documents/generation.ts';
import { SearchJob } from './search-job.ts';

/** Searches kept for a generation; a set of lines takes a few megabytes at the most. */
const KEPT_SEARCHES = 24;

export class Searches {
  readonly #pool: Pool;
  readonly #jobs = new WeakMap<Generation, Map<string, SearchJob>>();
  readonly #running = new WeakMap<
    SearchJob,
    { promise: Promise<void>; users: number; stop: AbortController }
  >();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /**
   * Returns the query's search of the text, with its matches so far. `anew` marks a new question: a search that was
   * given up is then tried once more, since the machine may have been busy. Further pages are asked for without it.
   */
  job(generation: Generation, query: SearchQuery, raw: boolean, anew = false): SearchJob {
    const jobs = this.#jobs.get(generation) ?? new Map<string, SearchJob>();
    this.#jobs.set(generation, jobs);
    const key = JSON.stringify([query, raw]);
    const last = jobs.get(key);
    const known = anew && last?.timedOut && !this.#running.has(last) ? undefined : last;
    // Used last, forgotten last.
    jobs.delete(key);
    const job = known ?? this.#begin(generation, query, raw, anew);
    jobs.set(key, job);
    if (jobs.size > KEPT_SEARCHES) jobs.delete(jobs.keys().next().value!);
    return job;
  }

  #begin(generation: Generation, query: SearchQuery, raw: boolean, anew: boolean): SearchJob {
    const jobs = query.within?.map((term) => this.job(generation, term, raw, anew));
    const complete = (job: SearchJob, signal: AbortSignal) => this.complete(job, signal);
    const within = jobs && { jobs, complete };
    return new SearchJob(generation, { query, raw, pool: this.#pool, ...(within ? { within } : {}) });
  }

  /** Brings the search up to date. Concurrent callers share the work; it stops when the last of them gives up. */
  async complete(job: SearchJob, signal?: AbortSignal): Promise<void> {
    while (!job.complete) {
      let run = this.#running.get(job);
      if (run?.stop.signal.aborted) {
        // Every earlier caller cancelled it: let it end, and start another.
        await run.promise.catch(() => {});
        continue;
      }
      if (!run) {
        const stop = new AbortController();
        run = { promise: job.run(stop.signal).finally(() => this.#running.delete(job)), users: 0, stop };
        this.#running.set(job, run);
      }
      await this.#share(run, signal);
    }
  }

  async #share(
    run: { promise: Promise<void>; users: number; stop: AbortController },
    signal?: AbortSignal,
  ): Promise<void> {
    run.users += 1;
    let leave = () => {};
    const left = new Promise<never>((_, reject) => {
      leave = () => {
        run.users -= 1;
        if (run.users === 0) run.stop.abort();
        reject(cancelledRequest());
      };
    });
    if (signal?.aborted) leave();
    else signal?.addEventListener('abort', leave, { once: true });
    try {
      // Others may go on with it.
      await Promise.race([run.promise, left]);
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }
}
