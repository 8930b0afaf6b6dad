/** Whether a word in a line tells the line's severity; levels.ts states the rules. */
import type { Codes } from './codes.ts';
import { asciiText, isBlank, isCapital, isDigit, isLetter, isQuote, standsAt } from './codes.ts';
import {
  type KnownWord,
  knownWord,
  LEVEL_WORDS,
  type Level,
  PRIORITY_KEY,
  SYSLOG_LEVELS,
} from './level-words.ts';

/** `isField`: the word is the key of a level field. */
type WordLevel = { level: Level; isField: boolean };

const LONGEST_WORD_CHARS = 64;

/** The severity named by the word `from`-`to` in the line `start`-`end`; null when it names none. */
export function levelAtWord(
  codes: Codes,
  start: number,
  end: number,
  from: number,
  to: number,
): WordLevel | null {
  if (to - from > LONGEST_WORD_CHARS) return null;
  const after = to < end ? codes[to]! : 0;
  const before = from > start ? codes[from - 1]! : 0;
  if (isDigit(before) || isDigit(after)) return null;
  const known = from > start ? knownField(codes, from - 1, end) : null;
  if (known !== null) return known;
  const word = knownWord(codes, from, to);
  if (word !== null) {
    const field = fieldLevel(codes, to, end, before, word);
    if (field !== null) {
      const told: WordLevel = { level: field.level, isField: true };
      if (from > start && field.end < end) remember(codes, from - 1, field.end + 1, told);
      return told;
    }
    const at: Word = { codes, start, end, from, to, before, after, word };
    if (word.level !== null && tells(at) && !isPartOfName(at) && !isDenied(at, word.level))
      return { level: word.level, isField: false };
  }
  const level =
    namedLevel(codes, start, end, from, to) ?? phraseLevel(codes, start, end, from, to, word?.text);
  return level === null ? null : { level, isField: false };
}

const MAX_FIELDS = 8;
/** Cache of fields that told a level, each with the characters around it. A log's lines have the same few. */
const fields: { codes: number[]; told: WordLevel }[] = [];

function knownField(codes: Codes, from: number, end: number): WordLevel | null {
  for (const { codes: field, told } of fields) {
    if (field.length > end - from) continue;
    let i = 0;
    while (i < field.length && codes[from + i] === field[i]) i++;
    if (i === field.length) return told;
  }
  return null;
}

function remember(codes: Codes, from: number, end: number, told: WordLevel): void {
  if (fields.length === MAX_FIELDS) fields.shift();
  fields.push({ codes: Array.from(codes.subarray(from, end)), told });
}

/** A known word from `from` up to `to`, and the characters around it; 0 at the line's ends. */
type Word = {
  codes: Codes;
  start: number;
  end: number;
  from: number;
  to: number;
  before: number;
  after: number;
  word: KnownWord;
};

function tells(at: Word): boolean {
  return isAllCapitals(at) || isBracketed(at) || isBeforeColon(at) || isCoded(at) || isSetApart(at);
}

function isAllCapitals({ codes, from, to }: Word): boolean {
  for (let i = from; i < to; i++) if (codes[i]! >= 0x61 && codes[i]! <= 0x7a) return false;
  return true;
}

/** `[error]`, `[core:error]`, `[Server thread/INFO]`, `<info>`. */
function isBracketed({ before, after }: Word): boolean {
  if (after === 0x3e) return before === 0x3c;
  return after === 0x5d && (before === 0x5b || before === 0x3a || before === 0x2f);
}

/** `error: x`, but not `Error::Kind` or `error://`. */
function isBeforeColon({ codes, end, to, after, before, word }: Word): boolean {
  if (after !== 0x3a || word.isPlainEnglish || isQuote(before)) return false;
  const next = to + 1 < end ? codes[to + 1] : 0;
  return next !== 0x3a && next !== 0x2f;
}

/** `error[E0308]`, `error TS2304:`, `warning C4996`. */
function isCoded({ codes, end, to, after, word }: Word): boolean {
  if (word.text !== 'error' && word.text !== 'warning') return false;
  if (after !== 0x5b && after !== 0x20) return false;
  let i = to + 1;
  while (i < end && i < to + 9 && isCapital(codes[i]!)) i++;
  return i > to + 1 && i + 1 < end && isDigit(codes[i]) && isDigit(codes[i + 1]);
}

