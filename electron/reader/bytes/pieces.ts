/**
 * A stream assembled from pieces of other streams, its parts. A table maps each piece's start here to its start in its
 * part; binary search finds a piece. The table is in shared memory and only grows, so a thread can keep reading its
 * version while pieces are added.
 */

import { countFitting } from '../../../shared/line-set.ts';
import type { OpenStream, PiecesHandle, StreamHandle } from './open-stream.ts';

/** Pieces in one chunk of shared memory: 64 KiB. */
const CHUNK_PIECES = 4096;
/**
 * Numbers for each piece: its start in this stream, and its start in its part times MAX_PARTS plus the part's
 * index.
 */
const PIECE_NUMBERS = 2;
const MAX_PARTS = 64;

export class PieceTable {
  readonly #chunks: SharedArrayBuffer[] = [];
  #view: Float64Array = new Float64Array(0);
  #count = 0;
  #size = 0;
  #last = { part: -1, end: -1 };

  /** Bytes of the stream. */
  get size(): number {
    return this.#size;
  }

  get count(): number {
    return this.#count;
  }

  /** Adds a piece, or extends the last one if it continues it. */
  append(part: number, start: number, bytes: number): void {
    if (bytes === 0) return;
    if (part !== this.#last.part || start !== this.#last.end) this.#begin(part, start);
    this.#last = { part, end: start + bytes };
    this.#size += bytes;
  }

  handle(parts: readonly StreamHandle[]): PiecesHandle {
    return {
      type: 'pieces',
      size: this.#size,
      parts,
      table: { chunks: [...this.#chunks], count: this.#count },
    };
  }

  #begin(part: number, start: number): void {
    const at = this.#count % CHUNK_PIECES;
    if (at === 0) {
      const chunk = new SharedArrayBuffer(CHUNK_PIECES * PIECE_NUMBERS * Float64Array.BYTES_PER_ELEMENT);
      this.#chunks.push(chunk);
      this.#view = new Float64Array(chunk);
    }
    this.#view[at * PIECE_NUMBERS] = this.#size;
    this.#view[at * PIECE_NUMBERS + 1] = start * MAX_PARTS + part;
    this.#count += 1;
  }
}

/** Opens the stream. `opened`: the handle's parts, opened. */
export function openPieces(handle: PiecesHandle, opened: readonly OpenStream[]): OpenStream {
  const { size } = handle;
  const parts = opened.map(readAhead);
  const { beginOf, partOf, find } = lookUp(handle);
  return {
    size,
    read(into, position) {
      const wanted = Math.min(into.length, Math.max(0, size - position));
      let got = 0;
      for (let piece = wanted > 0 ? find(position) : 0; got < wanted; piece += 1) {
        const skipped = position + got - beginOf(piece);
        const bytes = Math.min(wanted - got, beginOf(piece + 1) - (position + got));
        const { part, start } = partOf(piece);
        parts[part]!.read(into.subarray(got, got + bytes), start + skipped);
        got += bytes;
      }
      return got;
    },
  };
}

/** Converts positions in the stream to offsets in its parts, and back. */
export interface PiecePlaces {
  /** The part that holds the byte at `position`, and the byte's offset in it. */
  inPart(position: number): { part: number; offset: number };
  /** The offset in the part of its first byte at or after `position`; the part's size if there is none. */
  nextOf(part: number, position: number): number;
  /** The position of the byte at `offset` of a part; the stream's size if the byte is not in the stream yet. */
  positionOf(part: number, offset: number): number;
}

export function placesOf(handle: PiecesHandle): PiecePlaces {
  const { beginOf, partOf, find } = lookUp(handle);
  const { count } = handle.table;
  // Pieces of two parts alternate, so the next one of a part is close.
  const next = (part: number, piece: number) => {
    let at = piece;
    while (at < count && partOf(at).part !== part) at += 1;
    return at;
  };
  const endInPart = (piece: number) => partOf(piece).start + beginOf(piece + 1) - beginOf(piece);
  return {
    inPart(position) {
      if (count === 0) return { part: 0, offset: 0 };
      const piece = find(position);
      const { part, start } = partOf(piece);
      return { part, offset: start + position - beginOf(piece) };
    },
    nextOf(part, position) {
      const piece = next(part, count > 0 ? find(position) : 0);
      if (piece >= count) return handle.parts[part]?.size ?? 0;
      return partOf(piece).start + Math.max(0, position - beginOf(piece));
    },
    positionOf(part, offset) {
      let low = 0;
      let high = count;
      while (low < high) {
        const middle = Math.floor((low + high) / 2);
        const piece = next(part, middle);
        if (piece < count && endInPart(piece) <= offset) low = piece + 1;
        else high = middle;
      }
      const piece = next(part, low);
      return piece < count ? beginOf(piece) + Math.max(0, offset - partOf(piece).start) : handle.size;
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
  const partOf = (piece: number) => {
    const start = number(piece, 1);
    return { part: start % MAX_PARTS, start: Math.floor(start / MAX_PARTS) };
  };
  /** The piece that holds the byte at `position`. */
  const find = (position: number) =>
    Math.max(0, countFitting(count, (piece) => beginOf(piece) <= position) - 1);
  return { beginOf, partOf, find };
}

const AHEAD_BYTES = 64 * 1024;
/** Reads of at least this size bypass the buffer. */
const LARGE_READ_BYTES = 8 * 1024;

/**
 * Buffers reads: consecutive pieces of one part are neighbours in it, so thousands of short lines take a few reads.
 */
function readAhead(stream: OpenStream): OpenStream {
  let buffer: Buffer | null = null;
  let base = 0;
  let filled = 0;
  return {
    size: stream.size,
    read(into, position) {
      if (into.length >= LARGE_READ_BYTES) return stream.read(into, position);
      const wanted = Math.min(into.length, Math.max(0, stream.size - position));
      if (position < base || position + wanted > base + filled) {
        buffer ??= Buffer.allocUnsafeSlow(AHEAD_BYTES);
        base = position;
        filled = stream.read(buffer, position);
      }
      into.set(buffer!.subarray(position - base, position - base + wanted));
      return wanted;
    },
  };
}
