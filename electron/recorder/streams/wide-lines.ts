/** Counts lines of UTF-16, in which a line end takes two bytes and other characters may contain its byte. */

import { countPlain, type NewlineUnit } from '../../reader/lines/newlines.ts';
import { detectEncoding, newlineUnit } from '../../reader/text/encoding.ts';

/** Bytes at the beginning of a stream that tell its encoding. */
const MARK_BYTES = 4;

/** Counts in chunks, which may end within a character. Null for text that is not UTF-16. */
export class WideLines {
  #unit: NewlineUnit | null = null;
  /** Bytes not counted yet: the beginning, until it tells the encoding; later, half a character. */
  #rest: Uint8Array = Buffer.alloc(0);
  #ends = 0;
  #endsInLine = false;

  /** As CONTRACT 1 counts them. */
  get total(): number | null {
    if (this.#unit === null || this.#unit === 'byte') return null;
    return this.#ends + (this.#endsInLine || this.#rest.length > 0 ? 1 : 0);
  }

  push(chunk: Uint8Array): void {
    if (this.#unit === 'byte') return;
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    if (this.#unit === null && bytes.length >= MARK_BYTES) this.#unit = newlineUnit(detectEncoding(bytes));
    if (this.#unit === 'byte') return;
    const whole = this.#unit === null ? 0 : bytes.length - (bytes.length % 2);
    if (this.#unit !== null && whole > 0) {
      this.#ends += countPlain(bytes, 0, whole, this.#unit);
      this.#endsInLine = countPlain(bytes.subarray(whole - 2, whole), 0, 2, this.#unit) === 0;
    }
    this.#rest = Buffer.from(bytes.subarray(whole));
  }
}
