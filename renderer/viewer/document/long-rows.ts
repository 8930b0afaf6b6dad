/**
 * Rows of long lines that replace the clipped ones. A line of up to PIECE_BYTES is whole. Of a longer one, one
 * piece is shown. They are fetched once the view rests, so that scrolling costs no more than without long lines.
 */
import type { Row, RowsResult } from '../../../shared/api/rows.ts';
import { PIECE_BYTES } from '../../../shared/limits.ts';
import type { SearchQuery } from '../../../shared/search-query.ts';

/** Milliseconds without another row in view. */
const REST_MS = 80;
const MAX_IN_FLIGHT = 4;
/** Some screens of rows: 16 MB of text at most. */
const MAX_KNOWN = 256;
/** Bytes of a piece before the byte one went to. */
const BEFORE_BYTES = 8 * 1024;

export type FetchPiece = (
  line: number,
  piece: number,
  highlight: SearchQuery | null,
  signal: AbortSignal,
) => Promise<Pick<RowsResult, 'generation' | 'rows'>>;

interface Known {
  /** Null until it is fetched. */
  row: Row | null;
  /** Byte of the line at which its piece begins. */
  piece: number;
  /** Whether the row is shown only until it is fetched again. */
  isStale: boolean;
}

export interface LineRow {
  line: number;
  row: Row;
}

export class LongRows {
  readonly #fetch: FetchPiece;
  readonly #onChange: () => void;
  /** By line, from 1. */
  readonly #known = new Map<number, Known>();
  readonly #inFlight = new Map<number, AbortController>();
  #wanted: readonly LineRow[] = [];
  #generation: number | null = null;
  #highlight: SearchQuery | null = null;
  /** Whether rows came that are not drawn yet. */
  #isChanged = false;
  #rest: ReturnType<typeof setTimeout> | undefined;

  constructor(fetch: FetchPiece, onChange: () => void) {
    this.#fetch = fetch;
    this.#onChange = onChange;
  }

  /** Returns what to show of a line whose row is clipped. */
  rowOf(line: number, row: Row): Row {
    const known = this.#known.get(line)?.row;
    return known && known.offset === row.offset && known.bytes <= row.bytes ? known : row;
  }

  /** Fetches the long ones of the rows in view, when no others come into view meanwhile. */
  want(rows: readonly LineRow[]): void {
    this.#wanted = rows.filter(({ line, row }) => row.clipped && (isReadWhole(row) || this.#known.has(line)));
    clearTimeout(this.#rest);
    if (this.#wanted.length > 0) this.#rest = setTimeout(() => this.#ask(), REST_MS);
  }

  /** Shows the piece of the line that begins at a byte of it. */
  show(line: number, row: Row, piece: number): void {
    const known = this.#known.get(line)?.row ?? null;
    this.#known.set(line, { row: known, piece: Math.max(0, piece), isStale: true });
    this.#inFlight.get(line)?.abort();
    this.#inFlight.delete(line);
    this.#wanted = [{ line, row }, ...this.#wanted.filter((each) => each.line !== line)];
    this.#ask();
  }

  /** Shows the piece around a byte of the stream. */
  showByte(line: number, row: Row, offset: number): void {
    const at = offset - row.offset;
    const shown = this.#known.get(line)?.row?.piece;
    if (!shown || at < shown.start || at >= shown.end)
      this.show(line, row, at < PIECE_BYTES ? 0 : at - BEFORE_BYTES);
  }

  /** Marks where the query matches in these rows from now on. */
  highlight(query: SearchQuery | null): void {
    if (query === this.#highlight) return;
    this.#highlight = query;
    for (const known of this.#known.values()) {
      if (known.row?.matches) known.row = { ...known.row, matches: undefined };
      known.isStale = true;
    }
    for (const request of this.#inFlight.values()) request.abort();
    this.#inFlight.clear();
    this.#ask();
  }

  /** Another generation is another text. */
  update(generation: number): void {
    if (generation === this.#generation) return;
    this.#generation = generation;
    this.close();
    this.#known.clear();
  }

  close(): void {
    clearTimeout(this.#rest);
    this.#wanted = [];
    for (const request of this.#inFlight.values()) request.abort();
    this.#inFlight.clear();
  }

  #ask(): void {
    for (const { line, row } of this.#wanted) {
      if (this.#inFlight.size >= MAX_IN_FLIGHT) return;
      const known = this.#known.get(line);
      const isFresh = known?.row && !known.isStale && known.row.bytes === row.bytes;
      if (!isFresh && !this.#inFlight.has(line)) void this.#get(line, known?.piece ?? 0);
    }
  }

  async #get(line: number, piece: number): Promise<void> {
    const request = new AbortController();
    this.#inFlight.set(line, request);
    // A clipped row stays as it is if the rest cannot be read; the text's own rows report the problem.
    const found = await this.#fetch(line, piece, this.#highlight, request.signal).catch(() => null);
    if (this.#inFlight.get(line) !== request) return;
    this.#inFlight.delete(line);
    const row = found?.generation === this.#generation ? found?.rows[0] : undefined;
    this.#wanted = this.#wanted.filter((each) => each.line !== line);
    if (row) {
      this.#known.delete(line);
      this.#known.set(line, { row, piece, isStale: false });
      for (const oldest of this.#known.keys()) {
        if (this.#known.size <= MAX_KNOWN) break;
        this.#known.delete(oldest);
      }
      this.#isChanged = true;
    }
    this.#ask();
    // All rows in view are drawn together: each for itself would cost as many frames.
    if (this.#inFlight.size > 0 || !this.#isChanged) return;
    this.#isChanged = false;
    this.#onChange();
  }
}

/** Whether all of the line is shown in its row. */
function isReadWhole({ bytes }: Row): boolean {
  return bytes <= PIECE_BYTES;
}
