/**
 * The shape of a line: its text with the variable parts masked, so that lines printed by one statement are equal.
 * Blanks between words count as one space, blanks around the line as none. Masked are:
 *
 * - words with digits, alone or several in a row with `. - + / : ,` and blanks between them, so that a time, a
 *   version, an address, a column of figures and a hex dump are each one; with them the names of months and days
 *   in dates, and `ff` or `-deaf` after a number
 * - paths (/a, ./a, ~/a, a/b/c, a/b.c, C:\a) and URLs
 * - one word in quotes: 'x', `x', ‘x’; and "x", unless it is a key or a field's value
 *
 * A shape covers the first SHAPE_BYTES of a line, up to the last part that ends within them.
 *
 * This is the plain implementation, which also names the masked parts; scan/ hashes shapes in one pass.
 */
import {
  BLANK,
  CUT,
  DIGIT,
  JOIN,
  KEEP,
  NUMBER,
  PATH,
  QUOTE,
  SHAPE_BITS,
  SLASH,
  STRING,
  URL,
  WORD_PART,
} from './shape-bytes.ts';
import { addressEnd, curlyQuotedEnd, isCalendarName, isHexPart, isPath, quotedEnd } from './shape-parts.ts';

/** Bytes of a line that its shape covers. */
export const SHAPE_BYTES = 512;

/** Returns the shape of the line of UTF-8 from `start` up to `end`; a blank line's has no codes. */
export function shapeOf(bytes: Uint8Array, start: number, end: number): ShapeBytes {
  const cut = start + SHAPE_BYTES;
  const limit = Math.min(end, cut);
  const shape = new ShapeBytes(bytes);
  let at = start;
  while (at < end) {
    const run = at;
    const before = shape.mark();
    const names = addRun(shape, bytes, at, start, end, limit);
    at = names.end;
    if (at > cut) return shape.backTo(before, CUT);
    const isFile = names.slashes > 0 && isPath(bytes, run, at);
    if (isFile) shape.backTo(before, PATH);
    if (at >= end) break;
    const code = bytes[at]!;
    const kind = SHAPE_BITS[code]!;
    if ((kind & BLANK) !== 0) {
      const first = at;
      while (at < end && (SHAPE_BITS[bytes[at]!]! & BLANK) !== 0) at++;
      if (at > cut) return shape.add(CUT, 0);
      if (at < end && first > start) shape.add(0x20, kind);
      continue;
    }
    if ((kind & QUOTE) !== 0) {
      const close = quotedEnd(bytes, at, start, limit);
      if (close > at) {
        shape
          .add(code, kind)
          .add(STRING, 0)
          .add(bytes[close - 1]!, kind);
        at = close;
        continue;
      }
    }
    if (at >= cut) return shape.add(CUT, 0);
    const address = code === 0x3a && !isFile ? addressEnd(bytes, run, at, end) : at;
    if (address > cut) return shape.backTo(before, CUT);
    if (address > at) shape.backTo(before, bytes[at + 1] === 0x2f ? URL : PATH);
    else shape.add(code, kind);
    at = Math.max(address, at + 1);
  }
  return shape;
}

/** Adds a run of joined names from `at` on; returns its end, and the number of slashes in it. */
function addRun(
  shape: ShapeBytes,
  bytes: Uint8Array,
  at: number,
  start: number,
  end: number,
  limit: number,
): { end: number; slashes: number } {
  let i = at;
  let slashes = 0;
  while (i < end) {
    const kind = SHAPE_BITS[bytes[i]!]!;
    if ((kind & (WORD_PART | JOIN | SLASH)) === 0) break;
    if ((kind & WORD_PART) === 0) {
      if ((kind & SLASH) !== 0) slashes++;
      shape.add(bytes[i++]!, kind);
      continue;
    }
    const word = i;
    const close = bytes[i] === 0xe2 ? curlyQuotedEnd(bytes, i, limit) : i;
    if (close > i) {
      shape
        .addAll(i, i + 3)
        .add(STRING, 0)
        .addAll(close - 3, close);
      i = close;
      continue;
    }
    let kinds = 0;
    while (i < end && (SHAPE_BITS[bytes[i]!]! & WORD_PART) !== 0) kinds |= SHAPE_BITS[bytes[i++]!]!;
    const isNumber =
      (kinds & DIGIT) !== 0 ||
      (shape.isAfterNumber && isHexPart(bytes, word, i)) ||
      (i - word === 3 && isCalendarName(bytes, word, start, limit));
    if (isNumber) shape.addNumber(word, i);
    else shape.addAll(word, i);
  }
  return { end: i, slashes };
}

