/**
 * One search of one text. Threads search stretches in parallel; results are added in order, so that all matches up to
 * some line are always known. When the text grows, only the new part is searched.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { cancelledRequest, toSpillwayError } from '../../../shared/errors.ts';
import { MAX_RESULT_CONTEXT } from '../../../shared/limits.ts';
import { LineSet } from '../../../shared/line-set.ts';
import { firstBytesOf } from '../../reader/bytes/streams.ts';
import { BLOCK_BYTES, BlockIndex } from '../../reader/lines/block-index.ts';
import type { LineGap } from '../../reader/lines/line-gaps.ts';
import { planStretches, type StretchSizes } from '../../reader/lines/stretches.ts';
import { Dilation } from '../../search/dilation.ts';
import type { LineQuery } from '../../search/plan.ts';
import type { LineCut, StretchResult } from '../../search/search-stretch.ts';
import { createBeat } from '../../workers/call-watch.ts';
import type { Pool } from '../../workers/pool.ts';
import type { TextHandle } from '../../workers/tasks.ts';
import type { Generation } from '../documents/generation.ts';
import { runInOrder } from '../in-order.ts';

interface SearchOptions {
  query: LineQuery;
  raw: boolean;
  pool: Pool;
  /** Searches of the same text: only lines that all of them find count. `complete` brings one up to date. */
  within?: { jobs: readonly SearchJob[]; complete: (job: SearchJob, signal: AbortSignal) => Promise<void> };
}

/** After so many stretches in a row on which the expression got nowhere, it is believed to get nowhere. */
const STALLED_IN_A_ROW = 2;
/** And after so many for each thread in all: each has cost two seconds. */
const STALLED_EACH = 2;

/** The first stretches are short, for early matches. */
const SIZES: StretchSizes = {
  first: (256 * 1024) / BLOCK_BYTES,
  most: (32 * 1024 * 1024) / BLOCK_BYTES,
};

/**
 * The first stretch waits for no other work, as somebody waits for its match: a stretch of another search, such as the
 * one for the ruler's errors, keeps a thread for 60 ms.
 */
const AWAITED_BYTES = 2 * SIZES.first * BLOCK_BYTES;

/** The results of a search so far. */
export interface FoundSearch {
  readonly generation: Generation;
  /** Matching lines, by stored number. */
  readonly lines: LineSet;
  /** The matches as rows for the window. */
  readonly results: ResultRows;
  readonly searchedBytes: number;
  readonly timedOut: boolean;
  readonly inParts: boolean;
  rest(ms: number): void;
}

interface Stretch {
  start: LineCut | null;
  end: LineCut | null;
  /** Bytes of the text that are searched once this one and all before are. */
  bytes: number;
}

export class SearchJob implements FoundSearch {
  readonly generation: Generation;
  /** The matches as rows for the window. */
  readonly results = new ResultRows(() => this.#found());
  readonly #options: SearchOptions;
  #set = new LineSet();
  /** Where the last line that was searched begins, and its number: it may still grow. */
  #from: { offset: number; line: number } = { offset: 0, line: 1 };
  #searchedBytes = 0;
  #stalled = 0;
  #stalledInARow = 0;
  #inParts = false;
  #rest: Promise<void> | null = null;
  readonly #listeners = new Set<() => void>();

  constructor(generation: Generation, options: SearchOptions) {
    this.generation = generation;
    this.#options = options;
  }

  /** Matching lines in the bytes searched so far. */
  get lines(): LineSet {
    return this.#set;
  }

  get searchedBytes(): number {
    return this.#searchedBytes;
  }

  /** The expression made no progress on some stretches, which were skipped. The matches in the rest are valid. */
  get timedOut(): boolean {
    return this.#stalled > 0 || this.#within.some((job) => job.timedOut);
  }

  /** A line was too long to be searched in one piece. */
  get inParts(): boolean {
    return this.#inParts || this.#within.some((job) => job.inParts);
  }

  get #within(): readonly SearchJob[] {
    return this.#options.within?.jobs ?? [];
  }