/** At the start of the line before a capital, quote or dash; after `npm `; or between wide gaps. */
function isSetApart({ codes, start, end, from, to, before, after, word }: Word): boolean {
  if (word.isPlainEnglish || word.text === 'fail' || !isBlank(after)) return false;
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
function isPartOfName({ codes, end, to, before, after }: Word): boolean {
  if (before === 0x2d || before === 0x2e || before === 0x24 || before === 0x40 || before === 0x23)
    return true;
  if (before === 0x2f && after !== 0x5d) return true;
  if (after === 0x28 || after === 0x3d || (after === 0x2f && before !== 0x5b && !isBlank(before)))
    return true;
  if (after !== 0x2e && after !== 0x2d) return false;
  const next = to + 1 < end ? codes[to + 1]! : 0;
  return isLetter(next) || isDigit(next);
}

/** Counted as zero, or negated: `0 ERROR`, `no error:`, `ERROR: 0`, `error: null`. */
function isDenied({ codes, start, end, from, to, after }: Word, level: Level): boolean {
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

const LONGEST_VALUE_CHARS = 16;

/** Levels as pino and bunyan number them. */
const NUMBERS: Record<string, Level> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};

/**
 * The level of the field whose key `key` ends at `to`: `level=warn`, `"level": "error"`, `"level":50`,
 * `"PRIORITY":"3"`, and where the value ends; else null.
 */
function fieldLevel(
  codes: Codes,
  to: number,
  end: number,
  before: number,
  key: KnownWord,
): { level: Level; end: number } | null {
  const isPriority =
    !key.isLevelKey && isQuote(before) && standsAt(codes, to - PRIORITY_KEY.length, end, PRIORITY_KEY);
  // Options such as --log-level=debug say what should be logged.
  if ((!isPriority && !key.isLevelKey) || before === 0x2d) return null;
  let i = to;
  const quoted = i < end && isQuote(codes[i]);
  if (quoted) {
    i++;
    while (i < end && isBlank(codes[i])) i++;
  }
  const separator = i < end ? codes[i] : 0;
  if (separator !== 0x3d && separator !== 0x3a) return null;
  i++;
  if (separator === 0x3a) while (i < end && isBlank(codes[i])) i++;
  if (i < end && isQuote(codes[i])) i++;
  const value = i;
  while (i < end && i - value < LONGEST_VALUE_CHARS && (isLetter(codes[i]!) || isDigit(codes[i]))) i++;
  const text = asciiText(codes, value, i).toLowerCase();
  const isSyslog = isPriority && text.length === 1 && isDigit(codes[value]);
  const numbered = isSyslog ? SYSLOG_LEVELS[Number(text)] : quoted && !isPriority ? NUMBERS[text] : undefined;
  const level = LEVEL_WORDS.get(text) ?? numbered;
  return level === undefined ? null : { level, end: i };
}

const NAME = /^[A-Z]\w*(?:(Error|Exception)|Warning)$/;

/**
 * `TypeError: x`, `java.io.IOException: x`, such a name alone on its line, `Error [ERR_X]: x`, `UserWarning: x`,
 * `Exception in thread`; the word stands from `from` up to `to` in the line from `start` up to `end`.
 */
function namedLevel(codes: Codes, start: number, end: number, from: number, to: number): Level | null {
  if (!isCapital(codes[from]!)) return null;
  const word = asciiText(codes, from, to);
  if (word === 'Exception' && standsAt(codes, to, end, ' in thread')) return 'error';
  const name = NAME.exec(word);
  if (name === null) return word === 'Error' && isBeforeCode(codes, to, end) ? 'error' : null;
  const level = name[1] === undefined ? 'warn' : 'error';
  if (to < end && codes[to] === 0x3a) return to + 1 < end && isBlank(codes[to + 1]) ? level : null;
  if (isBeforeCode(codes, to, end)) return level;
  if (to < end || level === 'warn') return null;
  let i = from;
  while (i > start && isNameCode(codes[i - 1]!)) i--;
  return i === start ? level : null;
}

/** The severity of a phrase, by the word that leads to it, in lower case. */
function phraseLevel(
  codes: Codes,
  start: number,
  end: number,
  from: number,
  to: number,
  word: string | undefined,
): Level | null {
  switch (word) {
    case 'traceback':
      return standsAt(codes, to, end, ' (most recent call') ? 'error' : null;
    case 'panicked':
      return standsAt(codes, to, end, ' at') ? 'fatal' : null;
    case 'panic':
      return from >= start + 7 && standsAt(codes, from - 7, end, 'Kernel ') ? 'fatal' : null;
    case 'segmentation':
      return standsAt(codes, to, end, ' fault') ? 'error' : null;
    case 'dumped':
      return from >= start + 5 && standsAt(codes, from - 5, end, 'core ') ? 'error' : null;
    case 'fatal':
      return standsAt(codes, to, end, ' error:') ? 'fatal' : null;
    default:
      return null;
  }
}

/** ` [ERR_MODULE_NOT_FOUND]`, as Node writes codes. */
function isBeforeCode(codes: Codes, to: number, end: number): boolean {
  return to + 2 < end && codes[to] === 0x20 && codes[to + 1] === 0x5b && isCapital(codes[to + 2]!);
}

function isNameCode(code: number): boolean {
  return isLetter(code) || isDigit(code) || code === 0x2e || code === 0x5f || code === 0x24;
}
