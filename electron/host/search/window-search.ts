/** Answers the window's search requests (shared/api/search.ts). */
import type * as z from 'zod';
import type { CountsParams, CountsResult } from '../../../shared/api/histogram.ts';
import type { DocumentRef, Row } from '../../../shared/api/rows.ts';
import type {
  AcrossEvent,
  AcrossRef,
  MatchCountsParams,
  MatchedRowsParams,
  MatchedRowsResult,
  MatchInLineParams,
  MatchInLineResult,
  NextMatchParams,
  SearchParams,
  SearchRef,
  SearchState,
} from '../../../shared/api/search.ts';
import { toSpillwayError } from '../../../shared/errors.ts';
import { MAX_LINE_CHARS } from '../../../shared/limits.ts';
import type { SearchQuery } from '../../../shared/search-query.ts';
import { expressionOf } from '../../search/expression.ts';
import { marksText } from '../../search/locate/match-finder.ts';
import { createBeat } from '../../workers/beat.ts';
import type { Pool } from '../../workers/pool.ts';
import type { Document } from '../documents/document.ts';
import type { Generation } from '../documents/generation.ts';
import type { FilterJob, FilterJobs } from '../filters/filter-job.ts';
import { SearchWithin } from '../filters/search-within.ts';
import type { Access, RequestOptions } from '../host.ts';
import { later } from '../in-order.ts';
import { grepPage } from '../views/grep-page.ts';
import { toldRows } from '../views/rows.ts';
import { countsBetween, matchCounts, matchedRows, nextMatch } from './matches.ts';
import { searchAcross } from './search-across.ts';
import type { FoundSearch, SearchJob } from './search-job.ts';
import type { Searches } from './searches.ts';
import { type RunningSearch, watchSearch } from './watch-search.ts';

export class WindowSearch {
  readonly #pool: Pool;
  readonly #searches: Searches;
  readonly #filters: FilterJobs;
  readonly #withins = new WeakMap<FilterJob, WeakMap<SearchJob, SearchWithin>>();
  readonly #documentOf: (ref: DocumentRef, access: Access) => Promise<Document>;

  constructor(
    pool: Pool,
    searches: Searches,
    filters: FilterJobs,
    documentOf: (ref: DocumentRef, access: Access) => Promise<Document>,
  ) {
    this.#pool = pool;
    this.#searches = searches;
    this.#filters = filters;
    this.#documentOf = documentOf;
  }

  watch(
    { first_rows, ...ref }: SearchParams,
    listener: (state: SearchState) => void,
    onError: (error: Error) => void,
  ): () => void {
    return later(this.#documentOf(ref.document, 'person'), onError, (document) => {
      // Throws for an invalid expression before anything is read.
      expressionOf(ref.query);
      return watchSearch(
        document,
        {
          open: (generation, anew) => this.#open(ref, generation, anew),
          firstRows: async (job, signal) =>
            first_rows && (await this.#rows(job, ref.query, { first: 0, ...first_rows }, signal)).lines,
        },
        listener,
        onError,
      );
    });
  }