  /** All indexed lines were searched. Newer ones are searched once they are indexed. */
  get complete(): boolean {
    return this.#searchedBytes >= this.generation.index.indexedBytes || this.#hopeless;
  }

  get #hopeless(): boolean {
    const most = STALLED_EACH * this.#options.pool.bulkWidth;
    return this.#stalledInARow >= STALLED_IN_A_ROW || this.#stalled >= most;
  }

  /** Begins no stretch for so many milliseconds, so that drawing the matches gets the processor. */
  rest(ms: number): void {
    this.#rest = wait(ms);
  }

  /** Calls the listener when more has been searched, until the returned function is called. */
  onProgress(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Searches the indexed lines not searched yet. Rejects with `cancelled` or `usage`. */
  async run(signal?: AbortSignal): Promise<void> {
    if (this.complete) return;
    const { query, raw, pool } = this.#options;
    const text = countedPart(this.generation.text());
    const index = new BlockIndex(text.index);
    let lastLine: Promise<{ offset: number; line: number }> | null = null;
    const giveUp = new AbortController();
    const stop = () => giveUp.abort();
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
    try {
      // The line that was last may have grown since, and a search that was stopped may have left some: all that is
      // from there on is searched again.
      for (const job of this.#within) await this.#options.within!.complete(job, giveUp.signal);
      this.#set = this.#set.below(this.#from.line);
      this.results.rewind(this.#from.line);
      await runInOrder(
        this.#stretches(index),
        pool.bulkWidth,
        async ({ start, end, bytes }) => {
          await this.#rest;
          const beat = createBeat();
          const request = { query, raw, start, end };
          const priority = bytes <= AWAITED_BYTES ? 'view' : 'bulk';
          const result = await pool
            .run('search', { ...text, request, beat }, { priority, signal: giveUp.signal, beat })
            .catch((error) => this.#gotNowhere(error, giveUp));
          if (result) this.#stalledInARow = 0;
          return { result, bytes };
        },
        ({ result, bytes }) => {
          if (result) {
            const lines = this.#within.reduce((left, job) => job.lines.intersect(left), result.lines);
            this.#set.appendSet(lines);
            this.#inParts ||= result.in_parts;
          }
          this.#searchedBytes = bytes;
          for (const listener of this.#listeners) listener();
          if (lastLine) return;
          // Only after the first stretch: its rows would wait for the thread that looks for the last line.
          lastLine = this.#lastLine(text);
          // An error is met where it is awaited, below.
          lastLine.catch(() => {});
        },
      );
      this.#searchedBytes = index.indexedBytes;
      this.#from = await (lastLine ?? this.#lastLine(text));
    } catch (error) {
      if (!this.#hopeless) throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  /** It is known of all stored lines up to this one whether they match. */
  get settledLine(): number {
    if (this.complete) return this.generation.numbers.stored;
    const last = this.#set.kth(this.#set.size - 1) ?? 0;
    return Math.max(last, this.#from.line - 1);
  }

  #found(): FoundLines {
    const { gaps } = this.generation.numbers;
    return { lines: this.#set, gaps, settledLine: this.settledLine };
  }

  #gotNowhere(error: unknown, giveUp: AbortController): StretchResult | null {
    if (toSpillwayError(error).code !== 'stalled') throw error;
    this.#stalled += 1;
    this.#stalledInARow += 1;
    if (this.#hopeless) giveUp.abort();
    return null;
  }

  /** Divides the rest into stretches of whole lines. A line longer than a stretch is one stretch. */
  #stretches(index: BlockIndex): Stretch[] {
    const size = index.indexedBytes;
    const { offset } = this.#from;
    const cuts = planStretches(index, SIZES).flatMap(({ end }) =>
      end?.at === 'line' && end.block * BLOCK_BYTES > offset ? [{ block: end.block }] : [],
    );
    const edges: (LineCut | null)[] = [offset === 0 ? null : { offset }, ...cuts, null];
    return edges.slice(1).map((end, i) => ({
      start: edges[i]!,
      end,
      // Only the last stretch brings all that is counted, though the one before may end in the same block.
      bytes: end && 'block' in end ? Math.min(size - 1, (end.block + 1) * BLOCK_BYTES) : size,
    }));
  }

  async #lastLine(text: TextHandle): Promise<{ offset: number; line: number }> {
    const line = text.index.newlines + 1;
    return { offset: await this.#options.pool.run('lineStart', { ...text, line }), line };
  }
}

/** The stream as far as its lines are counted: while it is searched the file may grow. */
function countedPart(text: TextHandle): TextHandle {
  return { ...text, stream: firstBytesOf(text.stream, text.index.indexedBytes) };
}

// The rows of the window's results: each matching line and its context once, for every context size.

/** The matching lines so far, by stored line number. */
interface FoundLines {
  readonly lines: LineSet;
  readonly gaps: readonly LineGap[];
  /** It is known of all lines up to this one whether they match. */
  readonly settledLine: number;
}

interface MatchRow {
  line: number;
  /** Which match it is, from 0; null when it is only around one. */
  match: number | null;
}

export class ResultRows {
  readonly #found: () => FoundLines;
  /** One for each context from 1. */
  readonly #dilations = Array.from({ length: MAX_RESULT_CONTEXT }, (_, i) => new Dilation(i + 1));

  constructor(found: () => FoundLines) {
    this.#found = found;
  }

  /** Matches from this line on will be searched again. */
  rewind(line: number): void {
    for (const dilation of this.#dilations) dilation.rewind(line);
  }

  /**
   * Row counts with 0, 1, 2 … lines of context. Lines after the last match count once they are known not to match.
   */
  counts(): number[] {
    const found = this.#found();
    return this.#each(found, (rows) => rows.rank(found.settledLine + 1));
  }

  /** The row of the line (or the row where it would be) with 0, 1, 2 … lines around each match. */
  placesOf(line: number): number[] {
    return this.#each(this.#found(), (rows) => rows.rank(line));
  }

  /** At most `count` rows from the row `first` on, from 0. */
  page(context: number, first: number, count: number): MatchRow[] {
    const found = this.#found();
    const rows = this.#of(context, found);
    const lines: number[] = [];
    for (let k = first; k < first + count; k += 1) {
      const line = rows.kth(k);
      if (line === undefined || line > found.settledLine) break;
      lines.push(line);
    }
    if (lines.length === 0) return [];
    let match = found.lines.rank(lines[0]!);
    return lines.map((line) => {
      if (found.lines.kth(match) !== line) return { line, match: null };
      match += 1;
      return { line, match: match - 1 };
    });
  }

  #each(found: FoundLines, work: (rows: LineSet | Dilation) => number): number[] {
    return Array.from({ length: MAX_RESULT_CONTEXT + 1 }, (_, context) => work(this.#of(context, found)));
  }

  #of(context: number, found: FoundLines): LineSet | Dilation {
    const dilation = this.#dilations[context - 1];
    dilation?.update(found.lines, found.gaps);
    return dilation ?? found.lines;
  }
}

// The searches of a host: asking again, or for the next page, does not search again.

/** Searches kept for a generation; a set of lines takes a few megabytes at the most. */
const KEPT_SEARCHES = 24;

const EVERY_LINE = { pattern: '', fixed: true, case_sensitive: true, invert: false } as const;

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
  job(generation: Generation, asked: LineQuery, raw: boolean, anew = false): SearchJob {
    const query = asked.where === undefined ? asked : { ...asked, groups: generation.fieldPatterns };
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

  /** Returns the search for the lines that begin an entry, by the format of the text. */
  async entryStarts(generation: Generation): Promise<SearchJob> {
    const begins = await generation.entryForm(this.#pool);
    return this.job(generation, { ...EVERY_LINE, begins }, false, true);
  }

  /** Returns the search for the lines that have the shape of the one before. */
  repeats(generation: Generation): SearchJob {
    return this.job(generation, { ...EVERY_LINE, repeats: true }, false, true);
  }

  #begin(generation: Generation, query: LineQuery, raw: boolean, anew: boolean): SearchJob {
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
