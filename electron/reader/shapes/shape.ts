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
 * This is the plain implementation, for single lines. summary/scan/ counts the shapes of a whole text in one pass, with
 * the same hashes; `SummaryTotal.shapes` has the table.
 */
import { isDigit, isLetter } from '../../../shared/text/codes.ts';

/** Bytes that stand for masked parts in a shape; no line text has them. */
const NUMBER = 1;
const PATH = 2;
const URL = 3;
const STRING = 4;
/** The line continues. */
const CUT = 5;

/** Bytes of a line that its shape covers. */
export const SHAPE_BYTES = 512;

/** Returns the end of the part of a line from which its shape can be made again: one character more than it covers. */
export function exampleEnd(bytes: Uint8Array, start: number, end: number): number {
  if (end - start <= SHAPE_BYTES + 4) return end;
  let limit = start + SHAPE_BYTES + 4;
  while ((bytes[limit]! & 0xc0) === 0x80) limit--;
  return limit;
}

/** Returns the shape of a line of UTF-8, from `start` up to `end`; it keeps a reference to the bytes. A blank line has no codes. */
export function shapeOf(bytes: Uint8Array, start: number, end: number): Shape {
  const cut = start + SHAPE_BYTES;
  const limit = Math.min(end, cut);
  const shape = new Shape(bytes);
  let at = start;
  while (at < end) {
    const run = at;
    shape.mark();
    const names = addRun(shape, bytes, at, start, end, limit);
    at = names.end;
    if (at > cut) return shape.backTo(CUT);
    const isFile = names.slashes > 0 && isPath(bytes, run, at);
    if (isFile) shape.maskFrom(PATH, run, at);
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
          .addMasked(STRING, at + 1, close - 1)
          .add(bytes[close - 1]!, kind);
        at = close;
        continue;
      }
    }
    if (at >= cut) return shape.add(CUT, 0);
    const address = code === 0x3a && !isFile ? addressEnd(bytes, run, at, end) : at;
    if (address > cut) return shape.backTo(CUT);
    if (address > at) shape.maskFrom(bytes[at + 1] === 0x2f ? URL : PATH, run, address);
    else shape.add(code, kind);
    at = Math.max(address, at + 1);
  }
  return shape;
}

