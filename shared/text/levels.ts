/**
 * The severity of one line of text, for the summary's counts and the window's marks alike.
 *
 * The first of these in the line decides; in a line that is a JSON object a level field decides wherever it is:
 * - a level field: `level=warn`, `"level":"error"`, `lvl=eror`, `"severity": "ERROR"`, `"level":50`,
 *   journald's `"PRIORITY":"3"` and line `PRIORITY=3`
 * - a word of severity in capitals: `ERROR`, `WARN`, `[INFO]`, `ERR!`, `--- FAIL`, `BUILD FAILED`
 * - in any case, in brackets (`[error]`, `[core:warn]`, `<info>`) or before a colon (`error:`, `Warning:`,
 *   `fatal:`, `x.c:3:5: error: …`)
 * - `error` or `warning` before a code (`error[E0308]`, `error TS2304:`), as a column of its own (eslint), or at
 *   the start of a line before a capital (yarn); any severity after `npm `
 * - `TypeError: …`, `java.io.IOException: …`, such a name alone on its line, `Error [ERR_X]: …`,
 *   `UserWarning: …`, `Exception in thread`
 * - `=CRASH REPORT====` and other reports of Erlang's, `Traceback (most recent call last)`, `panicked at`,
 *   `Kernel panic`, `core dumped`, `Segmentation fault`
 * - fields of one letter: MongoDB's `"s":"E"`, Serilog's `"@l":"Error"`; Monolog's `app.ERROR:` behind its time
 * - a letter in brackets (`[E]`); syslog's facility and severity (`daemon.err`) behind its time
 * - behind a time that begins the line, and numbers: a severity in any case, a letter (`E`, Telegraf's `E!`, Android's
 *   `E/Tag:`), ESXi's `Er(11)`
 * - Redis's sign behind its time, SSSD's bit in parentheses
 * - a cell of CSV (`1,error,x`); Cisco's `%ASA-3-106014:` and `%LINK-3-UPDOWN:`; TeamCity's `[10:00:00]E:`
 * - at the start: klog `E0113 10:30:00.0`, CUPS `E [01/Mar/2026:…`, Android `E/Tag:`, kernel `<3>`, apt's `E: `,
 *   pytest's `E   `, TAP's `not ok `, make's `***`
 *
 * Not a severity: part of a longer word or name (`error_handler.c`, `ErrorCode`, `errors`, `--debug`,
 * `DEBUG=1`, `--log-level=debug`), a word in lower case in a sentence, and what is counted as zero or negated:
 * `0 errors`, `no error:`, `ERROR: 0`, `error: null`.
 */
import {
  asciiText,
  type Codes,
  isBlank,
  isCapital,
  isDigit,
  isLetter,
  isQuote,
  patternAt,
  standsAt,
} from './codes.ts';
import {
  type KnownWord,
  knownWord,
  LEVEL_WORDS,
  type Level,
  mayTellLevel,
  PRIORITY_KEY,
  SYSLOG_LEVELS,
} from './level-words.ts';

/** Whether a line of this severity is one of the errors a summary lists. */
export function isErrorLevel(level: Level | null): boolean {
  return level === 'error' || level === 'fatal';
}

/** The severity of a line of line text; null when it tells none. */
export function levelOf(text: string): Level | null {
  if (scratch.length < text.length) scratch = new Uint16Array(text.length + 1024);
  const codes = scratch;
  for (let i = 0; i < text.length; i++) codes[i] = text.charCodeAt(i);
  const level = levelOfCodes(codes, 0, text.length);
  if (codes.length > KEPT_CODES) scratch = new Uint16Array(1024);
  return level;
}

/**
 * As `levelOf`, of the line from `start` up to `end` of UTF-8 bytes or UTF-16 code units. Words that begin before
 * `from`, or from `to` on, are known to tell none.
 */
