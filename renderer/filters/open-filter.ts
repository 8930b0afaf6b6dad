/** One filter of one open stream: the passing lines found so far, and their rows. */
import type { Connection } from '../../shared/api/api.ts';
import type { FilterRef, FilterState, LineFilter, LinesPart } from '../../shared/api/filters.ts';
import type { DocumentRef } from '../../shared/api/rows.ts';
import { type SpillwayError, toSpillwayError } from '../../shared/errors.ts';
import { type Container, LineSet, SPAN, toBitmap, WORDS } from '../../shared/line-set.ts';
import { PacedListeners } from '../viewer/document/paced-listeners.ts';
import { RowFetcher } from '../viewer/document/row-fetcher.ts';
import type { FilteredLines } from '../viewer/document/rows-view.ts';

export interface FilterSnapshot {
  /** Null until the host's first event. */
  state: Omit<FilterState, 'parts' | 'from_key'> | null;
  /** Why no more events will come. */
  error: SpillwayError | null;
  /** Whether all of the text was searched once. Appended lines are searched as they arrive. */
  caughtUp: boolean;
}

export const NOT_FILTERED: FilterSnapshot = { state: null, error: null, caughtUp: false };

export class OpenFilter implements FilteredLines {
  readonly ref: FilterRef;
  readonly rows: RowFetcher;
  readonly #connection: Connection;
  readonly #lines = new LineSet();
  readonly #listeners = new PacedListeners();
  readonly #unsubscribe: () => void;
  /** Size of the text when all of it was last searched. */
  #wholeBytes = 0;
  #snapshot = NOT_FILTERED;
  /** The latest state of a text that only grew, until it is shown. */
  #grown: FilterState | null = null;

  constructor(connection: Connection, document: DocumentRef, filter: LineFilter) {
    this.#connection = connection;
    this.ref = { document, filter };
    this.rows = new RowFetcher(this.fetchRows, (isShown) => this.#set({}, isShown));
    this.#unsubscribe = connection.subscribe(
      'filter',
      this.ref,
      (state) => this.#take(state),
      // A closed connection is reported elsewhere; keep the found lines on the screen.
      (error) => toSpillwayError(error).code !== 'cancelled' && this.#set({ error: toSpillwayError(error) }),
    );
  }

  get filter(): LineFilter {
    return this.ref.filter;
  }

  get count(): number {
    return this.#lines.size;
  }

  /** Whether the result is known for all counted lines, except the last ones while the text grows. */
  get settled(): boolean {
    return this.#snapshot.caughtUp;
  }

  lineOf(row: number): number | null {
    return this.#lines.kth(row) ?? null;
  }

  rowOf(line: number): number {
    return this.#lines.rank(line);
  }

  has(line: number): boolean {
    return this.#lines.has(line);
  }

  /** Fetches the lines in view of `shown`, to replace it. Returns true once they are available. */
  isReadyFor(shown: OpenFilter): boolean {
    if (this.#snapshot.error) return true;
    const { first, last, followed } = shown.rows.seen;
    if (followed > 0) {
      if (!this.settled) return false;
      this.rows.follow(followed);
      return !this.rows.awaitsEnd;
    }
    const size = last - first + 1;
    const row = this.rowOf(shown.lineOf(first) ?? 1);
    if (!this.settled && row + size > this.count) return false;
    const top = Math.max(0, Math.min(row, this.count - size));
    const bottom = Math.min(top + size, this.count) - 1;
    if (bottom >= 0) this.rows.want(top, bottom);
    return this.rows.isHere(top, bottom);
  }

  /** Fetches rows of the passing lines, from 1. */
  readonly fetchRows = async (first: number, count: number, signal: AbortSignal) => {
    const lines: number[] = [];
    for (let row = first - 1; row < first - 1 + count; row += 1) {
      const line = this.#lines.kth(row);
      if (line === undefined) break;
      lines.push(line);
    }
    const generation = this.#snapshot.state?.generation ?? 0;
    if (lines.length === 0) return { generation, rows: [] };
    return this.#connection.request('rowsOf', { document: this.ref.document, lines }, { signal });
  };

  readonly subscribe = this.#listeners.subscribe;

  readonly snapshot = (): FilterSnapshot => this.#snapshot;

  close(): void {
    this.#unsubscribe();
    this.rows.close();
    this.#listeners.close();
  }

  #take(state: FilterState): void {
    const before = this.#snapshot.state;
    if (before && state.generation < before.generation) return;
    const isSame = before?.generation === state.generation;
    takeParts(this.#lines, isSame ? state : { ...state, from_key: 0 });
    if (state.done) this.#wholeBytes = state.searched_bytes;
    else if (!isSame) this.#wholeBytes = 0;
    if (isSame && this.#snapshot.caughtUp) {
      this.#grown = state;
      this.#listeners.tellSoon(this.#grow);
      return;
    }
    this.#grown = null;
    this.#show(state, state.done);
    this.#listeners.tell();
  }

  /** Returns true once the rows that following needs are available, so that both are drawn together. */
  readonly #grow = (): boolean => {
    if (this.#grown) this.#show(this.#grown, true);
    this.#grown = null;
    return !this.rows.awaitsEnd;
  };

  #show(state: FilterState, caughtUp: boolean): void {
    this.rows.update({
      generation: state.generation,
      total_lines: this.#lines.size,
      // A change says that the last line may differ.
      total_bytes: this.#wholeBytes,
    });
    this.#snapshot = { ...this.#snapshot, state, caughtUp };
  }

  #set(change: Partial<FilterSnapshot>, isShown = true): void {
    this.#snapshot = { ...this.#snapshot, ...change };
    if (isShown) this.#listeners.tell();
    if (!isShown || this.#grown) this.#listeners.tellSoon(this.#grow);
  }
}

/** Applies an event to the set of passing lines. */
export function takeParts(lines: LineSet, { from_key, parts }: FilterState): void {
  lines.dropFrom(from_key);
  lines.appendSet({ keys: parts.map(({ key }) => key), containers: parts.map(containerOf) });
}

function containerOf({ form, data }: LinesPart): Container {
  const bytes = bytesOf(atob(data));
  if (form === 'bits') {
    const bits = new Uint32Array(WORDS);
    new Uint8Array(bits.buffer).set(bytes.subarray(0, SPAN / 8));
    return bits;
  }
  const numbers = new Uint16Array(bytes.buffer, 0, bytes.length >> 1);
  return form === 'members' ? numbers : toBitmap(numbers).map((word) => ~word);
}

/**
 * Avoids `Uint8Array.from`, which calls a function for each of 8,192 bytes, twenty times a second while a text grows.
 */
function bytesOf(binary: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i += 1) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
