/**
 * Finds the keywords of rules for secrets, in one pass over a text, and drops those with nothing secret around them.
 *
 * A character has a code of five bits. Case does not count. Four codes in a row have a bit in a
 * table. Keywords are compared only where that bit is set. The pass reads two characters at a time, which is twice as
 * fast; for that, each keyword has two neighbouring fours in the table.
 */

export interface Trigger {
  /** ASCII, in lower case unless `exact`. */
  text: string;
  /** Whether only this case is meant. */
  exact?: boolean | undefined;
  /** No letter, digit or underscore is before it. Needed for texts of one character. */
  starts?: boolean | undefined;
  /** Returns false where what is around the keyword from `at` to `end` rules a secret out. */
  check?: ((chars: Uint8Array, at: number, end: number) => boolean) | undefined;
}

type Hit<T> = (target: T, at: number, end: number) => void;

interface Entry<T> {
  target: T;
  trigger: Trigger;
  /** How far behind the first character of the keyword the four end. */
  ends: number;
}

const OTHER = 0;
const DIGIT = 27;
/** Digits are two codes, or each date would look like a port in a keyword. Two rare letters share one instead. */
const MIDDLE_DIGITS = '234';
const LETTERS = 'abcdefghijklmnoprstuvwxyz';
/** Further characters of keywords. */
const SIGNS = '_-.';
const RARE_SIGNS = '/:=~$%';
const CODES = Uint8Array.from({ length: 256 }, (_, code) => {
  const character = String.fromCharCode(code).toLowerCase().replace('q', 'j');
  if (code < 128 && /[a-z]/.test(character)) return LETTERS.indexOf(character) + 1;
  if (code < 128 && /\d/.test(character)) return MIDDLE_DIGITS.includes(character) ? DIGIT - 1 : DIGIT;
  const sign = SIGNS.indexOf(character);
  if (sign >= 0) return DIGIT + 1 + sign;
  return RARE_SIGNS.includes(character) ? 31 : OTHER;
});
const ANY: readonly number[] = Array.from({ length: 32 }, (_, code) => code);
const ALONE: readonly (readonly number[])[] = ANY.map((code) => [code]);
const NO_WORD = [OTHER, 29, 30, 31];
/** How rare each code is in English and in logs: 0 for blanks, digits and e, the most frequent letter. */
const RARITY = ANY.map((code) =>
  code > 0 && code < DIGIT - 1
    ? 'etaoinsrhldcumfpgwybvkxjz'.indexOf(LETTERS[code - 1]!)
    : code > DIGIT
      ? 12
      : 0,
);

export class Triggers<T> {
  readonly #bits = new Int32Array(1 << 15);
  readonly #codes = codesOfPairs();
  /** By the four; by their first three, in its complement, where the last may be any. */
  readonly #entries = new Map<number, Entry<T>[]>();

  add(target: T, trigger: Trigger): void {
    const { text, starts = false } = trigger;
    let row = Array.from(text, (one) => ALONE[CODES[one.charCodeAt(0)]!]!);
    if (starts) row.unshift(NO_WORD);
    while (row.length < 3) row.push(ANY);
    const isPadded = row.length < 5;
    if (isPadded) row = [ANY, ...row, ANY];
    const at = rarest(row);
    for (const from of [at, at + 1]) {
      const entry = { target, trigger, ends: from + 3 - Number(starts) - Number(isPadded) };
      const put = (key: number) => {
        const known = this.#entries.get(key);
        if (known) known.push(entry);
        else this.#entries.set(key, [entry]);
      };
      const [a, b, c, d] = row.slice(from, from + 4);
      for (const first of a!)
        for (const second of b!)
          for (const third of c!) {
            const three = (((first << 5) | second) << 5) | third;
            if (d === ANY) {
              this.#bits[three] = -1;
              put(~three);
              continue;
            }
            for (const fourth of d!) {
              this.#bits[three]! |= 1 << fourth;
              put((three << 5) | fourth);
            }
          }
    }
  }

  /** Calls `hit` for each keyword, from the first on. */
  find(chars: Chars, hit: Hit<T>): void {
    const { pairs } = chars;
    const codes = this.#codes;
    for (let i = this.#next(pairs, 0); i < pairs.length; i = this.#next(pairs, i + 1)) {
      const four = ((i > 0 ? codes[pairs[i - 1]!]! : 0) << 10) | codes[pairs[i]!]!;
      this.#try(this.#entries.get(four), 2 * i + 1, chars, hit);
      if (this.#bits[four >>> 5] === -1) this.#try(this.#entries.get(~(four >>> 5)), 2 * i + 1, chars, hit);
    }
  }

  /** `last` is where the four end. */
  #try(entries: Entry<T>[] | undefined, last: number, { bytes, length }: Chars, hit: Hit<T>): void {
    if (entries === undefined) return;
    for (let k = 0; k < entries.length; k += 1) {
      const { target, trigger, ends } = entries[k]!;
      const at = last - ends;
      const end = at + trigger.text.length;
      if (at < 0 || end > length || !isAt(bytes, at, trigger)) continue;
      if (trigger.check === undefined || trigger.check(bytes, at, end)) hit(target, at, end);
    }
  }