/** Adds a run of joined names from `at` on; returns its end, and the number of slashes in it. */
function addRun(
  shape: Shape,
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
        .addMasked(STRING, i + 3, close - 3)
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

/** A shape: its bytes, with codes for masked parts, and where the masked parts are in the line. */
class Shape {
  readonly codes: number[] = [];
  /** One for each code of a masked part, in order. */
  readonly masked: { from: number; to: number }[] = [];
  /** Length of `codes` after the last number, while only bytes that may continue the number follow; else -1. */
  #afterNumber = -1;
  // Fields, not a closure for each run: that took a tenth of the time of a comparison.
  #marked = 0;
  #behindNumber: number[] | null = null;
  #parts = 0;
  #lastEnd = 0;
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
      this.addMasked(NUMBER, from, to);
      this.#afterNumber = this.codes.length;
    } else {
      this.codes.length = this.#afterNumber;
      this.masked.at(-1)!.to = to;
    }
  }

  /** Notes the current state, to which `maskFrom` and `backTo` return. */
  mark(): void {
    // A number that goes on takes back what was added since its end, and moves the end of its part.
    const { length } = this.codes;
    this.#marked = this.#afterNumber < 0 ? length : this.#afterNumber;
    this.#behindNumber = this.#marked < length ? this.codes.slice(this.#marked) : null;
    this.#parts = this.masked.length;
    this.#lastEnd = this.#parts > 0 ? this.masked[this.#parts - 1]!.to : 0;
  }

  #restore(): void {
    this.codes.length = this.#marked;
    if (this.#behindNumber) this.codes.push(...this.#behindNumber);
    this.masked.length = this.#parts;
    if (this.#parts > 0) this.masked[this.#parts - 1]!.to = this.#lastEnd;
  }

  addMasked(code: number, from: number, to: number): this {
    this.masked.push({ from, to });
    return this.add(code, 0);
  }

  /** Replaces everything added since the mark by one masked part. */
  maskFrom(code: number, from: number, to: number): this {
    this.#restore();
    return this.addMasked(code, from, to);
  }

  /** Replaces everything added since the mark by one code. */
  backTo(code: number): this {
    this.#restore();
    return this.add(code, 0);
  }

  /** The two halves of its hash: words count eight bytes at a time, other bytes one at a time. */
  get hash(): [low: number, high: number] {
    const { codes } = this;
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

  /** The shape as people read it, with names for masked parts: `<time> INFO [worker-<n>] GET <path> in <n>`. */
  get text(): string {
    let text = '';
    let part = 0;
    let plain: number[] = [];
    for (const code of this.codes) {
      if (code !== NUMBER && NAMES[code] === undefined) {
        plain.push(code);
        continue;
      }
      text += decoder.decode(Uint8Array.from(plain));
      plain = [];
      if (code === CUT) {
        text += NAMES[code];
        continue;
      }
      const { from, to } = this.masked[part++]!;
      text += NAMES[code] ?? numberName(decoder.decode(this.#bytes.subarray(from, to)));
    }
    return text + decoder.decode(Uint8Array.from(plain));
  }
}

/** The initial hash, and the factor of each step. */
const SEED = 0x2b1ce4e5811c9dc5n;
const FACTOR = 0x9e3779b97f4a7c15n;
const WORD_BYTES = 8;
/** Bytes of a quotation mark such as ‘. */
const CURLY_BYTES = 3;

function mixed(hash: bigint, bytes: readonly number[]): bigint {
  const bits = bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  const product = BigInt.asUintN(64, (hash ^ bits) * FACTOR);
  return product ^ (product >> 32n);
}

const NAMES: Partial<Record<number, string>> = {
  [PATH]: '<path>',
  [URL]: '<url>',
  [STRING]: '<s>',
  [CUT]: '…',
};
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function numberName(text: string): string {
  if (TIME.test(text)) return '<time>';
  if (UUID.test(text)) return '<uuid>';
  if (ADDRESS.test(text)) return '<ip>';
  return HEX.test(text) ? '<hex>' : '<n>';
}

const TIME = /^(?:[A-Z][a-z]{2}\b|\d{4}([-/.])\d\d\1\d\d(?!\d)|\d\d?[-/][A-Z][a-z]{2}[-/])|\d\d:\d\d:\d\d/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?$/;
const HEX = /^(?:0x[0-9a-f]+|(?=\d*[a-f])[0-9a-f]{7,})$/i;

// Bytes by their role

/** A letter or underscore. */
const LETTER = 1;
const DIGIT = 2;
/** Beyond ASCII: part of a word. */
const HIGH = 4;
/** Any of the three: part of a word. */
const WORD_PART = 7;
/** Joins words to names and paths: `. - + @ % ~ # $`. */
const JOIN = 8;
const SLASH = 16;
/** May stand between parts of one number or time: `. - + / : ,` and blanks. */
const KEEP = 32;
const BLANK = 64;
/** `" ' \`` */
const QUOTE = 128;
/** Controls other than tab: the line ends, or must be rendered. */
const CONTROL = 256;

/** The bits of each byte. */
export const SHAPE_BITS: Uint16Array = Uint16Array.from({ length: 256 }, (_, code) => {
  if (code >= 0x80) return HIGH;
  if (code === 0x20 || code === 0x09) return BLANK | KEEP;
  if (code < 0x20 || code === 0x7f) return CONTROL;
  if (isLetter(code) || code === 0x5f) return LETTER;
  if (isDigit(code)) return DIGIT;
  const character = String.fromCharCode(code);
  let kind = 0;
  if ('.-+@%~#$'.includes(character)) kind |= JOIN;
  if (character === '/') kind |= SLASH;
  if ('.-+/:,'.includes(character)) kind |= KEEP;
  if ('"\'`'.includes(character)) kind |= QUOTE;
  return kind;
});

// Parts of a line that are masked: reading stops at controls and before `limit`

/**
 * Returns the end of the quoted word at `at`, or `at` if there is none to mask. Masks `'x'` and `x'` where no word
 * ends, and `"x"` where a word begins; not keys, and not values of fields, which are often the message.
 */
function quotedEnd(bytes: Uint8Array, at: number, start: number, limit: number): number {
  const quote = bytes[at]!;
  const before = at > start ? bytes[at - 1]! : 0x20;
  if ((SHAPE_BITS[before]! & WORD_PART) !== 0) return at;
  if (quote === 0x22 && before !== 0x20 && before !== 0x09 && before !== 0x28 && before !== 0x5b) return at;
  let i = at + 1;
  for (; i < limit; i++) {
    const code = bytes[i]!;
    if (code === quote || (quote === 0x60 && code === 0x27)) break;
    if ((SHAPE_BITS[code]! & (BLANK | CONTROL)) !== 0) return at;
  }
  if (i >= limit || i === at + 1) return at;
  return quote === 0x22 && bytes[i + 1] === 0x3a ? at : i + 1;
}

/** Longest quoted word: quotes may be nested, and then this search is repeated. */
const LONGEST_QUOTED_BYTES = 128;

/** Like `quotedEnd`, for a word in ‘’ or “”. */
export function curlyQuotedEnd(bytes: Uint8Array, at: number, limit: number): number {
  const open = bytes[at + 2];
  if (bytes[at + 1] !== 0x80 || (open !== 0x98 && open !== 0x9c)) return at;
  const end = Math.min(limit, at + LONGEST_QUOTED_BYTES);
  for (let i = at + 3; i + 2 < end; i++) {
    const code = bytes[i]!;
    if ((SHAPE_BITS[code]! & (BLANK | CONTROL)) !== 0) return at;
    if (code === 0xe2 && bytes[i + 1] === 0x80 && bytes[i + 2] === open + 1) return i + 3;
  }
  return at;
}

/**
 * Whether names joined with at least one `/` are a path: `/a`, `./a`, `~/a`, `a/b/c`, `a/b.c`; not `3/10`,
 * `and/or`.
 */
function isPath(bytes: Uint8Array, from: number, to: number): boolean {
  let slashes = 0;
  let letters = false;
  let suffix = false;
  for (let i = from; i < to; i++) {
    const code = bytes[i]!;
    if (code === 0x2f) slashes++;
    else if (isLetter(code) || code >= 0x80) {
      letters = true;
      if (slashes === 1 && bytes[i - 1] === 0x2e) suffix = true;
    }
  }
  // 13/Jan/2026 is a date.
  if (slashes > 1) return letters && !(to - from === 11 && isCalendarName(bytes, from + 3, from, to));
  const first = bytes[from];
  if (first === 0x2f) return to > from + 1 && (SHAPE_BITS[bytes[from + 1]!]! & WORD_PART) !== 0;
  if (first === 0x7e || first === 0x2e) return bytes[from + 1] === 0x2f || bytes[from + 2] === 0x2f;
  return suffix;
}

/**
 * Returns the end of the URL or path that begins with `scheme://` or `C:\`, with the scheme at `from` and `:` at
 * `colon`; `colon` if there is none.
 */
export function addressEnd(bytes: Uint8Array, from: number, colon: number, limit: number): number {
  const isDrive = bytes[colon + 1] === 0x5c && colon === from + 1;
  if (!isDrive && (bytes[colon + 1] !== 0x2f || bytes[colon + 2] !== 0x2f)) return colon;
  if (colon + 1 >= limit || colon === from) return colon;
  for (let i = from; i < colon; i++) if (!isLetter(bytes[i]!) && bytes[i] !== 0x2b) return colon;
  let i = colon + 1;
  while (i < limit && !endsAddress(bytes[i]!, isDrive)) i++;
  return i;
}

function endsAddress(code: number, isDrive: boolean): boolean {
  const kind = SHAPE_BITS[code]!;
  if ((kind & (WORD_PART | JOIN | SLASH)) !== 0 || code === 0x5c) return false;
  if (isDrive || (kind & (BLANK | CONTROL)) !== 0) return true;
  return '"\'`<>)]},'.includes(String.fromCharCode(code));
}

function packed(name: string): number {
  return name.charCodeAt(0) | (name.charCodeAt(1) << 8) | (name.charCodeAt(2) << 16);
}

const MONTHS = new Set(
  ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'].map(packed),
);
const DAYS = new Set(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].map(packed));
/** Names of months and days: their three bytes in one number, the first lowest. */
export const CALENDAR_NAMES: ReadonlySet<number> = new Set([...MONTHS, ...DAYS]);

/** Whether the three letters at `at` name a month beside a day (`Jan 13`, `13/Jan`), or a day before a date. */
export function isCalendarName(bytes: Uint8Array, at: number, start: number, limit: number): boolean {
  const first = bytes[at]!;
  if (first < 0x41 || first > 0x57) return false;
  const name = first | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16);
  const isMonth = MONTHS.has(name);
  if (!isMonth && !DAYS.has(name)) return false;
  let i = at + 3;
  if (i < limit && (bytes[i] === 0x2f || bytes[i] === 0x2d || bytes[i] === 0x2c)) i++;
  while (i < limit && i < at + 6 && (bytes[i] === 0x20 || bytes[i] === 0x09)) i++;
  if (i >= limit || i === at + 3) return false;
  if (isDigit(bytes[i])) return isMonth || at === start || bytes[at + 3] === 0x2c;
  return !isMonth && i + 2 < limit && MONTHS.has(bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16));
}

/** Whether a word without digits belongs to the number before it: `ff` of a hex dump, `deaf` of a UUID. */
function isHexPart(bytes: Uint8Array, from: number, to: number): boolean {
  const size = to - from;
  if (size !== 2 && ((size !== 4 && size !== 8 && size !== 12) || bytes[from - 1] !== 0x2d)) return false;
  for (let i = from; i < to; i++) {
    const code = bytes[i]! | 0x20;
    if (code < 0x61 || code > 0x66) return false;
  }
  return true;
}
