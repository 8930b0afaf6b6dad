/** One search of one open stream: how far it has got, as the host tells it, and the rows it found. */
import type { Connection, RequestResult } from '../../shared/api/api.ts';
import type { SearchQuery } from '../../shared/api/query.ts';
import type { DocumentRef, Row } from '../../shared/api/rows.ts';
import type { SearchRef, SearchState } from '../../shared/api/search.ts';
import { type SpillwayError, toSpillwayError } from '../../shared/errors.ts';
import { RowSource } from '../viewer/row-source.ts';

export interface MatchRow extends Row {
  line: number;
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
  /** Matching lines that exist for certain. */
  total: number;
}

export type Direction = 'next' | 'previous';
export type Found = RequestResult<'next_match'>;

/** Rows asked for before any others, at once: a screen of them. */
const FIRST_ROWS = 64;
/** Bytes of growth that are worth showing progress for. */
const FAR_BEHIND = 64 * 1024 * 1024;

export class OpenSearch {
  readonly query: SearchQuery;
  readonly document: DocumentRef;
  /** Matches counted from 0. */
  readonly rows: RowSource<MatchRow>;
  readonly #connection: Connection;
  readonly #ref: SearchRef;
  readonly #listeners = new Set<() => void>();
  #unsubscribe: () => void = () => {};
  /** Bytes of the text when all of it was last searched. */
  #wholeBytes = 0;
  /** The first screen of rows was asked for alone, and the rest of its block is to follow. */
  #first: 'to be asked for' | 'asked for' | 'whole' = 'to be asked for';
  #snapshot: SearchSnapshot = {
    state: null,
    error: null,
    cancelled: false,
    caughtUp: false,
    total: 0,
  };

  constructor(connection: Connection, document: DocumentRef, query: SearchQuery) {
    this.#connection = connection;
    this.query = query;
    this.document = document;
    this.#ref = { document, query };
    this.rows = new RowSource<MatchRow>(
      (first, count, signal) => this.#fetchBlock(first - 1, count, signal),
      () => this.#set({}),
    );
    this.#watch();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): SearchSnapshot => this.#snapshot;

  /** Stops looking; what was found stays. */
  cancel(): void {
    if (this.#snapshot.error) return;
    this.#unsubscribe();
    this.#set({ cancelled: true });
  }

  /** Goes on after `cancel`, or tries again after an error. */
  resume(): void {
    this.#unsubscribe();
    this.#set({ cancelled: false, error: null });
    this.#watch();
  }

  /** The nearest matching line beyond `line`. */
  next(line: number, direction: Direction, signal: AbortSignal): Promise<Found> {
    const params = { search: this.#ref, line_number: line, direction };
    return this.#connection.request('next_match', params, { signal });
  }

  marks(buckets: number, signal: AbortSignal): Promise<RequestResult<'match_marks'>> {
    return this.#connection.request('match_marks', { search: this.#ref, buckets }, { signal });
  }

  /** Which of the lines `first..last` match, as far as they were searched. */
  async linesIn(
    first: number,
    last: number,
    signal: AbortSignal,
  ): Promise<{ generation: number; lines: number[] }> {
    const { index } = await this.next(Math.max(0, first - 1), 'next', signal);
    const count = Math.min(1024, last - first + 1);
    const from = index ?? 0;
    const params = { search: this.#ref, first: from, count: index === null ? 1 : count };
    const found = await this.#connection.request('matched_rows', params, { signal });
    const lines = index === null ? [] : found.lines.map((each) => each.line_number);
    return {
      generation: found.generation,
      lines: lines.filter((line) => line >= first && line <= last),
    };
  }

  close(): void {
    this.#unsubscribe();
    this.rows.close();
    this.#listeners.clear();
  }

  async #fetchBlock(first: number, count: number, signal: AbortSignal) {
    if (first !== 0 || this.#first === 'whole') return this.#fetch(first, count, signal);
    this.#first = 'asked for';
    const screen = await this.#fetch(0, FIRST_ROWS, signal);
    if (screen.rows.length === FIRST_ROWS) setTimeout(() => this.#followUp());
    return screen;
  }

  /** The rest of the first block, once its first rows are there. */
  #followUp(): void {
    this.#first = 'whole';
    this.#updateRows();
  }

  async #fetch(first: number, count: number, signal: AbortSignal) {
    const params = { search: this.#ref, first, count };
    const { generation, lines } = await this.#connection.request('matched_rows', params, { signal });
    return { generation, rows: lines.map(({ line_number, row }) => ({ ...row, line: line_number })) };
  }

  #watch(): void {
    this.#unsubscribe = this.#connection.subscribe(
      'search',
      this.#ref,
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
    if (this.#first === 'to be asked for' && state.match_count > 0) this.rows.want(0, FIRST_ROWS - 1);
    const behind = state.total_bytes - state.searched_bytes;
    this.#set({
      state,
      caughtUp: state.done || (sameText && this.#snapshot.caughtUp && behind < FAR_BEHIND),
    });
  }

  #updateRows(state = this.#snapshot.state): void {
    if (!state) return;
    this.rows.update({
      generation: state.generation,
      total_lines: state.match_count,
      // Another number says that rows at the end of what is there are to be fetched anew.
      total_bytes: this.#wholeBytes + (this.#first === 'whole' ? 1 : 0),
    });
  }

  #set(change: Partial<SearchSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change, total: this.rows.total };
    for (const listener of [...this.#listeners]) listener();
  }
}

/** It has said something: how far it got, or what is wrong. */
export function hasTold(search: OpenSearch): boolean {
  const { state, error } = search.snapshot();
  return state !== null || error !== null;
}

/** The pattern is not one, which is to be said at its field and disturbs nothing else. */
export function isBadPattern(search: OpenSearch): boolean {
  const { state, error } = search.snapshot();
  return state === null && error?.code === 'usage';
}
