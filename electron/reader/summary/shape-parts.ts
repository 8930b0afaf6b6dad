/** Finds the parts of a line of UTF-8 that its shape masks. Reading stops at controls and before `limit`. */
import { isDigit, isLetter } from '../../../shared/text/codes.ts';
import { BLANK, CONTROL, JOIN, SHAPE_BITS, SLASH, WORD_PART } from './shape-bytes.ts';

/**
 * Returns the end of the quoted word at `at`, or `at` if there is none to mask. Masks `'x'` and `x'` where no word
 * ends, and `"x"` where a word begins; not keys, and not values of fields, which are often the message.
 */
export function quotedEnd(bytes: Uint8Array, at: number, start: number, limit: number): number {
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
export function isPath(bytes: Uint8Array, from: number, to: number): boolean {
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
export function isHexPart(bytes: Uint8Array, from: number, to: number): boolean {
  const size = to - from;
  if (size !== 2 && ((size !== 4 && size !== 8 && size !== 12) || bytes[from - 1] !== 0x2d)) return false;
  for (let i = from; i < to; i++) {
    const code = bytes[i]! | 0x20;
    if (code < 0x61 || code > 0x66) return false;
  }
  return true;
}
