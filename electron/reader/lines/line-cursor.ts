/** Reads a stream's lines one after the other. */
import type { OpenStream } from '../bytes/open-stream.ts';
import type { BlockIndex } from './block-index.ts';
import { lineStart } from './line-positions.ts';
import { type NewlineUnit, nextNewline, unitBytes } from './newlines.ts';

/** Bytes read at once, and the most of a line that `RawLine.head` holds. */
export const CURSOR_BYTES = 256 * 1024;
/** Bytes read first: most readers want a few lines. */
const FIRST_BYTES = 32 * 1024;

export interface RawLine {
  /** From 1; 0 when unknown (reading from the end without an index). */
  readonly number: number;
  /** Offset of its first byte in the stream. */
  readonly offset: number;
  /** Length without its line end; includes a CR before it. */
  readonly bytes: number;
  /** Its first bytes, as many as fit the buffer. Valid until the next call. */
  readonly head: Uint8Array;
}

/** Reads lines from offset `position` on, where line `number` begins. */
export class LineCursor {
  readonly #stream: OpenStream;
  readonly #unit: NewlineUnit;
  readonly #index: BlockIndex | null;
  #buffer: Buffer;
  /** Most bytes read at once. */
  readonly #capacity: number;
  /** Stream offset of the buffer's first byte, and the part of it that is filled. */
  #base: number;
  #bytes: Buffer;
  /** Bytes to read next. */
  #wanted: number;
  /** Whether the stream ends with `#bytes`. */
  #isLast = false;
  #at = 0;
  #number: number;

  constructor(
    stream: OpenStream,
    unit: NewlineUnit,
    from: { position: number; number: number },
    /** Used to find the end of a very long line without reading it. */
    index: BlockIndex | null,
    /** Read buffer, reserved for this cursor. */
    buffer?: Buffer,
  ) {
    this.#stream = stream;
    this.#unit = unit;
    this.#index = index;
    this.#base = from.position;
    this.#number = from.number;
    this.#capacity = buffer?.length ?? CURSOR_BYTES;
    this.#wanted = Math.min(FIRST_BYTES, this.#capacity);
    this.#buffer = buffer ?? Buffer.allocUnsafeSlow(this.#wanted);
    this.#bytes = this.#buffer.subarray(0, 0);
  }

  /** Returns the next line, or null at the end of the stream. */
  next(): RawLine | null {
    let end = this.#findEnd();
    while (end < 0 && this.#refill()) end = this.#findEnd();
    if (end >= 0) return this.#take(this.#at, end - unitBytes(this.#unit), end);
    const filled = this.#bytes.length;
    if (filled === this.#capacity) return this.#takeLong();
    return this.#at === filled ? null : this.#take(this.#at, filled, filled);
  }

  #findEnd(): number {
    return nextNewline(this.#bytes, this.#at, this.#bytes.length, this.#unit);
  }

  /** Reads on from the start of the line. Returns false at the end of the stream, or when the line fills the buffer. */
  #refill(): boolean {
    if (this.#isLast || this.#bytes.length - this.#at === this.#capacity) return false;
    const wanted = this.#wanted;
    this.#wanted = this.#capacity;
    if (this.#buffer.length < wanted) this.#buffer = Buffer.allocUnsafeSlow(wanted);
    this.#base += this.#at;
    this.#at = 0;
    const got = this.#stream.read(this.#buffer.subarray(0, wanted), this.#base);
    this.#bytes = this.#buffer.subarray(0, got);
    this.#isLast = got < wanted;
    return true;
  }

  #take(start: number, end: number, next: number): RawLine {
    const line: RawLine = {
      number: this.#number,
      offset: this.#base + start,
      bytes: end - start,
      head: this.#bytes.subarray(start, end),
    };
    this.#at = next;
    if (this.#number > 0) this.#number += 1;
    return line;
  }

  /** Returns a line longer than the buffer, which holds its beginning. */
  #takeLong(): RawLine {
    const offset = this.#base;
    const next = this.#longEnd(offset + this.#bytes.length);
    const closed = next.closed ? unitBytes(this.#unit) : 0;
    const bytes = next.position - closed - offset;
    const line: RawLine = {
      number: this.#number,
      offset,
      bytes,
      head: Buffer.from(this.#bytes.subarray(0, bytes)),
    };
    this.#base = next.position;
    this.#at = 0;
    this.#bytes = this.#buffer.subarray(0, 0);
    if (this.#number > 0) this.#number += 1;
    return line;
  }

  #longEnd(from: number): { position: number; closed: boolean } {
    const size = this.#stream.size;
    if (this.#index && this.#number > 0 && this.#index.indexedBytes >= size) {
      if (this.#number > this.#index.newlines) return { position: size, closed: false };
      return { position: lineStart(this.#stream, this.#index, this.#unit, this.#number + 1), closed: true };
    }
    const buffer = Buffer.allocUnsafeSlow(1024 * 1024);
    for (let position = from; position < size; ) {
      const got = this.#stream.read(buffer, position);
      const end = nextNewline(buffer.subarray(0, got), 0, got, this.#unit);
      if (end >= 0) return { position: position + end, closed: true };
      position += got;
    }
    return { position: size, closed: false };
  }
}

// Reads lines by their numbers, which need not be consecutive.

/** Up to this distance, reading on is cheaper than a lookup. */
const NEAR_LINES = 50;

/** Yields the lines with these rising numbers, until one does not exist. The index must reach them. */
export function* linesAt(
  stream: OpenStream,
  index: BlockIndex,
  unit: NewlineUnit,
  numbers: readonly number[],
): Generator<RawLine> {
  const buffer = Buffer.allocUnsafeSlow(CURSOR_BYTES);
  let cursor: LineCursor | null = null;
  let next = 0;
  for (const number of numbers) {
    if (!cursor || number - next > NEAR_LINES) {
      const position = lineStart(stream, index, unit, number);
      cursor = new LineCursor(stream, unit, { position, number }, index, buffer);
    }
    let line = cursor.next();
    while (line && line.number < number) line = cursor.next();
    if (!line) return;
    next = number + 1;
    yield line;
  }
}
