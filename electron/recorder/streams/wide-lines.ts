/** Counts lines of UTF-16, in which a line end takes two bytes and other characters may contain its byte. */

import { countPlain, type NewlineUnit } from '../../reader/lines/newlines.ts';
import { detectEncoding, markedEncoding, newlineUnit } from '../../reader/text/encoding.ts';
import { ENCODING_SNIFF_BYTES, FIRST_NUL_BYTES } from '../../reader/text/unmarked-utf16.ts';

/** Bytes at the beginning of a stream that may be a byte order mark. */
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
    if (this.#unit === null) return linesOf(this.#rest);
    if (this.#unit === 'byte') return null;
    return this.#ends + (this.#endsInLine || this.#rest.length > 0 ? 1 : 0);
  }

  push(chunk: Uint8Array): void {
    if (this.#unit === 'byte') return;
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    this.#unit ??= unitOf(bytes);
    if (this.#unit === 'byte') return;
    const whole = this.#unit === null ? 0 : bytes.length - (bytes.length % 2);
    if (this.#unit !== null && whole > 0) {
      this.#ends += countPlain(bytes, 0, whole, this.#unit);
      this.#endsInLine = endsInLine(bytes.subarray(0, whole), this.#unit);
    }
    this.#rest = Buffer.from(bytes.subarray(whole));
  }
}

/** Returns null while more bytes could change the answer. */
function unitOf(bytes: Uint8Array): NewlineUnit | null {
  if (bytes.length < MARK_BYTES) return null;
  const marked = newlineUnit(markedEncoding(bytes));
  if (marked !== 'byte') return marked;
  if (bytes.length >= FIRST_NUL_BYTES && !bytes.subarray(0, FIRST_NUL_BYTES).includes(0)) return 'byte';
  return bytes.length < ENCODING_SNIFF_BYTES ? null : newlineUnit(detectEncoding(bytes));
}

/** Counts the lines of a whole stream; null if it is not UTF-16. */
function linesOf(bytes: Uint8Array): number | null {
  const unit = newlineUnit(detectEncoding(bytes));
  if (unit === 'byte') return null;
  const whole = bytes.length - (bytes.length % 2);
  const isOpen = whole < bytes.length || endsInLine(bytes.subarray(0, whole), unit);
  return countPlain(bytes, 0, whole, unit) + (isOpen ? 1 : 0);
}

function endsInLine(bytes: Uint8Array, unit: NewlineUnit): boolean {
  return bytes.length > 0 && countPlain(bytes.subarray(-2), 0, Math.min(2, bytes.length), unit) === 0;
}
