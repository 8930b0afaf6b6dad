/** One search of one open stream: its progress as the host reports it, and the rows it found. */

import type { Connection, RequestResult } from '../../shared/api/api.ts';
import type { LineFilter } from '../../shared/api/filters.ts';
import type { DocumentRef, Row } from '../../shared/api/rows.ts';
import type { MatchedRowsResult, SearchRef, SearchState } from '../../shared/api/search.ts';
import { type SpillwayError, toSpillwayError } from '../../shared/errors.ts';
import type { SearchQuery } from '../../shared/search-query.ts';
import { type FetchRows, RowFetcher } from '../viewer/document/row-fetcher.ts';

export interface ResultRow extends Row {
  line: number;
  /** Which match it is, from 0; null when it is only around one. */
  match: number | null;
}

interface ResultPage {
  generation: number;
  rows: ResultRow[];
}

export interface SearchSnapshot {
  /** Null until the host has told. */
  state: SearchState | null;
  /** Why nothing more will be told. */
  error: SpillwayError | null;
  /** It was stopped by hand; what was found stands. */
  cancelled: boolean;
  /** All of the text was searched once; what is appended is searched as it comes. */
  caughtUp: boolean;
  /** Matching lines so far. */
  total: number;
  /** Rows that list them, with the lines around them. */
  rowCount: number;
}

export type Direction = 'next' | 'previous';
export type NextMatch = RequestResult<'nextMatch'>;

const MAX_MATCHES_IN_VIEW = 1024;

/** Most rows asked for before any others. */
const MOST_FIRST_ROWS = 64;
/** A quick typist presses the next key within this time. What else was requested for this one is then not needed. */
export const TYPING_PAUSE_MS = 150;
/** Bytes of growth that are worth showing progress for. */
const FAR_BEHIND_BYTES = 64 * 1024 * 1024;

export const NOTHING_YET: SearchSnapshot = {
  state: null,
  error: null,
  cancelled: false,
  caughtUp: false,
  total: 0,
  rowCount: 0,
};

export interface OpenSearchOptions {
  /** Lines around each match in the rows. */
  context: number;
  /** Rows that are seen at once: the first ones asked for. */
  rowsInView: number;
  /** Searches only lines that pass. */
  filter: LineFilter | null;
}

export class OpenSearch {
  readonly query: SearchQuery;
  readonly filter: LineFilter | null;
  readonly document: DocumentRef;
  readonly #connection: Connection;
  readonly #ref: SearchRef;
  readonly #listeners = new Set<() => void>();
  #rows: RowFetcher<ResultRow>;
  #context: number;
  /** Rows asked for before any others, at once. */
  readonly #firstRows: number;
  #unsubscribe: () => void = () => {};
  /** Bytes of the text when all of it was last searched. */
  #wholeBytes = 0;
  #isPaused = false;
  /** The first rows were asked for: a screen of them alone. */
  #asked = false;
  /** The first rows that came with the first match, until they are asked for. */
  #firstPage: MatchedRowsResult | null = null;
  #snapshot: SearchSnapshot = NOTHING_YET;
  readonly #begunAt = performance.now();

  constructor(
    connection: Connection,
    document: DocumentRef,
    query: SearchQuery,
    { context, rowsInView, filter }: OpenSearchOptions,
  ) {
    this.#connection = connection;
    this.#firstRows = Math.min(rowsInView, MOST_FIRST_ROWS);
    this.query = query;
    this.filter = filter;
    this.document = document;
    this.#ref = { document, query, ...(filter ? { filter } : {}) };
    this.#context = context;
    this.#rows = this.#rowsWith(context);
    this.#watch();
  }

  /** Matching lines, and those around them once each; counted from 0. */
  get rows(): RowFetcher<ResultRow> {
    return this.#rows;
  }

  /** Lines around each match in the rows. */
  get context(): number {
    return this.#context;
  }

