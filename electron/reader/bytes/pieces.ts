/**
 * A stream assembled from pieces of other streams. A table maps each piece's start here to its start in its source;
 * binary search finds a piece. The table only grows, in shared memory, so a thread can keep reading its version while
 * more pieces come.
 */
import type { ByteSource, SourceHandle } from './source.ts';

/** Pieces in one chunk of shared memory: 64 KiB. */
const CHUNK_PIECES = 4096;
/**
 * Numbers for each piece: its start in this stream, and its start in its source times MAX_SOURCES plus the source's
 * index.
 */
const PIECE_NUMBERS = 2;
const MAX_SOURCES = 4;

/** A stream to post to a worker. */
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

  /** Adds a piece; extends the last one when it continues it in the same source. */
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
    const at = this.#count % CHUNK_PIECES;
    if (at === 0) {
      const chunk = new SharedArrayBuffer(CHUNK_PIECES * PIECE_NUMBERS * Float64Array.BYTES_PER_ELEMENT);
      this.#chunks.push(chunk);
      this.#view = new Float64Array(chunk);
    }
    this.#view[at * PIECE_NUMBERS] = this.#size;
    this.#view[at * PIECE_NUMBERS + 1] = start * MAX_SOURCES + source;
    this.#count += 1;
  }
}

/** Opens the stream. `opened`: the handle's sources, opened. */
export function openPieces(handle: PiecesHandle, opened: readonly ByteSource[]): ByteSource {
  const { size } = handle;
  const sources = opened.map(readAhead);
  const { count } = handle.table;
  const views = handle.table.chunks.map((chunk) => new Float64Array(chunk));
  const number = (piece: number, which: number) =>
    views[Math.floor(piece / CHUNK_PIECES)]![(piece % CHUNK_PIECES) * PIECE_NUMBERS + which]!;
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
        const start = number(piece, 1);
        const source = sources[start % MAX_SOURCES]!;
        source.read(into.subarray(got, got + bytes), Math.floor(start / MAX_SOURCES) + skipped);
        got += bytes;
      }
      return got;
    },
  };
}

const AHEAD_BYTES = 64 * 1024;
/** Reads of at least this size bypass the buffer. */
const LARGE_READ_BYTES = 8 * 1024;

/**
 * Buffers reads: consecutive pieces of one source are neighbours in it, so thousands of short lines take a few reads.
 */
function readAhead(source: ByteSource): ByteSource {
  let buffer: Buffer | null = null;
  let base = 0;
  let filled = 0;
  return {
    size: source.size,
    read(into, position) {
      if (into.length >= LARGE_READ_BYTES) return source.read(into, position);
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
