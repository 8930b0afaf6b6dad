/** Answers the window's requests on filters (shared/api/filters.ts). */
import type { FilterRef, FilterState, RowsOfParams } from '../../../shared/api/filters.ts';
import type { DocumentRef, RowsResult } from '../../../shared/api/rows.ts';
import type { Pool } from '../../workers/pool.ts';
import type { Document } from '../documents/document.ts';
import type { Generation } from '../documents/generation.ts';
import type { Access, RequestOptions } from '../host.ts';
import { later } from '../in-order.ts';
import type { WindowSearch } from '../search/window-search.ts';
import { toldRows } from '../views/rows.ts';
import type { FilterJobs } from './filter-job.ts';
import { watchFilter } from './watch-filter.ts';

interface FiltersOptions {
  pool: Pool;
  jobs: FilterJobs;
  search: WindowSearch;
  documentOf: (ref: DocumentRef, access: Access) => Promise<Document>;
}

export class WindowFilters {
  readonly #options: FiltersOptions;

  constructor(options: FiltersOptions) {
    this.#options = options;
  }

  watch(
    { document: ref, filter }: FilterRef,
    listener: (state: FilterState) => void,
    onError: (error: Error) => void,
  ): () => void {
    return later(this.#options.documentOf(ref, 'person'), onError, (document) =>
      watchFilter(document, (generation) => this.#options.jobs.job(generation, filter), listener, onError),
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
      const found = await pool.run('rowsOf', { ...generation.text(), lines: stored }, { signal });
      const told = await toldRows(found, generation, pool);
      const rows = await search.highlighted(told, highlight, signal);
      return { generation: generation.number, start_line: lines[0]!, rows };
    });
  }
}