export function levelOfCodes(codes: Codes, start: number, end: number, from = start, to = end): Level | null {
  isToldByDigits = false;
  const first = startLevel(codes, start, end);
  if (first !== null) return first;
  const isObject = codes[start] === 0x7b;
  let found: Level | null = null;
  let i = from;
  while (i < to) {
    while (i < to && !isWordCode(codes[i]!)) i++;
    const word = i;
    while (i < end && isWordCode(codes[i]!)) i++;
    if (i === word || !mayTellLevel(codes, word, i)) continue;
    const match = levelAtWord(codes, start, end, word, i);
    if (match === null) continue;
    if (match.isField || !isObject) return match.level;
    found ??= match.level;
  }
  return found;
}

/** Whether other digits in the line could have changed what `levelOfCodes` returned last. */
export let isToldByDigits = false;

/** Letters, underscore, and all beyond ASCII. */
function isWordCode(code: number): boolean {
  const letter = (code | 0x20) - 0x61;
  return (letter >= 0 && letter < 26) || code === 0x5f || code >= 0x80;
}

/** The longest scratch array kept between calls, in code units. */
const KEPT_CODES = 1 << 16;
let scratch = new Uint16Array(1024);

// Whether a word in a line tells the line's severity; levels.ts states the rules.

/** `isField`: the word is the key of a level field. */
type WordLevel = { level: Level; isField: boolean };

const LONGEST_WORD_CHARS = 64;

/** The severity named by the word `from`-`to` in the line `start`-`end`; null when it names none. */
function levelAtWord(codes: Codes, start: number, end: number, from: number, to: number): WordLevel | null {
  if (to - from > LONGEST_WORD_CHARS) return null;
  const after = to < end ? codes[to]! : 0;
  const before = from > start ? codes[from - 1]! : 0;
  if (isDigit(before) || isDigit(after)) return null;
  if (to - from === 1)
    return letterBehindTime(codes, start, end, from) ?? letterInBrackets(codes, start, end, from);
  if (before === 0x25 && after === 0x2d) {
    const level = numberedLevel(codes, to, end);
    return level === null ? null : { level, isField: false };
  }
  const word = knownWord(codes, from, to);
  if (word !== null) {
    const field = fieldLevel(codes, start, to, end, before, word);
    if (field !== null) return { level: field, isField: true };
    const at: Word = { codes, start, end, from, to, before, after, word };
    if (
      word.level !== null &&
      (isOfFacility(at) || (tells(at) && !isPartOfName(at) && !isDenied(at, word.level)))
    )
      return { level: word.level, isField: false };
  }
  const level =
    namedLevel(codes, start, end, from, to) ?? phraseLevel(codes, start, end, from, to, word?.text);
  return level === null ? null : { level, isField: false };
}

/** `[10:00:00]E: x`, as TeamCity writes it, and `[ 03-01 10:00:00.123 1:2 E/Tag ]`, as logcat does in its long form. */
function letterBehindTime(codes: Codes, start: number, end: number, at: number): WordLevel | null {
  const isTeamCity =
    at - start === 10 && patternAt(codes, start, end, '[dd:dd:dd]') && codes[at + 1] === 0x3a;
  const isLong =
    codes[at + 1] === 0x2f && codes[at - 1] === 0x20 && patternAt(codes, start, end, '[ dd-dd dd:dd:dd');
  const level = isTeamCity || isLong ? LETTERS[codes[at]!] : undefined;
  return level === undefined ? null : { level, isField: false };
}

/** `-3-`, as Cisco's devices write syslog's number behind `%ASA` and the like. */
function numberedLevel(codes: Codes, at: number, end: number): Level | null {
  if (!patternAt(codes, at, end, '-d-')) return null;
  isToldByDigits = true;
  return SYSLOG_LEVELS[codes[at + 1]! - 0x30] ?? null;
}