  /** From now on the rows have so many lines around each match; they are fetched anew. */
  showContext(context: number): void {
    if (context === this.#context) return;
    this.#rows.close();
    this.#context = context;
    this.#asked = true;
    this.#rows = this.#rowsWith(context);
    this.#updateRows();
    this.#set({});
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): SearchSnapshot => this.#snapshot;

  /** Leaves the host to another search until `resume`; what was found stays. */
  pause(): void {
    this.#unsubscribe();
    this.#isPaused = !this.#snapshot.error && !this.#snapshot.cancelled;
  }

  resume(): void {
    if (this.#isPaused) this.#watch();
  }

  /** Stops looking; what was found stays. */
  cancel(): void {
    if (this.#snapshot.error) return;
    this.#unsubscribe();
    this.#set({ cancelled: true });
  }

  /** Searches the rest after `cancel`, or tries again after an error. */
  retry(): void {
    this.#unsubscribe();
    this.#set({ cancelled: false, error: null });
    this.#watch();
  }

  /** The nearest matching line beyond `line`. */
  next(line: number, direction: Direction, signal: AbortSignal): Promise<NextMatch> {
    const params = { search: this.#ref, line_number: line, direction };
    return this.#connection.request('nextMatch', params, { signal });
  }

  /**
   * The match at the line, or the next one after it; null without one. `rows[n]` is its row in the results when each
   * match has `n` lines of context.
   */
  async locate(line: number, signal: AbortSignal): Promise<{ line: number; rows: number[] } | null> {
    const { line_number, rows } = await this.next(line - 1, 'next', signal);
    return line_number === null || rows === null ? null : { line: line_number, rows };
  }

  /** The line of a match, counted from 0; null without it. */
  async lineOfMatch(index: number, signal: AbortSignal): Promise<number | null> {
    const { rows } = await this.#fetch(index, 1, 0, signal);
    return rows[0]?.line ?? null;
  }

  /** The first match in a line, and the text around it. */
  matchInLine(line: number, signal: AbortSignal): Promise<RequestResult<'matchInLine'>> {
    return this.#connection.request('matchInLine', { search: this.#ref, line_number: line }, { signal });
  }

  async counts(buckets: number, signal: AbortSignal): Promise<RequestResult<'matchCounts'>> {
    await this.pauseInTyping(signal);
    return this.#connection.request('matchCounts', { search: this.#ref, buckets }, { signal });
  }

  /** Rows of the results from `start`, counted from 1. */
  readonly fetchRows: FetchRows<ResultRow> = (start, count, signal) =>
    this.#fetch(start - 1, count, this.#context, signal);

  /** The matching lines of `first` to `last`, with their matches, as far as they were searched. */
  async matchesIn(first: number, last: number, signal: AbortSignal): Promise<ResultPage> {
    await this.pauseInTyping(signal);
    const { index } = await this.next(Math.max(0, first - 1), 'next', signal);
    // Without a match, one row tells the generation.
    const count = index === null ? 1 : Math.min(MAX_MATCHES_IN_VIEW, last - first + 1);
    const { generation, rows } = await this.#fetch(index ?? 0, count, 0, signal);
    const found = index === null ? [] : rows.filter(({ line }) => line >= first && line <= last);
    return { generation, rows: found };
  }

  /**
   * Resolves when no other key is likely to follow the one that began the search. Until then the host and the page have
   * only its first matches to work on.
   */
  async pauseInTyping(signal: AbortSignal): Promise<void> {
    const left = this.#begunAt + TYPING_PAUSE_MS - performance.now();
    if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
    signal.throwIfAborted();
  }

  close(): void {
    this.#isPaused = false;
    this.#unsubscribe();
    this.rows.close();
    this.#listeners.clear();
  }

  #rowsWith(context: number): RowFetcher<ResultRow> {
    return new RowFetcher<ResultRow>(
      (first, count, signal) => this.#fetchBlock(first - 1, count, context, signal),
      () => this.#set({}),
      undefined,
      // The last line may be unfinished, and stop matching as it grows. Its context lines then go, too.
      context + 1,
    );
  }

  async #fetchBlock(first: number, count: number, context: number, signal: AbortSignal) {
    const isFirst = first === 0 && !this.#asked;
    this.#asked = true;
    const page = this.#firstPage;
    this.#firstPage = null;
    if (isFirst) return page ? rowsOf(page) : this.#fetch(0, this.#firstRows, context, signal);
    // The rest of the first block; what is there is drawn before.
    if (first === this.#firstRows) {
      await this.pauseInTyping(signal);
      await new Promise((drawn) => setTimeout(drawn));
    }
    return this.#fetch(first, count, context, signal);
  }

  async #fetch(first: number, count: number, context: number, signal: AbortSignal) {
    const params = { search: this.#ref, first, count, context };
    return rowsOf(await this.#connection.request('matchedRows', params, { signal }));
  }

  #watch(): void {
    this.#isPaused = false;
    const first_rows = { count: this.#firstRows, context: this.#context };
    this.#unsubscribe = this.#connection.subscribe(
      'search',
      this.#asked ? this.#ref : { ...this.#ref, first_rows },
      (state) => this.#take(state),
      // A connection that closes is told elsewhere, and what was found stays on the screen.
      (error) => toSpillwayError(error).code !== 'cancelled' && this.#set({ error: toSpillwayError(error) }),
    );
  }

  #take(state: SearchState): void {
    const before = this.#snapshot.state;
    if (before && state.generation < before.generation) return;
    const sameText = before?.generation === state.generation;
    // While more is found, rows only come to those there are; the last one may be longer once all was searched.
    if (state.done) this.#wholeBytes = state.searched_bytes;
    else if (!sameText) this.#wholeBytes = 0;
    this.#updateRows(state);
    // Before anything is drawn: what will be looked at first is known.
    const { generation, match_count, first_rows } = state;
    if (!this.#asked && first_rows) this.#firstPage = { generation, match_count, lines: first_rows };
    if (!this.#asked && match_count > 0) this.rows.want(0, this.#firstRows - 1);
    const behind = state.total_bytes - state.searched_bytes;
    this.#set({
      state,
      caughtUp: state.done || (sameText && this.#snapshot.caughtUp && behind < FAR_BEHIND_BYTES),
    });
  }

  #updateRows(state = this.#snapshot.state): void {
    if (!state) return;
    this.rows.update({
      generation: state.generation,
      total_lines: state.row_counts[this.#context]!,
      // Another number says that rows at the end of what is there are to be fetched anew.
      total_bytes: this.#wholeBytes,
    });
  }

  #set(change: Partial<SearchSnapshot>): void {
    const next = { ...this.#snapshot, ...change };
    this.#snapshot = { ...next, total: next.state?.match_count ?? 0, rowCount: this.rows.total };
    for (const listener of [...this.#listeners]) listener();
  }
}

function rowsOf({ generation, lines }: MatchedRowsResult): ResultPage {
  return {
    generation,
    rows: lines.map(({ line_number, match, row }) => ({ ...row, line: line_number, match })),
  };
}

/** True once the host reported progress or an error. */
export function hasBegun(search: OpenSearch): boolean {
  const { state, error } = search.snapshot();
  return state !== null || error !== null;
}

/** True once there is something to show: its first rows, that there are none so far, or an error. */
export function isReady(search: OpenSearch): boolean {
  const { state, error, total } = search.snapshot();
  return error !== null || (state !== null && (total === 0 || search.rows.row(0) !== undefined));
}

/** True when it found something, searched everything, or failed. */
export function isSettled(search: OpenSearch): boolean {
  const { state, error } = search.snapshot();
  return error !== null || (state !== null && (state.done || state.match_count > 0));
}

/** True when the pattern is invalid: the field says so, and nothing else changes. */
export function isBadPattern(search: OpenSearch): boolean {
  const { state, error } = search.snapshot();
  return state === null && error?.code === 'usage';
}