/** A shape's bytes, with codes for masked parts, and the positions of masked numbers in the line. */
export class ShapeBytes {
  readonly codes: number[] = [];
  readonly numbers: { from: number; to: number }[] = [];
  /** Length of `codes` after the last number, while only bytes that may continue the number follow; else -1. */
  #afterNumber = -1;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAfterNumber(): boolean {
    return this.#afterNumber >= 0;
  }

  add(code: number, kind: number): this {
    this.codes.push(code);
    if ((kind & KEEP) === 0) this.#afterNumber = -1;
    return this;
  }

  addAll(from: number, to: number): this {
    for (let i = from; i < to; i++) this.codes.push(this.#bytes[i]!);
    this.#afterNumber = -1;
    return this;
  }

  addNumber(from: number, to: number): void {
    if (this.#afterNumber < 0) {
      this.codes.push(NUMBER);
      this.numbers.push({ from, to });
      this.#afterNumber = this.codes.length;
    } else {
      this.codes.length = this.#afterNumber;
      this.numbers.at(-1)!.to = to;
    }
  }

  /** Returns a function that restores the current state. */
  mark(): () => void {
    const codes = this.codes.slice();
    const numbers = this.numbers.map((number) => ({ ...number }));
    return () => {
      this.codes.splice(0, this.codes.length, ...codes);
      this.numbers.splice(0, this.numbers.length, ...numbers);
    };
  }

  /** Replaces everything added since the mark by one code. */
  backTo(mark: () => void, code: number): this {
    mark();
    return this.add(code, 0);
  }
}

/** The initial hash, and the factor of each step. */
const SEED = 0x2b1ce4e5811c9dc5n;
const FACTOR = 0x9e3779b97f4a7c15n;
const WORD_BYTES = 8;
/** Bytes of a quotation mark such as ‘. */
const CURLY_BYTES = 3;

/** Returns the two halves of a shape's hash: words count eight bytes at a time, other bytes one at a time. */
export function shapeHash({ codes }: ShapeBytes): [low: number, high: number] {
  let hash = SEED;
  for (let at = 0; at < codes.length; ) {
    let end = at;
    while (end < codes.length && (SHAPE_BITS[codes[end]!]! & WORD_PART) !== 0) end++;
    // A quotation mark ends its word.
    if (end > at && codes[at - 1] === STRING) end = at + CURLY_BYTES;
    if (end === at) hash = mixed(hash, codes.slice(at, ++end));
    else
      for (let i = at; i < end; i += WORD_BYTES)
        hash = mixed(hash, codes.slice(i, Math.min(end, i + WORD_BYTES)));
    at = end;
  }
  return [Number(BigInt.asIntN(32, hash)), Number(BigInt.asIntN(32, hash >> 32n))];
}

function mixed(hash: bigint, bytes: readonly number[]): bigint {
  const bits = bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  const product = BigInt.asUintN(64, (hash ^ bits) * FACTOR);
  return product ^ (product >> 32n);
}

/** Returns the end of the part of a line from which its shape can be made again: one character more than it covers. */
export function exampleEnd(bytes: Uint8Array, start: number, end: number): number {
  if (end - start <= SHAPE_BYTES + 4) return end;
  let limit = start + SHAPE_BYTES + 4;
  while ((bytes[limit]! & 0xc0) === 0x80) limit--;
  return limit;
}