/** `[E]`, as Gitea and others write it, between blanks: first in the line, or behind a number. */
function letterInBrackets(codes: Codes, start: number, end: number, at: number): WordLevel | null {
  if (at === start || codes[at - 1] !== 0x5b || codes[at + 1] !== 0x5d || at + 1 >= end) return null;
  if ((at - 1 > start && !isBlank(codes[at - 2])) || (at + 2 < end && !isBlank(codes[at + 2]))) return null;
  const level = LETTERS[codes[at]!];
  if (level === undefined) return null;
  const first = Math.max(start, at - STAMPED_WITHIN_CHARS);
  let i = at - 1;
  while (i > first && !isDigit(codes[i - 1])) i--;
  return i > first || at === start + 1 ? { level, isField: false } : null;
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
  return (
    isAllCapitals(at) || isBracketed(at) || isBeforeColon(at) || isCoded(at) || isSetApart(at) || isCell(at)
  );
}

/** Not the last of several words in parentheses, as an argument is: `(x ERROR)`. */
function isAllCapitals({ codes, from, to, before, after }: Word): boolean {
  if (after === 0x29 && before === 0x20) return false;
  for (let i = from; i < to; i++) if (codes[i]! >= 0x61 && codes[i]! <= 0x7a) return false;
  return true;
}

/** `[error]`, `[ warn]`, `[warning  ]`, `[core:error]`, `[Server thread/INFO]`, `<info>`, `(err): `. */
function isBracketed({ codes, start, end, from, to, before, after }: Word): boolean {
  if (after === 0x3e) return before === 0x3c;
  if (after === 0x29) return before === 0x28 && to + 1 < end && codes[to + 1] === 0x3a;
  if (after === 0x20 || before === 0x20) {
    let [first, last] = [from, to];
    while (last < end && codes[last] === 0x20) last++;
    while (first > start && codes[first - 1] === 0x20) first--;
    return last < end && codes[last] === 0x5d && first > start && codes[first - 1] === 0x5b;
  }
  return after === 0x5d && (before === 0x5b || before === 0x3a || before === 0x2f);
}

/** A cell of CSV: `…,"error",…`; `1,error,…` in a line that begins with a number; `Error,3/1/2026 …`. */
function isCell({ codes, start, end, from, to, before, after }: Word): boolean {
  if (after === 0x22)
    return (
      before === 0x22 &&
      codes[start] === 0x22 &&
      isCellEnd(codes, to + 1, end) &&
      isBehindCell(codes, start, from - 1)
    );
  if (after !== 0x2c) return false;
  return from === start ? isDigit(codes[to + 1]) : before === 0x2c && isDigit(codes[start]);
}

function isCellEnd(codes: Codes, at: number, end: number): boolean {
  return at >= end || codes[at] === 0x2c;
}

function isBehindCell(codes: Codes, start: number, at: number): boolean {
  return at === start || codes[at - 1] === 0x2c;
}

