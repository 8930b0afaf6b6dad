/**
 * Fetches the rows of one open stream in blocks, caches them, and drops them when the text is replaced. Rows count from
 * 0 here, lines in the API from 1.
 */

import type { Row } from '../../../shared/api/rows.ts';
import { type SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import { ROWS_PER_BLOCK } from '../../../shared/limits.ts';

/** Fetched rows, and the generation of their text. */
interface Fetched<R> {
  generation: number;
  rows: readonly R[];
}

export type FetchRows<R = Row> = (
  startLine: number,
  count: number,
  signal: AbortSignal,
) => Promise<Fetched<R>>;

/** Most parallel requests; blocks in view go first. */
const MAX_IN_FLIGHT = 4;
/** Rows drawn beyond those in view. */
const DRAWN_AROUND_ROWS = 32;
/** Milliseconds after fast growth until rows around the view are fetched again. */
const CALM_AFTER_MS = 300;
/** Milliseconds before a failed block is requested again, if it is still wanted. */
const RETRY_AFTER_MS = 1000;

export class RowFetcher<R = Row> {
  readonly #fetch: FetchRows<R>;
  readonly #onChange: (isShown: boolean) => void;
  readonly #cache: RowCache<R>;
  readonly #inFlight = new Map<number, AbortController>();
  readonly #failed = new Set<number>();
  #wanted: number[] = [];
  #inView = { first: 0, last: 0 };
  /** Blocks with rows that are drawn or awaited. */
  #shown: readonly number[] = [];
  /** Number of rows at the end to fetch as soon as the text grows; 0 while it is not followed. */
  #followed = 0;
  /** Whether the text grew by more than a block at once. While following, rows above the end are soon far away. */
  #isFast = false;
  #generation: number | null = null;
  #totalLines = 0;
  #totalBytes = 0;
  #problem: SpillwayError | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #calm: ReturnType<typeof setTimeout> | undefined;
  #closed = false;
  /** Number of rows at the end that may change when the text grows. */
  readonly #unsettledRows: number;

  /** @param onChange called with false after rows arrived that are not drawn yet */
  constructor(
    fetch: FetchRows<R>,
    onChange: (isShown: boolean) => void,
    cache: RowCache<R> = new RowCache<R>(),
    unsettledRows = 1,
  ) {
    this.#unsettledRows = unsettledRows;
    this.#fetch = fetch;
    this.#onChange = onChange;
    this.#cache = cache;
  }

  row(index: number): R | undefined {
    return this.#cache.row(index);
  }

  isHere(first: number, last: number): boolean {
    for (let row = Math.max(0, first); row <= last; row += 1) if (!this.row(row)) return false;
    return true;
  }

  /** The rows in view, and the number of rows followed at the end, or 0. */
  get seen(): { first: number; last: number; followed: number } {
    return { ...this.#inView, followed: this.#followed };
  }

  /** Number of rows known to exist: counted or seen. */
  get total(): number {
    return Math.max(this.#totalLines, this.#cache.knownRows());
  }

  /** The generation of the text; null until known. */
  get generation(): number | null {
    return this.#generation;
  }

  /** Why wanted rows are missing; null without a problem. */
  get problem(): SpillwayError | null {
    return this.#problem;
  }

  /**
   * Fetches the missing rows of these, some around them, and the rows `ahead`. Cancels requests for other rows.
   */
  want(first: number, last: number, ahead: { first: number; last: number } | null = null): void {
    this.#inView = { first, last };
    const around = ROWS_PER_BLOCK / 4;
    // The view will move to the end, so don't complete the rows in view now.
    const visible = this.#followed > 0 && this.isHere(first, last) ? [] : blocks(first, last);
    const end = Math.max(this.total - 1, last);
    const near =
      this.#followed > 0 && this.#isFast
        ? []
        : blocks(Math.max(0, first - around), Math.min(end, last + around));
    const next = ahead ? blocks(ahead.first, ahead.last) : [];
    this.#shown = [...blocks(first - DRAWN_AROUND_ROWS, last + DRAWN_AROUND_ROWS), ...next];
    this.#wanted = [...new Set([...visible, ...next, ...this.#end(), ...near])];
    for (const block of this.#wanted) this.#cache.touch(block);
    for (const [block, request] of this.#inFlight) {
      if (this.#wanted.includes(block)) continue;
      this.#inFlight.delete(block);
      request.abort();
    }
    this.#ask();
  }

  /** Fetches nothing until rows are wanted again. */
  rest(): void {
    this.#wanted = [];
    this.#shown = [];
    this.#abortAll();
  }

  /** Fetches the last `rows` rows whenever the text grows, before they are drawn; 0 ends that. */
  follow(rows: number): void {
    if (rows === this.#followed) return;
    this.#followed = rows;
    this.#wanted = [...new Set([...this.#end(), ...this.#wanted])];
    this.#ask();
  }

  /** Whether the last rows are followed and some are missing. */
  get awaitsEnd(): boolean {
    return this.#end().some((block) => !this.#cache.has(block));
  }

  /** Applies the document's new state. A new generation is a new text, so it drops all rows. */
  update(state: { generation: number; total_lines: number; total_bytes: number }): void {
    if (this.#generation !== null && state.generation < this.#generation) return;
    if (state.generation !== this.#generation) this.#begin(state.generation);
    const grew = state.total_bytes !== this.#totalBytes || state.total_lines !== this.#totalLines;
    const bytesGrew = state.total_bytes !== this.#totalBytes;
    if (state.total_lines - this.#totalLines > ROWS_PER_BLOCK) this.#hurry();
    this.#totalLines = state.total_lines;
    this.#totalBytes = state.total_bytes;
    if (grew) this.#cache.grew(bytesGrew, state.total_lines);
    // The view will move there, so don't complete the rows in view now.
    if (this.#followed > 0) this.#wanted = this.#end();
    this.#ask();
  }

  /** Clears errors and requests again. */
  retry(): void {
    this.#failed.clear();
    this.#problem = null;
    this.#ask();
    this.#onChange(true);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#calm);
    this.#abortAll();
  }

  /** Postpones fetching rows around the view until growth has ended. */
  #hurry(): void {
    this.#isFast = true;
    clearTimeout(this.#calm);
    this.#calm = setTimeout(() => {
      this.#isFast = false;
      if (this.#followed > 0) this.want(this.#inView.first, this.#inView.last);
    }, CALM_AFTER_MS);
  }

  /** Returns the blocks of the last rows, if they are followed. */
  #end(): number[] {
    if (this.#followed === 0 || this.total === 0) return [];
    return blocks(this.total - this.#followed, this.total - 1);
  }

  #begin(generation: number): void {
    const isFirst = this.#generation === null;
    this.#generation = generation;
    // Keep requests made before the first state, as they are most likely for this text.
    if (isFirst) return;
    this.#cache.clear();
    this.#failed.clear();
    this.#problem = null;
    this.#totalLines = 0;
    this.#totalBytes = 0;
    this.#abortAll();
  }

  #abortAll(): void {
    const requests = [...this.#inFlight.values()];
    this.#inFlight.clear();
    for (const request of requests) request.abort();
  }

  #ask(): void {
    if (this.#closed) return;
    for (const block of this.#wanted) {
      if (this.#inFlight.size >= MAX_IN_FLIGHT) return;
      if (this.#inFlight.has(block) || this.#cache.has(block) || this.#failed.has(block)) continue;
      void this.#get(block);
    }
  }

  async #get(block: number): Promise<void> {
    const request = new AbortController();
    this.#inFlight.set(block, request);
    const start = block * ROWS_PER_BLOCK;
    // Take the count from before the request: only then is a block with lines after it certainly complete.
    const counted = this.#totalLines;
    const bytes = this.#generation === null ? null : this.#totalBytes;
    try {
      let rows: readonly R[] = [];
      for (let isPart = true; isPart; ) {
        const missing = ROWS_PER_BLOCK - rows.length;
        const result = await this.#fetch(start + rows.length + 1, missing, request.signal);
        if (this.#inFlight.get(block) !== request) return;
        const { generation } = result;
        // Don't join rows of two texts.
        if (rows.length > 0 && generation !== this.#generation) break;
        rows = rows.length === 0 ? result.rows : [...rows, ...result.rows];
        const isFull = rows.length === ROWS_PER_BLOCK;
        // Existing lines are missing: they are costly, so request them in parts.
        const goesOn = result.rows.length > 0 && generation === this.#generation;
        isPart = goesOn && !isFull && start + rows.length < counted;
        const final = isFull && counted >= start + ROWS_PER_BLOCK + this.#unsettledRows;
        // More lines may pass the filter by now, even if the text did not grow.
        const isShort = !isFull && counted !== this.#totalLines && start + rows.length < this.#totalLines;
        const grew = isShort || (!final && bytes !== null && bytes !== this.#totalBytes);
        if (!isPart) this.#inFlight.delete(block);
        this.#take(block, { generation, rows }, { final, stale: isPart || grew });
        // A listener may have cancelled this request.
        if (isPart && this.#inFlight.get(block) !== request) return;
      }
      this.#inFlight.delete(block);
    } catch (error) {
      if (this.#inFlight.get(block) !== request) return;
      this.#inFlight.delete(block);
      this.#fail(block, toSpillwayError(error));
    }
    this.#ask();
  }

  #take(block: number, result: Fetched<R>, { final, stale }: { final: boolean; stale: boolean }): void {
    const { generation, rows } = result;
    // The caller requests rows of an older text again; rows of a newer text are the first sign of it.
    if (this.#generation !== null && generation < this.#generation) return;
    if (generation !== this.#generation) this.#begin(generation);
    this.#failed.delete(block);
    if (this.#failed.size === 0) this.#problem = null;
    const { total } = this;
    this.#cache.put(block, rows, final, stale);
    this.#onChange(this.#shown.includes(block) || this.#end().includes(block) || this.total !== total);
  }

  #fail(block: number, error: SpillwayError): void {
    this.#failed.add(block);
    // If the text changed while it was read, its event follows, and requesting again is enough.
    if (error.code !== 'changed' && error.code !== 'cancelled') this.#problem = error;
    this.#onChange(true);
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined;
      this.#failed.clear();
      this.#ask();
    }, RETRY_AFTER_MS);
  }
}

function blocks(first: number, last: number): number[] {
  const found: number[] = [];
  for (let block = blockOf(Math.max(0, first)); block <= blockOf(Math.max(0, last)); block += 1)
    found.push(block);
  return found;
}

/** 64 blocks are 32,768 rows: some 20 MB of usual text. */
const MAX_CACHED_BLOCKS = 64;

interface Block<R> {
  rows: readonly R[];
  /** False if growth may change it: it was not full, or had the last line. */
  final: boolean;
  /** Shown until its replacement arrives. */
  stale: boolean;
}

export class RowCache<R = Row> {
  readonly #blocks = new Map<number, Block<R>>();
  readonly #capacity: number;

  constructor(capacity: number = MAX_CACHED_BLOCKS) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#blocks.size;
  }

  row(index: number): R | undefined {
    return this.#blocks.get(blockOf(index))?.rows[index % ROWS_PER_BLOCK];
  }

  /** Whether the block need not be fetched. */
  has(block: number): boolean {
    const found = this.#blocks.get(block);
    return found !== undefined && !found.stale;
  }

  /** `stale`: shown, but (or its rest) to be fetched again. */
  put(block: number, rows: readonly R[], final: boolean, stale = false): void {
    this.#blocks.delete(block);
    this.#blocks.set(block, { rows, final, stale });
    for (const oldest of this.#blocks.keys()) {
      if (this.#blocks.size <= this.#capacity) break;
      this.#blocks.delete(oldest);
    }
  }

  /** Marks the block as just used. */
  touch(block: number): void {
    const found = this.#blocks.get(block);
    if (!found) return;
    this.#blocks.delete(block);
    this.#blocks.set(block, found);
  }

  /**
   * Marks blocks that may be incomplete as stale, after the stream grew or more lines were counted. Counting changes no
   * bytes, so it affects only blocks with missing rows.
   */
  grew(bytesGrew: boolean, totalLines: number): void {
    for (const [index, block] of this.#blocks) {
      if (block.final) continue;
      const end = index * ROWS_PER_BLOCK + block.rows.length;
      const missesRows = block.rows.length < ROWS_PER_BLOCK && end < totalLines;
      if (bytesGrew || missesRows) block.stale = true;
    }
  }

  clear(): void {
    this.#blocks.clear();
  }

  /** Returns the number of rows from the start that are known to exist, as they are cached. */
  knownRows(): number {
    let known = 0;
    for (const [index, block] of this.#blocks) {
      if (block.rows.length > 0) known = Math.max(known, index * ROWS_PER_BLOCK + block.rows.length);
    }
    return known;
  }
}

function blockOf(index: number): number {
  return Math.floor(index / ROWS_PER_BLOCK);
}