  /**
   * Returns the next pair that ends a four of some keyword. A function of its own, as V8 then compiles it better.
   */
  #next(pairs: Uint16Array, from: number): number {
    const bits = this.#bits;
    const codes = this.#codes;
    const { length } = pairs;
    let before = from > 0 ? codes[pairs[from - 1]!]! : 0;
    for (let i = from; i < length; i += 1) {
      const code = codes[pairs[i]!]!;
      if ((bits[(before << 5) | (code >>> 5)]! & (1 << (code & 31))) !== 0) return i;
      before = code;
    }
    return length;
  }
}

/** The codes of two characters, by their bytes. */
function codesOfPairs(): Uint16Array {
  const first = Uint16Array.from(CODES, (code) => code << 5);
  const rows = ANY.map((code) => first.map((one) => one | code));
  const codes = new Uint16Array(1 << 16);
  for (let second = 0; second < 256; second += 1) codes.set(rows[CODES[second]!]!, second << 8);
  return codes;
}

function isAt(chars: Uint8Array, at: number, { text, exact = false, starts = false }: Trigger): boolean {
  if (starts && at > 0 && isWordChar(chars[at - 1]!)) return false;
  for (let i = 0; i < text.length; i += 1) {
    const code = chars[at + i]!;
    const lower = !exact && code >= 65 && code <= 90 ? code + 32 : code;
    if (lower !== text.charCodeAt(i)) return false;
  }
  return true;
}

export function isWordChar(code: number): boolean {
  const one = CODES[code]!;
  return one >= 1 && one <= DIGIT + 1;
}

/** Where the five begin whose fours are the least frequent in texts. */
function rarest(row: readonly (readonly number[])[]): number {
  const rarity = (codes: readonly number[]) =>
    codes.length > 1 ? (codes === ANY ? 0 : 2) : RARITY[codes[0]!]!;
  let best = 0;
  let most = -1;
  let sum = 0;
  for (let last = 0; last < row.length; last += 1) {
    sum += rarity(row[last]!) - (last < 5 ? 0 : rarity(row[last - 5]!));
    if (last >= 4 && sum >= most) [best, most] = [last - 4, sum];
  }
  return best;
}

const ASCII = String.fromCharCode(...Array.from({ length: 128 }, (_, code) => code));

/** Marks the characters that an expression matches, as `charsOf` gives them. */
export function charSet(one: RegExp): Uint8Array {
  const set = new Uint8Array(129);
  for (const { index } of ASCII.matchAll(new RegExp(one, 'g'))) set[index] = 1;
  set[OTHER_CHAR] = Number(one.test('é') || one.test('\u00a0'));
  return set;
}

/** Returns the first place from `at` on whose character is not in the set. */
export function behind(chars: Uint8Array, at: number, set: Uint8Array): number {
  let to = at;
  while (set[chars[to]!] === 1) to += 1;
  return to;
}

/** Returns where the characters of the set begin that end before `at`. */
export function startOf(chars: Uint8Array, at: number, set: Uint8Array): number {
  let from = at;
  while (set[chars[from - 1]!] === 1) from -= 1;
  return from;
}

/** Stands for all characters but ASCII. */
const OTHER_CHAR = 128;
const END = 255;

/** A text's characters, each in a byte. Behind the last are bytes that are in no set. */
export interface Chars {
  bytes: Uint8Array;
  /** The same bytes, by two. */
  pairs: Uint16Array;
  length: number;
}

/** Node and browsers have it; this folder has the types of neither. */
declare const TextEncoder: new () => { encodeInto(text: string, into: Uint8Array): { written: number } };
const encoder = new TextEncoder();
let held = new Uint8Array(0);

/** The result is valid up to the next call. */
export function charsOf(text: string): Chars {
  const { length } = text;
  if (held.length < 3 * length + 2) held = new Uint8Array(Math.max(3 * length + 5, 1 << 16) & ~3);
  const { written } = encoder.encodeInto(text, held);
  if (written > length) shorten(held, written);
  held.fill(END, length, length + 2);
  return { bytes: held, pairs: new Uint16Array(held.buffer, 0, (length + 2) >> 1), length };
}

/** Makes of UTF-8 a byte for each unit of UTF-16. Moves runs of ASCII whole. */
function shorten(bytes: Uint8Array, length: number): void {
  const words = new Int32Array(bytes.buffer, 0, bytes.length >> 2);
  let to = 0;
  for (let from = 0; from < length; ) {
    let end = from;
    while (end < length && bytes[end]! < 128)
      if ((end & 3) === 0 && end + 4 <= length && (words[end >> 2]! & 0x80808080) === 0) end += 4;
      else end += 1;
    if (to !== from) bytes.copyWithin(to, from, end);
    to += end - from;
    for (from = end; bytes[from]! >= 128 && from < length; from += 1) {
      const byte = bytes[from]!;
      if (byte >= 192) bytes[to++] = OTHER_CHAR;
      if (byte >= 240) bytes[to++] = OTHER_CHAR;
    }
  }
}