/** `error: x`, but not `Error::Kind` or `error://`; behind a bracket also `error    : x`, as Monit writes it. */
function isBeforeColon({ codes, start, end, from, to, after, before, word }: Word): boolean {
  if (after === 0x20 && before === 0x20 && from > start + 1 && codes[from - 2] === 0x5d) {
    let colon = to;
    while (colon < end && codes[colon] === 0x20) colon++;
    return colon < end && codes[colon] === 0x3a;
  }
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
function isPartOfName(at: Word): boolean {
  const { codes, end, to, before, after } = at;
  if (before === 0x2d || before === 0x24 || before === 0x40 || before === 0x23) return true;
  if (before === 0x2e) return !isOfChannel(at);
  if (before === 0x2f && after !== 0x5d) return true;
  if (after === 0x28 || after === 0x3d || (after === 0x2f && before !== 0x5b && !isBlank(before)))
    return true;
  if (after !== 0x2e && after !== 0x2d) return false;
  const next = to + 1 < end ? codes[to + 1]! : 0;
  return isLetter(next) || isDigit(next);
}

/** `[2026-03-01T10:00:00+00:00] app.ERROR: …`, as Monolog writes it. */
function isOfChannel({ codes, start, from, after }: Word): boolean {
  if (after !== 0x3a) return false;
  let i = from - 1;
  while (i > start && from - i < LONGEST_WORD_CHARS && isTagCode(codes[i - 1]!)) i--;
  return i > start + 1 && i < from - 1 && codes[i - 1] === 0x20 && codes[i - 2] === 0x5d;
}

/** Syslog's facilities, as BusyBox and UniFi write them before a severity. */
const FACILITY = /^(?:auth|authpriv|cron|daemon|ftp|kern|lpr|mail|news|syslog|user|uucp|local[0-7])$/i;
/** A severity behind a time stands this near to the line's beginning. */
const STAMPED_WITHIN_CHARS = 100;

/** `Mar  1 10:00:00 host daemon.err x: …`, and Kiwi's with a year. */
function isOfFacility({ codes, start, end, from, before, after }: Word): boolean {
  if (before !== 0x2e || !isBlank(after) || from - start > STAMPED_WITHIN_CHARS) return false;
  const isStamped =
    patternAt(codes, start + 7, end, 'dd:dd:dd ') || patternAt(codes, start + 11, end, 'dd:dd:dd');
  if (!isStamped) return false;
  let i = from - 1;
  while (i > start && !isBlank(codes[i - 1]) && from - i < LONGEST_VALUE_CHARS) i--;
  isToldByDigits ||= isDigit(codes[from - 2]);
  return FACILITY.test(asciiText(codes, i, from - 1));
}

/** Counted as zero, or negated: `0 ERROR`, `no error:`, `ERROR: 0`, `error: null`. */
function isDenied({ codes, start, end, from, to, after }: Word, level: Level): boolean {
  if (level !== 'fatal' && level !== 'error' && level !== 'warn') return false;
  let i = from;
  while (i > start && isBlank(codes[i - 1])) i--;
  if (i < from) {
    let word = i;
    while (word > start && i - word < 8 && !isBlank(codes[word - 1])) word--;
    isToldByDigits ||= isDigit(codes[word]);
    const denial = asciiText(codes, word, i).toLowerCase();
    // `0 ERROR:  relation …` is a column of PostgreSQL's before a message.
    const isColumn = denial === '0' && after === 0x3a && isBlank(codes[to + 1]) && isCapital(codes[to - 1]!);
    if (DENIALS.has(denial) && !isColumn) return true;
  }
  if (after !== 0x3a) return false;
  i = to + 1;
  while (i < end && isBlank(codes[i])) i++;
  const value = i;
  while (i < end && i - value < 10 && (isLetter(codes[i]!) || isDigit(codes[i]))) i++;
  isToldByDigits ||= isDigit(codes[value]);
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

/** Libraries that number levels from 0 to 7, by a field that only they have. */
const DIGIT_LEVELS: readonly [field: string, levels: readonly Level[]][] = [
  ['"reqId":', ['debug', 'info', 'warn', 'error', 'fatal']], // Nextcloud
  ['"short_message":', SYSLOG_LEVELS], // Graylog
];

function digitLevel(codes: Codes, start: number, end: number, digit: number): Level | undefined {
  const line = asciiText(codes, start, Math.min(end, start + COMPACT_CHARS));
  return DIGIT_LEVELS.find(([field]) => line.includes(field))?.[1][digit];
}

/**
 * The level of the field whose key `key` ends at `to`: `level=warn`, `"level": "error"`, `"level":50`,
 * `"PRIORITY":"3"`, else null.
 */
function fieldLevel(
  codes: Codes,
  start: number,
  to: number,
  end: number,
  before: number,
  key: KnownWord,
): Level | null {
  // A line of the journal's export.
  const isBare = before === 0 && to + 2 === end && codes[to] === 0x3d;
  const isPriority =
    !key.isLevelKey &&
    (isBare || isQuote(before)) &&
    standsAt(codes, to - PRIORITY_KEY.length, end, PRIORITY_KEY);
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
  isToldByDigits ||= isDigit(codes[value]);
  const isDigitOnly = text.length === 1 && isDigit(codes[value]);
  const numbered = isPriority
    ? isDigitOnly
      ? SYSLOG_LEVELS[Number(text)]
      : undefined
    : quoted
      ? (NUMBERS[text] ?? (isDigitOnly ? digitLevel(codes, start, end, Number(text)) : undefined))
      : undefined;
  return LEVEL_WORDS.get(text) ?? numbered ?? null;
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

const REPORTS = { crash: 'error', supervisor: 'warn', progress: 'info' } as const;

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
    // Titles of Erlang's reports.
    case 'crash':
    case 'supervisor':
    case 'progress':
      return standsAt(codes, to, end, ' REPORT====') ? REPORTS[word] : null;
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

// Severities that a line's first characters tell by their form.

/** By the code of F, E, W, I, D and V. */
const LETTERS: Partial<Record<number, Level>> = {
  70: 'fatal',
  69: 'error',
  87: 'warn',
  73: 'info',
  68: 'debug',
  86: 'trace',
};

/** The severity by the line's beginning; null when it has none of these forms. */
function startLevel(codes: Codes, start: number, end: number): Level | null {
  if (end - start < 4) return null;
  const first = codes[start]!;
  const second = codes[start + 1]!;
  if (!mayStartLevel(first, second, codes[start + 2]!)) return null;
  if (first === 0x3c) return kernel(codes, start, end);
  if (first === 0x25 || first === 0x2a) return cisco(codes, start, end);
  if (first === 0x7b) return letterField(codes, start, end);
  if (first === 0x28) return sssd(codes, start, end);
  if (isDigit(first)) return redis(codes, start, end) ?? behindTime(codes, start, end);
  if (first === 0x6d || first === 0x67) return make(codes, start, end);
  if (first === 0x6e) return standsAt(codes, start, end, 'not ok ') ? 'error' : null;
  const level = LETTERS[first] ?? null;
  if (isDigit(second)) {
    return KLOG_DATES.some((date) => patternAt(codes, start + 1, end, `${date} dd:dd:dd.d`)) ? level : null;
  }
  if (second === 0x2f) return isTag(codes, start + 2, end) ? level : null;
  if (second === 0x3a) return codes[start + 2] === 0x20 && (first === 0x45 || first === 0x57) ? level : null;
  if (patternAt(codes, start + 1, end, ' [dd/')) return level;
  return standsAt(codes, start, end, 'E   ') && end - start > 4 ? 'error' : null;
}

/** Whether a line that begins with these three could be of such a form: a cheap test before the exact one. */
export function mayStartLevel(first: number, second: number, third: number): boolean {
  if (first >= 0x30 && first <= 0x39)
    return second === 0x3a || (third >= 0x2d && third <= 0x3a && second >= 0x30 && second <= 0x39);
  if (first === 0x28) return (second >= 0x30 && second <= 0x39) || isCapital(second);
  if (first === 0x3c) return second >= 0x30 && second <= 0x39;
  if (first === 0x25 || first === 0x2a) return isCapital(second);
  if (first === 0x7b) return second === 0x22;
  if (first === 0x6d || first === 0x67) return second === 0x61 || second === 0x6d;
  if (first === 0x6e) return second === 0x6f;
  if (LETTERS[first] === undefined) return false;
  return second === 0x20 || (second >= 0x2f && second <= 0x3a);
}

/** By the code of the sign that Redis has behind its time. */
const REDIS_SIGNS: Partial<Record<number, Level>> = { 46: 'debug', 45: 'debug', 42: 'info', 35: 'warn' };

/** `12:M 01 Mar 2026 10:00:00.123 # x` */
function redis(codes: Codes, start: number, end: number): Level | null {
  let i = start + 1;
  while (i < end && i < start + 8 && isDigit(codes[i])) i++;
  if (codes[i] !== 0x3a || i + 28 > end || !isCapital(codes[i + 1]!)) return null;
  const isRedis = patternAt(codes, i + 2, end, ' dd ') && patternAt(codes, i + 9, end, ' dddd dd:dd:dd.ddd ');
  return isRedis && isBlank(codes[i + 29]) ? (REDIS_SIGNS[codes[i + 28]!] ?? null) : null;
}

/** By SSSD's bit for a level. */
const SSSD_MASKS: Record<string, Level> = {
  ...{ '0x0010': 'fatal', '0x0020': 'fatal', '0x0040': 'error', '0x0080': 'warn', '0x0100': 'info' },
  ...{ '0x0200': 'debug', '0x0400': 'debug', '0x1000': 'trace', '0x2000': 'trace', '0x4000': 'trace' },
};

/** `(2026-03-01 10:00:00): [be[a]] [x] (0x0040): x` */
function sssd(codes: Codes, start: number, end: number): Level | null {
  const limit = Math.min(end - 9, start + SSSD_CHARS);
  for (let i = start + 20; i < limit; i++) {
    if (!standsAt(codes, i, end, '(0x') || !standsAt(codes, i + 7, end, '): ')) continue;
    isToldByDigits = true;
    return SSSD_MASKS[asciiText(codes, i + 1, i + 7)] ?? null;
  }
  return null;
}

/** How far into a line SSSD's mask stands. */
const SSSD_CHARS = 200;

/** How far into a line MongoDB's severity stands. */
const LETTER_WITHIN_CHARS = 80;

/**
 * `{"t":{"$date":"…"},"s":"E", …` of MongoDB, and `{"@t":"…","@mt":"…","@l":"Error", …` of Serilog's compact format,
 * which leaves out its usual level.
 */
function letterField(codes: Codes, start: number, end: number): Level | null {
  if (standsAt(codes, start, end, '{"t":{"$date"')) {
    const limit = Math.min(end - 8, start + LETTER_WITHIN_CHARS);
    for (let i = start; i < limit; i++)
      if (standsAt(codes, i, end, '"s":"')) return LETTERS[codes[i + 5]!] ?? null;
    return null;
  }
  if (!standsAt(codes, start, end, '{"@t":"')) return null;
  const limit = Math.min(end, start + COMPACT_CHARS);
  let hasMessage = false;
  for (let i = start; i < limit; i++) {
    if (codes[i] !== 0x22 || codes[i + 1] !== 0x40) continue;
    if (standsAt(codes, i, end, '"@l":"')) return LEVEL_WORDS.get(wordAt(codes, i + 6, end)) ?? null;
    hasMessage ||= standsAt(codes, i, end, '"@m');
  }
  return hasMessage ? 'info' : null;
}

const COMPACT_CHARS = 4096;

/** Returns the letters from `from` on, in lower case. */
function wordAt(codes: Codes, from: number, end: number): string {
  let to = from;
  while (to < end && to < from + LONGEST_VALUE_CHARS && isLetter(codes[to]!)) to++;
  return asciiText(codes, from, to).toLowerCase();
}

/** `%LINK-3-UPDOWN: x`, also behind a time of which the clock is not set: `*Mar  1 10:00:00: %SYS-5-CONFIG_I: x`. */
function cisco(codes: Codes, start: number, end: number): Level | null {
  const limit = Math.min(end, start + STAMP_CHARS);
  let i = start;
  while (i < limit && codes[i] !== 0x25) i++;
  if (i === limit) return null;
  do i++;
  while (i < end && (isCapital(codes[i]!) || codes[i] === 0x5f));
  return numberedLevel(codes, i, end);
}

/** `<n>`: the lower three bits are the syslog severity. */
function kernel(codes: Codes, start: number, end: number): Level | null {
  isToldByDigits = true;
  let value = 0;
  let i = start + 1;
  while (i < end && i < start + 4 && isDigit(codes[i])) value = value * 10 + codes[i++]! - 0x30;
  if (i >= end || codes[i] !== 0x3e || value > 191) return null;
  return (['fatal', 'fatal', 'fatal', 'error', 'warn', 'info', 'info', 'debug'] as const)[value & 7]!;
}

/** Digits of what stands between a letter and a clock: klog's, CockroachDB's and glog's. */
const KLOG_DATES = ['dddd', 'dddddd', 'dddddddd'];

/** A time has fewer characters, with the zone and with two numbers behind it. */
const STAMP_CHARS = 64;
const STAMP_CODES = new Uint8Array(128);
for (const char of '0123456789-/:.,+ \t') STAMP_CODES[char.charCodeAt(0)] = 1;
/**
 * ESXi's severities, before syslog's number in parentheses; without `Db`, which could be a number, and `In` and `No`:
 * to look at each line with these words would slow the summary.
 */
const ESXI: Record<string, Level> = {
  ...{ Wa: 'warn', Er: 'error', Cr: 'fatal', Al: 'fatal', Em: 'fatal' },
};

/**
 * `2026-03-01 10:00:00 error x`, `01-13 10:30:00.000  1234  5678 E Tag`, `2026-03-01T10:00:00Z Er(11) x`, and
 * Telegraf's `E!`: the first word behind a time with a date.
 */
function behindTime(codes: Codes, start: number, end: number): Level | null {
  const limit = Math.min(end, start + STAMP_CHARS);
  let i = start;
  let colons = 0;
  while (i < limit && (STAMP_CODES[codes[i]!] === 1 || isInTime(codes, i))) if (codes[i++] === 0x3a) colons++;
  if (colons < 2 || i >= end || !isBlank(codes[i - 1])) return null;
  const next = i + 1 < end ? codes[i + 1]! : 0x20;
  if (isBlank(next) || next === 0x21 || (next === 0x2f && isTag(codes, i + 2, end)))
    return LETTERS[codes[i]!] ?? null;
  let to = i;
  while (to < end && to < i + LONGEST_VALUE_CHARS && isLetter(codes[to]!)) to++;
  if (to < i + 2) return null;
  const after = to < end ? codes[to]! : 0x20;
  if (after === 0x28 && to === i + 2) return ESXI[asciiText(codes, i, i + 2)] ?? null;
  const known = isBlank(after) ? knownWord(codes, i, to) : null;
  return known === null || known.isPlainEnglish || known.text === 'fail' ? null : known.level;
}

/** Whether the code is the `T` or the `Z` of a time. */
function isInTime(codes: Codes, at: number): boolean {
  return (codes[at] === 0x54 || codes[at] === 0x5a) && isDigit(codes[at - 1]);
}

/** `Tag(  123):` or `Tag:` after `E/`. */
function isTag(codes: Codes, start: number, end: number): boolean {
  let i = start;
  while (i < end && i < start + 64 && isTagCode(codes[i]!)) i++;
  const tagEnd = i;
  while (i < end && i < tagEnd + 32 && isBlank(codes[i])) i++;
  return tagEnd > start && i < end && (codes[i] === 0x28 || codes[i] === 0x3a);
}

/** `make[1]: *** [Makefile:12: all] Error 2`, and the same of gmake. */
function make(codes: Codes, start: number, end: number): Level | null {
  let i = codes[start] === 0x67 ? start + 1 : start;
  if (!standsAt(codes, i, end, 'make')) return null;
  i += 4;
  if (i < end && codes[i] === 0x5b) {
    i++;
    while (i < end && isDigit(codes[i])) i++;
    if (codes[i++] !== 0x5d) return null;
  }
  return standsAt(codes, i, end, ': *** ') ? 'error' : null;
}

function isTagCode(code: number): boolean {
  return isLetter(code) || isDigit(code) || code === 0x2e || code === 0x2d || code === 0x5f;
}
