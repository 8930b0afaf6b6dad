/** Lines by number, over the block index, and one after the other. */
import { BLOCK_BYTES, type BlockIndex } from './block-index.ts';
import { lastNewline, type NewlineUnit, nextNewline, unitBytes } from './newlines.ts';
import type { ByteSource } from './source.ts';

/** Bytes read at a time, and the most of a line that a cursor hands out by itself. */
export const CURSOR_BYTES = 256 * 1024;

export interface RawLine {
  /** From 1; 0 while it is not known (reading from the end without an index). */
  readonly number: number;
  /** Of its first byte in the stream. */
  readonly offset: number;
  /** Without its line end; a CR before it counts. */
  readonly bytes: number;
  /** Its first bytes, as many as the buffer holds. Good until the next call. */
  readonly head: Uint8Array;
}

/** Lines of the stream: its line ends, and one more for a last line without one. */
export function totalLines(index: BlockIndex, source: ByteSource, unit: NewlineUnit): number {
  return index.newlines + (endsInLine(source, unit) ? 1 : 0);
}

/** True when the stream's last line has no line end. */
export function endsInLine(source: ByteSource, unit: NewlineUnit): boolean {
  const size = unitBytes(unit);
  if (source.size < size) return source.size > 0;
  const last = new Uint8Array(size);
  source.read(last, source.size - size);
  return source.size % size !== 0 || lastNewline(last, 0, size, unit) < 0;
}

/** Where line `n` begins; its line number may be one more than the line ends there are. */
export function lineStart(source: ByteSource, index: BlockIndex, unit: NewlineUnit, n: number): number {
  if (n <= 1) return 0;
  const block = index.blockOf(n - 1);
  const base = block * BLOCK_BYTES;
  const bytes = Buffer.alloc(Math.min(BLOCK_BYTES, index.indexedBytes - base));
  source.read(bytes, base);
  let at = 0;
  for (let left = n - 1 - index.before(block); left > 0; left -= 1) {
    at = nextNewline(bytes, at, bytes.length, unit);
    if (at < 0) throw new RangeError('the index and the stream disagree');
  }
  return base + at;
}

/** Where the line after a block's first line end begins; -1 when no line ends in the block. */
export function firstLineIn(source: ByteSource, unit: NewlineUnit, block: number): number {
  const base = block * BLOCK_BYTES;
  const bytes = Buffer.alloc(Math.min(BLOCK_BYTES, source.size - base));
  source.read(bytes, base);
  const next = nextNewline(bytes, 0, bytes.length, unit);
  return next < 0 ? -1 : base + next;
}

/** The number of the line that the byte at `offset` is in. */
export function lineAt(source: ByteSource, index: BlockIndex, unit: NewlineUnit, offset: number): number {
  const block = Math.floor(offset / BLOCK_BYTES);
  const base = block * BLOCK_BYTES;
  const bytes = Buffer.alloc(offset - base);
  source.read(bytes, base);
  let lines = index.before(block);
  for (
    let at = nextNewline(bytes, 0, bytes.length, unit);
    at >= 0;
    at = nextNewline(bytes, at, bytes.length, unit)
  ) {
    lines += 1;
  }
  return lines + 1;
}

/** Where the last `count` lines begin, found backwards from the end: no index is needed. */
export function tailStart(source: ByteSource, unit: NewlineUnit, count: number): number {
  const size = unitBytes(unit);
  const buffer = Buffer.alloc(BLOCK_BYTES);
  // The line end that closes the last line opens no further one.
  let left = count + (endsInLine(source, unit) ? 0 : 1);
  let end = source.size - (source.size % size);
  while (end > 0) {
    const start = Math.max(0, end - buffer.length);
    const bytes = buffer.subarray(0, end - start);
    source.read(bytes, start);
    let at = bytes.length;
    for (;;) {
      const next = lastNewline(bytes, 0, at, unit);
      if (next < 0) break;
      left -= 1;
      if (left === 0) return start + next;
      at = next - size;
    }
    end = start;
  }
  return 0;
}

/** Reads lines one after the other from `position`, which is where line `number` begins. */
export class LineCursor {
  readonly #source: ByteSource;
  readonly #unit: NewlineUnit;
  readonly #index: BlockIndex | null;
  readonly #buffer: Buffer;
  /** Stream offset of the buffer's first byte, and how much of it is filled. */
  #base: number;
  #filled = 0;
  #at = 0;
  #number: number;

  constructor(
    source: ByteSource,
    unit: NewlineUnit,
    from: { position: number; number: number },
    /** With it, the end of a very long line is looked up instead of searched. */
    index: BlockIndex | null,
    /** To read into; whoever lends it reads nothing else into it meanwhile. */
    buffer: Buffer = Buffer.allocUnsafeSlow(CURSOR_BYTES),
  ) {
    this.#source = source;
    this.#unit = unit;
    this.#index = index;
    this.#base = from.position;
    this.#number = from.number;
    this.#buffer = buffer;
  }

  /** The next line, or null at the end of the stream. */
  next(): RawLine | null {
    let end = this.#findEnd();
    if (end < 0) {
      this.#refill();
      end = this.#findEnd();
    }
    if (end >= 0) return this.#take(this.#at, end - unitBytes(this.#unit), end);
    if (this.#filled < this.#buffer.length) {
      if (this.#at === this.#filled) return null;
      return this.#take(this.#at, this.#filled, this.#filled);
    }
    return this.#takeLong();
  }

  #findEnd(): number {
    return nextNewline(this.#buffer.subarray(0, this.#filled), this.#at, this.#filled, this.#unit);
  }

  #refill(): void {
    this.#base += this.#at;
    this.#at = 0;
    this.#filled = this.#source.read(this.#buffer, this.#base);
  }

  #take(start: number, end: number, next: number): RawLine {
    const line: RawLine = {
      number: this.#number,
      offset: this.#base + start,
      bytes: end - start,
      head: this.#buffer.subarray(start, end),
    };
    this.#at = next;
    if (this.#number > 0) this.#number += 1;
    return line;
  }

  /** A line that is longer than the buffer, which holds its beginning. */
  #takeLong(): RawLine {
    const offset = this.#base;
    const next = this.#longEnd(offset + this.#filled);
    const closed = next.closed ? unitBytes(this.#unit) : 0;
    const line: RawLine = {
      number: this.#number,
      offset,
      bytes: next.position - closed - offset,
      head: Buffer.from(this.#buffer.subarray(0, Math.min(this.#filled, next.position - closed - offset))),
    };
    this.#base = next.position;
    this.#at = 0;
    this.#filled = 0;
    if (this.#number > 0) this.#number += 1;
    return line;
  }

  #longEnd(from: number): { position: number; closed: boolean } {
    const size = this.#source.size;
    if (this.#index && this.#number > 0 && this.#index.indexedBytes >= size) {
      if (this.#number > this.#index.newlines) return { position: size, closed: false };
      return { position: lineStart(this.#source, this.#index, this.#unit, this.#number + 1), closed: true };
    }
    const buffer = Buffer.allocUnsafeSlow(1024 * 1024);
    for (let position = from; position < size; ) {
      const got = this.#source.read(buffer, position);
      const end = nextNewline(buffer.subarray(0, got), 0, got, this.#unit);
      if (end >= 0) return { position: position + end, closed: true };
      position += got;
    }
    return { position: size, closed: false };
  }
}
