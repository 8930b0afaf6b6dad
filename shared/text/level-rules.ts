/** Whether the word at a place of a line tells the line's severity; the rules are stated in levels.ts. */
import type { Codes } from './codes.ts';
import { asciiText, isBlank, isCapital, isDigit, isLetter, isQuote, standsAt } from './codes.ts';
import { fieldLevel } from './level-field.ts';
import { namedLevel, phraseLevel } from './level-phrases.ts';
import { LEVEL_WORDS, PLAIN_ENGLISH } from './level-words.ts';
import type { Level } from './levels.ts';

/** `isField`: it is the value of a field for it. */
export type WordLevel = { level: Level; isField: boolean };

const LONGEST_WORD = 64;

/**
 * `from` up to `to` is a word of letters, underscores and characters beyond ASCII in the line from `start` up to
 * `end`.
 */
export function levelAtWord(
  codes: Codes,
  start: number,
  end: number,
  from: number,
  to: number,
): WordLevel | null {
  if (to - from > LONGEST_WORD) return null;
  const after = to < end ? codes[to]! : 0;
  const before = from > start ? codes[from - 1]! : 0;
  if (isDigit(before) || isDigit(after)) return null;
  const word = asciiText(codes, from, to);
  const lower = word.toLowerCase();
  const field = fieldLevel(codes, to, end, before, lower);
  if (field !== null) return { level: field, isField: true };
  let level = LEVEL_WORDS.get(lower) ?? null;
  if (level !== null) {
    const place: Place = { codes, start, end, from, to, before, after, lower };
    if (!tells(place, word) || isPartOfName(place) || isDenied(place, level)) level = null;
  }
  level ??= namedLevel(codes, start, end, from, to, word) ?? phraseLevel(codes, start, end, from, to, lower);
  return level === null ? null : { level, isField: false };
}

/** A word from `from` up to `to`, in lower case `lower`, and the characters around it; 0 at the line's ends. */
type Place = {
  codes: Codes;
  start: number;
  end: number;
  from: number;
  to: number;
  before: number;
  after: number;
  lower: string;
};

function tells(place: Place, word: string): boolean {
  return (
    word === word.toUpperCase() ||
    isBracketed(place) ||
    isBeforeColon(place) ||
    isCoded(place) ||
    isSetApart(place)
  );
}

/** `[error]`, `[core:error]`, `[Server thread/INFO]`, `<info>`. */
function isBracketed({ before, after }: Place): boolean {
  if (after === 0x3e) return before === 0x3c;
  return after === 0x5d && (before === 0x5b || before === 0x3a || before === 0x2f);
}

/** `error: x`, but not `Error::Kind` or `error://`. */
function isBeforeColon({ codes, end, to, after, before, lower }: Place): boolean {
  if (after !== 0x3a || PLAIN_ENGLISH.has(lower) || isQuote(before)) return false;
  const next = to + 1 < end ? codes[to + 1] : 0;
  return next !== 0x3a && next !== 0x2f;
}

/** `error[E0308]`, `error TS2304:`, `warning C4996`. */
function isCoded({ codes, end, to, after, lower }: Place): boolean {
  if (lower !== 'error' && lower !== 'warning') return false;
  if (after !== 0x5b && after !== 0x20) return false;
  let i = to + 1;
  while (i < end && i < to + 9 && isCapital(codes[i]!)) i++;
  return i > to + 1 && i + 1 < end && isDigit(codes[i]) && isDigit(codes[i + 1]);
}

/** At the start of the line before a capital, quote or dash; after `npm `; or between wide gaps. */
function isSetApart({ codes, start, end, from, to, before, after, lower }: Place): boolean {
  if (PLAIN_ENGLISH.has(lower) || lower === 'fail' || !isBlank(after)) return false;
  if (from === start) {
    let i = to;
    while (i < end && isBlank(codes[i])) i++;
    const next = i < end ? codes[i]! : 0;
    return isCapital(next) || isQuote(next) || next === 0x2d;
  }
  if (from === start + 4 && standsAt(codes, start, end, 'npm ')) return true;
  const gapAfter = to + 1 < end && isBlank(codes[to + 1]);
  return gapAfter && from >= start + 2 && isBlank(before) && isBlank(codes[from - 2]);
}

/** Part of a path, option, variable or member: `ERROR.log`, `x.ERROR`, `--DEBUG`, `DEBUG=1`, `ERROR-prone`. */
function isPartOfName({ codes, end, to, before, after }: Place): boolean {
  if (before === 0x2d || before === 0x2e || before === 0x24 || before === 0x40 || before === 0x23)
    return true;
  if (before === 0x2f && after !== 0x5d) return true;
  if (after === 0x28 || after === 0x3d || (after === 0x2f && before !== 0x5b && !isBlank(before)))
    return true;
  if (after !== 0x2e && after !== 0x2d) return false;
  const next = to + 1 < end ? codes[to + 1]! : 0;
  return isLetter(next) || isDigit(next);
}

/** Counted as none, or said not to be: `0 ERROR`, `no error:`, `ERROR: 0`, `error: null`. */
function isDenied({ codes, start, end, from, to, after }: Place, level: Level): boolean {
  if (level !== 'fatal' && level !== 'error' && level !== 'warn') return false;
  let i = from;
  while (i > start && isBlank(codes[i - 1])) i--;
  if (i < from) {
    let word = i;
    while (word > start && i - word < 8 && !isBlank(codes[word - 1])) word--;
    if (DENIALS.has(asciiText(codes, word, i).toLowerCase())) return true;
  }
  if (after !== 0x3a) return false;
  i = to + 1;
  while (i < end && isBlank(codes[i])) i++;
  const value = i;
  while (i < end && i - value < 10 && (isLetter(codes[i]!) || isDigit(codes[i]))) i++;
  const next = i < end ? codes[i] : 0x2c;
  const isAll = next === 0x2c || next === 0x3b || next === 0x29 || next === 0x5d || next === 0x7d;
  return isAll && NOTHING.has(asciiText(codes, value, i).toLowerCase());
}

const DENIALS = new Set(['0', 'no', 'non', 'not', 'without', 'zero', 'any', 'if', 'on']);
const NOTHING = new Set(['0', 'null', 'nil', 'none', 'undefined', 'false', 'no']);