  watchAcross(
    ref: AcrossRef,
    listener: (event: AcrossEvent) => void,
    onError: (error: Error) => void,
  ): () => void {
    const parts = { searches: this.#searches, documentOf: this.#documentOf };
    return later(Promise.resolve(), onError, () => searchAcross(ref, parts, listener, onError));
  }

  async matchedRows(
    { search, ...wanted }: z.infer<typeof MatchedRowsParams>,
    options?: RequestOptions,
  ): Promise<MatchedRowsResult> {
    return this.#searched(search, options, (job) => this.#rows(job, search.query, wanted, options?.signal));
  }

  async #rows(
    job: FoundSearch,
    query: SearchQuery,
    wanted: Omit<z.infer<typeof MatchedRowsParams>, 'search'>,
    signal: AbortSignal | undefined,
  ): Promise<MatchedRowsResult> {
    const found = await matchedRows(job, query, wanted, this.#pool, signal);
    const dated = await toldRows(
      found.lines.map(({ row }) => row),
      job.generation,
      this.#pool,
    );
    return { ...found, lines: found.lines.map((line, index) => ({ ...line, row: dated[index]! })) };
  }

  nextMatch({ search, line_number, direction }: z.infer<typeof NextMatchParams>, options?: RequestOptions) {
    return this.#searched(search, options, async (job) => nextMatch(job, line_number, direction));
  }

  async matchInLine(
    { search, line_number }: z.infer<typeof MatchInLineParams>,
    options?: RequestOptions,
  ): Promise<z.infer<typeof MatchInLineResult>> {
    return this.#searched(search, options, async ({ generation, lines }) => {
      const line = generation.numbers.from(line_number);
      if (lines.kth(lines.rank(line)) !== line) return { generation: generation.number, match: null };
      const { matches, content } = await grepPage(
        this.#pool,
        generation,
        {
          query: search.query,
          raw: false,
          lines: [line],
          beside: { before: undefined, behind: undefined },
          context: 0,
          maxLineChars: MAX_LINE_CHARS,
          maxChars: Number.POSITIVE_INFINITY,
        },
        options?.signal,
      );
      const [match] = matches;
      // The content is `number:text`.
      const text = content.slice(content.indexOf(':') + 1);
      return { generation: generation.number, match: match ? { ...match, text } : null };
    });
  }

  counts({ search, lines }: CountsParams, options?: RequestOptions): Promise<CountsResult> {
    return this.#searched(search, options, async (job) => countsBetween(job, lines));
  }

  matchCounts({ search, buckets }: z.infer<typeof MatchCountsParams>, options?: RequestOptions) {
    return this.#searched(search, options, async (job) => matchCounts(job, buckets));
  }

  /** Rows with where the query matches in them. An expression that gets nowhere leaves them unmarked. */
  async highlighted(
    rows: Row[],
    wanted: SearchQuery | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Row[]> {
    // Lines that were found by their level alone have nothing to mark.
    if (!wanted || !marksText(wanted) || rows.length === 0) return rows;
    const beat = createBeat();
    const texts = rows.map((row) => row.text);
    const matches = await this.#pool
      .run('highlight', { texts, query: wanted, beat }, { signal, beat })
      .catch((error) => {
        if (toSpillwayError(error).code === 'stalled') return null;
        throw error;
      });
    return matches ? rows.map((row, i) => ({ ...row, matches: matches[i]! })) : rows;
  }

  /** Runs `work` on the matches found so far in the current text. */
  async #searched<T>(
    ref: SearchRef,
    options: RequestOptions | undefined,
    work: (job: FoundSearch) => Promise<T>,
  ): Promise<T> {
    const document = await this.#documentOf(ref.document, options?.access ?? 'person');
    return document.use({ need: 'everything', asSeen: true, ...options }, (generation) =>
      work(this.#open(ref, generation, false).job),
    );
  }

  #open({ query, filter }: SearchRef, generation: Generation, anew: boolean): RunningSearch {
    const searches = this.#searches;
    const job = searches.job(generation, query, false, anew);
    if (filter) {
      const within = this.#within(job, this.#filters.job(generation, filter));
      return { job: within, run: (signal, onProgress) => within.run(signal, onProgress) };
    }
    return {
      job,
      async run(signal, onProgress) {
        const leave = job.onProgress(onProgress);
        try {
          await searches.complete(job, signal);
        } finally {
          leave();
        }
      },
    };
  }

  #within(job: SearchJob, filter: FilterJob): SearchWithin {
    const known = this.#withins.get(filter) ?? new WeakMap<SearchJob, SearchWithin>();
    this.#withins.set(filter, known);
    const within = known.get(job) ?? new SearchWithin(job, filter, this.#searches);
    known.set(job, within);
    return within;
  }
}
