/**
 * A stream assembled from pieces of other streams. A table maps each piece's start here to its start in its source;
 * binary search finds a piece. The table only grows, in shared memory, so a thread can keep reading its version while
 * more pieces come.
 */
import type { ByteSource } from './byte-source.ts';
import type { PiecesHandle, SourceHandle } from './handles.ts';

/** Pieces in one chunk of shared memory: 64 KiB. */
const CHUNK_PIECES = 4096;
/**
 * Numbers for each piece: its start in this stream, and its start in its source times MAX_SOURCES plus the source's
 * index.
 */
const PIECE_NUMBERS = 2;
const MAX_SOURCES = 64;

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
  const { beginOf, sourceOf, find } = lookUp(handle);
  return {
    size,
    read(into, position) {
      const wanted = Math.min(into.length, Math.max(0, size - position));
      let got = 0;
      for (let piece = wanted > 0 ? find(position) : 0; got < wanted; piece += 1) {
        const skipped = position + got - beginOf(piece);
        const bytes = Math.min(wanted - got, beginOf(piece + 1) - (position + got));
        const { source, start } = sourceOf(piece);
        sources[source]!.read(into.subarray(got, got + bytes), start + skipped);
        got += bytes;
      }
      return got;
    },
  };
}

/** Converts positions in the stream to offsets in its sources, and back. */
export interface PiecePlaces {
  /** The source that has the byte at `position`, and where in it. */
  inSource(position: number): { source: number; offset: number };
  /** The offset in the source of its first byte at or behind `position`; the source's size when none is. */
  nextOf(source: number, position: number): number;
  /** The position of the byte at `offset` of a source; the stream's size when it is not in it yet. */
  positionOf(source: number, offset: number): number;
}

export function placesOf(handle: PiecesHandle): PiecePlaces {
  const { beginOf, sourceOf, find } = lookUp(handle);
  const { count } = handle.table;
  // Pieces of two sources take turns, so the next one of a source is close.
  const next = (source: number, piece: number) => {
    let at = piece;
    while (at < count && sourceOf(at).source !== source) at += 1;
    return at;
  };
  const endInSource = (piece: number) => sourceOf(piece).start + beginOf(piece + 1) - beginOf(piece);
  return {
    inSource(position) {
      if (count === 0) return { source: 0, offset: 0 };
      const piece = find(position);
      const { source, start } = sourceOf(piece);
      return { source, offset: start + position - beginOf(piece) };
    },
    nextOf(source, position) {
      const piece = next(source, count > 0 ? find(position) : 0);
      if (piece >= count) return handle.sources[source]?.size ?? 0;
      return sourceOf(piece).start + Math.max(0, position - beginOf(piece));
    },
    positionOf(source, offset) {
      let low = 0;
      let high = count;
      while (low < high) {
        const middle = Math.floor((low + high) / 2);
        const piece = next(source, middle);
        if (piece < count && endInSource(piece) <= offset) low = piece + 1;
        else high = middle;
      }
      const piece = next(source, low);
      return piece < count ? beginOf(piece) + Math.max(0, offset - sourceOf(piece).start) : handle.size;
    },
  };
}

function lookUp(handle: PiecesHandle) {
  const { size } = handle;
  const { count } = handle.table;
  const views = handle.table.chunks.map((chunk) => new Float64Array(chunk));
  const number = (piece: number, which: number) =>
    views[Math.floor(piece / CHUNK_PIECES)]![(piece % CHUNK_PIECES) * PIECE_NUMBERS + which]!;
  const beginOf = (piece: number) => (piece < count ? number(piece, 0) : size);
  const sourceOf = (piece: number) => {
    const start = number(piece, 1);
    return { source: start % MAX_SOURCES, start: Math.floor(start / MAX_SOURCES) };
  };
  /** The piece that has the byte at `position`. */
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
  return { beginOf, sourceOf, find };
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
