/** The filters of a host, and their rows for the window. */
import type { FilterRef, FilterState, LineFilter, RowsOfParams } from '../../../shared/api/filters.ts';
import type { DocumentRef, RowsResult } from '../../../shared/api/rows.ts';
import type { Pool } from '../../workers/pool.ts';
import type { Document } from '../documents/document.ts';
import type { Generation } from '../documents/generation.ts';
import type { Access, RequestOptions } from '../host.ts';
import { later } from '../later.ts';
import type { Searches } from '../search/searches.ts';
import type { WindowSearch } from '../search/window-search.ts';
import { withArrivals } from '../views/rows.ts';
import { FilterJob } from './filter-job.ts';
import { watchFilter } from './watch-filter.ts';

/** Filters kept for a text. */
const KEPT = 4;

export interface FiltersOptions {
  pool: Pool;
  searches: Searches;
  search: WindowSearch;
  documentOf: (ref: DocumentRef, access: Access) => Promise<Document>;
}

export class Filters {
  readonly #options: FiltersOptions;
  readonly #jobs = new WeakMap<Generation, Map<string, FilterJob>>();

  constructor(options: FiltersOptions) {
    this.#options = options;
  }

  /** Returns the filter of the text, with what it has found so far. */
  job(generation: Generation, filter: LineFilter): FilterJob {
    const jobs = this.#jobs.get(generation) ?? new Map<string, FilterJob>();
    this.#jobs.set(generation, jobs);
    const key = JSON.stringify(filter);
    const job = jobs.get(key) ?? new FilterJob(generation, filter, this.#options.searches);
    jobs.delete(key);
    jobs.set(key, job);
    if (jobs.size > KEPT) jobs.delete(jobs.keys().next().value!);
    return job;
  }

  watch(
    { document: ref, filter }: FilterRef,
    listener: (state: FilterState) => void,
    onError: (error: Error) => void,
  ): () => void {
    return later(this.#options.documentOf(ref, 'person'), onError, (document) =>
      watchFilter(document, (generation) => this.job(generation, filter), listener, onError),
    );
  }

  async rowsOf(
    { document: ref, lines, highlight }: RowsOfParams,
    options?: RequestOptions,
  ): Promise<RowsResult> {
    const { pool, search, documentOf } = this.#options;
    const { signal } = options ?? {};
    const document = await documentOf(ref, options?.access ?? 'person');
    const last = lines.at(-1)!;
    const need = (generation: Generation) =>
      generation.gaps.length > 0 ? ('everything' as const) : { line: last - 1 };
    return document.use({ need, ...options }, async (generation) => {
      const { numbers } = generation;
      const stored = lines.map((line) => numbers.from(line)).filter((line) => line <= numbers.stored);
      const found = await pool.run('rowsOf', { ...generation.stream(), lines: stored }, { signal });
      const rows = await search.highlighted(withArrivals(found, generation), highlight, signal);
      return { generation: generation.number, start_line: lines[0]!, rows };
    });
  }
}
