/** Caches a host's filters, so that requesting the same filter of a text again does not search again. */
import type { LineFilter } from '../../../shared/api/filters.ts';
import type { Generation } from '../documents/generation.ts';
import type { Searches } from '../search/searches.ts';
import { FilterJob } from './filter-job.ts';

/** Most filters to keep for a text. */
const KEPT_FILTERS = 8;

export class FilterJobs {
  readonly #searches: Searches;
  readonly #jobs = new WeakMap<Generation, Map<string, FilterJob>>();

  constructor(searches: Searches) {
    this.#searches = searches;
  }

  /** Returns the job of this filter on this text, with its results so far. */
  job(generation: Generation, filter: LineFilter): FilterJob {
    const jobs = this.#jobs.get(generation) ?? new Map<string, FilterJob>();
    this.#jobs.set(generation, jobs);
    const key = JSON.stringify(filter);
    const job = jobs.get(key) ?? new FilterJob(generation, filter, this.#searches);
    jobs.delete(key);
    jobs.set(key, job);
    if (jobs.size > KEPT_FILTERS) jobs.delete(jobs.keys().next().value!);
    return job;
  }
}
