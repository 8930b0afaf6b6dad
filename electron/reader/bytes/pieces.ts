/**
 * A stream put together from pieces of others: a table of where each piece begins here and there, found by binary
 * search. It only grows, in shared memory, so that a thread goes on reading what it was given while more comes.
 */
import type { ByteSource, SourceHandle } from './source.ts';

/** Pieces in one part of shared memory: 64 KiB of it. */
const ENTRIES = 4096;
/** Numbers a piece: where it begins in this stream, and where in its source (times SOURCES, plus which source). */
const NUMBERS = 2;
/** Most sources a table may have. */
const SOURCES = 4;

/** What a worker needs to read the stream; can be posted. */
export interface PiecesHandle {
  readonly type: 'pieces';
  readonly size: number;
  readonly sources: readonly SourceHandle[];
  readonly table: { readonly chunks: readonly SharedArrayBuffer[]; readonly count: number };
}

export class PieceTable {
  readonly #chunks: SharedArrayBuffer[] = [];
  #view: Float64Array = new Float64Array(0);
  #count = 0;
  #size = 0;
  #last = { source: -1, end: -1 };

  /** Bytes of the stream. */
  get size(): number {
    return this.#size;
  }

  get count(): number {
    return this.#count;
  }

  /** What follows the piece before it in its own source makes that one longer. */
  append(source: number, start: number, bytes: number): void {
    if (bytes === 0) return;
    if (source !== this.#last.source || start !== this.#last.end) this.#begin(source, start);
    this.#last = { source, end: start + bytes };
    this.#size += bytes;
  }

  handle(sources: readonly SourceHandle[]): PiecesHandle {
    return {
      type: 'pieces',
      size: this.#size,
      sources,
      table: { chunks: [...this.#chunks], count: this.#count },
    };
  }

  #begin(source: number, start: number): void {
    const at = this.#count % ENTRIES;
    if (at === 0) {
      const chunk = new SharedArrayBuffer(ENTRIES * NUMBERS * Float64Array.BYTES_PER_ELEMENT);
      this.#chunks.push(chunk);
      this.#view = new Float64Array(chunk);
    }
    this.#view[at * NUMBERS] = this.#size;
    this.#view[at * NUMBERS + 1] = start * SOURCES + source;
    this.#count += 1;
  }
}

/** `opened`: the handle's sources. */
export function openPieces(handle: PiecesHandle, opened: readonly ByteSource[]): ByteSource {
  const { size } = handle;
  const sources = opened.map(readAhead);
  const { count } = handle.table;
  const views = handle.table.chunks.map((chunk) => new Float64Array(chunk));
  const number = (piece: number, which: number) =>
    views[Math.floor(piece / ENTRIES)]![(piece % ENTRIES) * NUMBERS + which]!;
  const beginOf = (piece: number) => (piece < count ? number(piece, 0) : size);
  const find = (position: number) => {
    let low = 0;
    let high = count - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (beginOf(middle) <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return {
    size,
    read(into, position) {
      const wanted = Math.min(into.length, Math.max(0, size - position));
      let got = 0;
      for (let piece = wanted > 0 ? find(position) : 0; got < wanted; piece += 1) {
        const skipped = position + got - beginOf(piece);
        const bytes = Math.min(wanted - got, beginOf(piece + 1) - (position + got));
        const place = number(piece, 1);
        const source = sources[place % SOURCES]!;
        source.read(into.subarray(got, got + bytes), Math.floor(place / SOURCES) + skipped);
        got += bytes;
      }
      return got;
    },
  };
}

/** Of this many bytes: neighbouring pieces of one source are neighbours there. */
const AHEAD_BYTES = 64 * 1024;
/** Pieces from this size on are read as they are. */
const LARGE = 8 * 1024;

/** Thousands of short lines in turn are a few reads, not thousands. */
function readAhead(source: ByteSource): ByteSource {
  let buffer: Buffer | null = null;
  let base = 0;
  let filled = 0;
  return {
    size: source.size,
    read(into, position) {
      if (into.length >= LARGE) return source.read(into, position);
      const wanted = Math.min(into.length, Math.max(0, source.size - position));
      if (position < base || position + wanted > base + filled) {
        buffer ??= Buffer.allocUnsafeSlow(AHEAD_BYTES);
        base = position;
        filled = source.read(buffer, position);
      }
      into.set(buffer!.subarray(position - base, position - base + wanted));
      return wanted;
    },
  };
}
