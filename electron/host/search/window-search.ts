/** Answers the window's search requests (shared/api/search.ts). */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import type { DocumentRef, Row } from '../../../shared/api/rows.ts';
import type {
  AcrossEvent,
  AcrossRef,
  CountsParams,
  CountsResult,
  MatchCountsParams,
  MatchCountsResult,
  MatchedRowsParams,
  MatchedRowsResult,
  MatchInLineParams,
  MatchInLineResult,
  NextMatchParams,
  NextMatchResult,
  SearchParams,
  SearchRef,
  SearchState,
} from '../../../shared/api/search.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import { MAX_LINE_CHARS } from '../../../shared/limits.ts';
import {
  FREE,
  HIGHLIGHTERS,
  Highlighter,
  Highlighters,
  type HighlightParams,
  type HighlightResult,
  type SearchQuery,
} from '../../../shared/search-query.ts';
import { expressionOf } from '../../search/expression.ts';
import { marksText } from '../../search/match-finder.ts';
import { replaceFile } from '../../store/format/small-file.ts';
import { createBeat } from '../../workers/call-watch.ts';
import type { Pool } from '../../workers/pool.ts';
import type { Document } from '../documents/document.ts';
import type { Generation } from '../documents/generation.ts';
import type { Access, RequestOptions } from '../host.ts';
import { later } from '../in-order.ts';
import { rowsWithTimes } from '../views/dated-rows.ts';
import { grepPage } from '../views/grep.ts';
import { type FilterJob, type FilterJobs, SearchWithin } from './filter-job.ts';
import { searchAcross } from './search-across.ts';
import type { FoundSearch, Searches, SearchJob } from './search-job.ts';

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
    const dated = await rowsWithTimes(
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

// Watches a search for a window: starts at once, sends events as it advances, and continues as the text grows.

/** Shortest time between two events; the first, the first with a match, and the last are sent at once. */
const TELL_MS = 50;

/**
 * After its first match a search rests for this time. The match is drawn, and a quick typist presses the next key, for
 * which the processors are then free: its first match takes 39 ms instead of 63 at the 90th percentile.
 */
const REST_MS = 110;

/** A search of a text, and what brings it up to date. */
interface RunningSearch {
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
  let sentAt = Number.NEGATIVE_INFINITY;
  let reportedMatch = false;
  let reading: Promise<void> | null = null;
  const tell = (job: FoundSearch, last: boolean): Promise<void> | null => {
    const found = job.lines.size > 0;
    const isNews = last || (!reading && (found !== reportedMatch || performance.now() - sentAt >= TELL_MS));
    if (stop.signal.aborted || !isNews) return null;
    sentAt = performance.now();
    const isFirst = found && !reportedMatch;
    reportedMatch = found;
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

// Processes a text, and again whenever it has changed.

/** Pause before another try at a text that keeps changing. */
const CHANGED_REST_MS = 200;

/**
 * Calls `once` for the current text and after each change, one call at a time. Changes during a call cause one more
 * call. An error ends it and goes to `onError`; `changed` only causes another try. Returns a function that ends it and
 * aborts `stop`.
 */
export function keepUp(
  document: Document,
  stop: AbortController,
  once: () => Promise<void>,
  onError: (error: Error) => void,
): () => void {
  let running = false;
  let again = false;
  const run = async () => {
    again = true;
    if (running) return;
    running = true;
    try {
      while (again && !stop.signal.aborted) {
        again = false;
        await once().catch(async (error) => {
          if (toSpillwayError(error).code !== 'changed') throw error;
          await wait(CHANGED_REST_MS, undefined, { ref: false });
          again = true;
        });
      }
    } catch (error) {
      if (stop.signal.aborted) return;
      stop.abort();
      unwatch();
      onError(toSpillwayError(error));
    } finally {
      running = false;
    }
  };
  let seen = '';
  const unwatch = document.watch((state) => {
    // States also change for other reasons. A vanished file is still read through its descriptor.
    const now = `${state.generation}/${state.total_bytes}`;
    if (now === seen) return;
    seen = now;
    void run();
  }, onError);
  return () => {
    stop.abort();
    unwatch();
  };
}

// Questions about a search that is under way or done: pages of what it found, the next match, where they lie.

/** Rows of the results with what matches in them. Where an expression gets nowhere, nothing is marked. */
export async function matchedRows(
  job: FoundSearch,
  query: SearchQuery,
  wanted: { first: number; count: number; context?: number | undefined },
  pool: Pool,
  signal?: AbortSignal,
): Promise<MatchedRowsResult> {
  const found = job.results.page(wanted.context ?? 0, wanted.first, wanted.count);
  const { numbers } = job.generation;
  const lines = found.map(({ line }) => line);
  const text = { ...job.generation.text(), lines };
  const matching = found.map(({ match }) => match !== null);
  const beat = createBeat();
  const plain = () => pool.run('rowsOf', text, { signal });
  const rows = marksText(query)
    ? await pool
        .run('matchedRows', { ...text, matching, query, beat }, { signal, beat })
        .catch((error) => (toSpillwayError(error).code === 'stalled' ? plain() : Promise.reject(error)))
    : await plain();
  return {
    generation: job.generation.number,
    match_count: job.lines.size,
    lines: rows.map((row, i) => {
      const { line, match } = found[i]!;
      return { line_number: numbers.shown(line), match, row };
    }),
  };
}

function nextMatch(
  job: FoundSearch,
  from: number,
  direction: 'next' | 'previous',
): z.infer<typeof NextMatchResult> {
  const { lines } = job;
  const { numbers } = job.generation;
  const index = direction === 'next' ? lines.rank(numbers.to(from) + 1) : lines.rank(numbers.from(from)) - 1;
  const line = lines.kth(index);
  return {
    line_number: numbers.shownOrNull(line ?? null),
    index: line === undefined ? null : index,
    rows: line === undefined ? null : job.results.placesOf(line),
    match_count: lines.size,
  };
}

function matchCounts(job: FoundSearch, buckets: number): z.infer<typeof MatchCountsResult> {
  const { numbers } = job.generation;
  const counts: number[] = [];
  let before = 0;
  for (let i = 1; i <= buckets; i += 1) {
    const upTo = job.lines.rank(numbers.to(Math.floor((numbers.total * i) / buckets)) + 1);
    counts.push(upTo - before);
    before = upTo;
  }
  return { generation: job.generation.number, counts };
}

/** Matches from each of the lines, as shown, up to the one before the next. */
function countsBetween(job: FoundSearch, lines: readonly number[]): CountsResult {
  const { numbers } = job.generation;
  const { lines: found } = job;
  const before = lines.map((line) => found.rank(numbers.from(line)));
  return {
    generation: job.generation.number,
    counts: before.slice(1).map((upTo, i) => upTo - before[i]!),
  };
}

// Finds where several queries match in texts. An expression that is not valid or gets nowhere matches nothing.

/** Expressions that got nowhere: each try costs seconds of a thread. */
const gotNowhere = new Set<string>();
const MAX_REMEMBERED = 100;
const NOWHERE = 'the expression stopped making progress: simplify it';

export async function highlightTexts(
  pool: Pool,
  { texts, queries }: HighlightParams,
  signal: AbortSignal | undefined,
): Promise<HighlightResult> {
  const found = await Promise.all(queries.map((query) => highlightOne(pool, texts, query, signal)));
  return { matches: found.map(({ matches }) => matches), problems: found.map(({ problem }) => problem) };
}

async function highlightOne(
  pool: Pool,
  texts: readonly string[],
  query: SearchQuery,
  signal: AbortSignal | undefined,
): Promise<{ matches: number[][] | null; problem: string | null }> {
  const key = JSON.stringify(query);
  if (gotNowhere.has(key)) return { matches: null, problem: NOWHERE };
  try {
    expressionOf(query);
    const beat = createBeat();
    return { matches: await pool.run('highlight', { texts, query, beat }, { signal, beat }), problem: null };
  } catch (error) {
    const { code, what } = toSpillwayError(error);
    if (code === 'usage') return { matches: null, problem: what };
    if (code !== 'stalled') throw error;
    if (gotNowhere.size >= MAX_REMEMBERED) gotNowhere.clear();
    gotNowhere.add(key);
    return { matches: null, problem: NOWHERE };
  }
}

// Keeps a person's highlighters: `highlighters.json` in the home.

/** In the file `regex` stands for `fixed`, as earlier versions write and read it. */
const StoredHighlighter = Highlighter.omit({ fixed: true })
  .extend({ regex: z.boolean() })
  .transform(({ regex, ...rest }): Highlighter => ({ ...rest, fixed: !regex }));

/** Returns ten highlighters; missing or invalid ones are free slots. */
export function readHighlighters(home: string): Highlighter[] {
  let stored: unknown = [];
  try {
    stored = JSON.parse(readFileSync(fileOf(home), 'utf8'));
  } catch {
    // None were kept.
  }
  const list = Array.isArray(stored) ? stored : [];
  return Array.from({ length: HIGHLIGHTERS }, (_, at) => StoredHighlighter.safeParse(list[at]).data ?? FREE);
}

/** Throws `home` where the file cannot be written. */
export function writeHighlighters(home: string, highlighters: readonly Highlighter[]): void {
  const stored: z.input<typeof StoredHighlighter>[] = Highlighters.parse(highlighters).map(
    ({ fixed, ...rest }) => ({ ...rest, regex: !fixed }),
  );
  try {
    replaceFile(fileOf(home), `${JSON.stringify(stored, null, 2)}\n`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SpillwayError('home', `highlighters could not be saved (${code})`, `make ${home} writable`);
  }
}

function fileOf(home: string): string {
  return join(home, 'highlighters.json');
}
