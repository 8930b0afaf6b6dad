/** Reads a stream's lines one after the other. */
import type { ByteSource } from '../bytes/byte-source.ts';
import type { BlockIndex } from './block-index.ts';
import { lineStart } from './line-positions.ts';
import { type NewlineUnit, nextNewline, unitBytes } from './newlines.ts';

/** Bytes read at once, and the most of a line that `RawLine.head` holds. */
export const CURSOR_BYTES = 256 * 1024;

export interface RawLine {
  /** From 1; 0 when unknown (reading from the end without an index). */
  readonly number: number;
  /** Offset of its first byte in the stream. */
  readonly offset: number;
  /** Length without its line end; includes a CR before it. */
  readonly bytes: number;
  /** Its first bytes, as many as the buffer holds. Valid until the next call. */
  readonly head: Uint8Array;
}

/** Reads lines from offset `position` on, where line `number` begins. */
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
    /** Saves the search for the end of a very long line. */
    index: BlockIndex | null,
    /** Read buffer, used by this cursor alone while it lives. */
    buffer: Buffer = Buffer.allocUnsafeSlow(CURSOR_BYTES),
  ) {
    this.#source = source;
    this.#unit = unit;
    this.#index = index;
    this.#base = from.position;
    this.#number = from.number;
    this.#buffer = buffer;
  }

  /** Returns the next line, or null at the end of the stream. */
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

  /** Returns a line longer than the buffer, which holds its beginning. */
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
