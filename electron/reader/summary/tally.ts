/** Counts lines. The scanner passes the facts it found on the way; the rest is computed here. */

import { Buffer } from 'node:buffer';
import { clipText } from '../../../shared/text/clip.ts';
import { ESC, isDigit } from '../../../shared/text/codes.ts';
import { LEVELS, type Level } from '../../../shared/text/level-words.ts';
import { isErrorLevel, levelOfCodes } from '../../../shared/text/levels.ts';
import { lineText } from '../../../shared/text/line-text.ts';
import { TIME_WITHIN_CHARS, type TimeFacts, timeIn } from '../../../shared/text/line-time.ts';
import { stampEnd } from '../shapes/line-prefix.ts';
import type { ShapeCounts, ShapeTable } from '../shapes/shape-table.ts';
import { fieldOfLine } from './json/json-messages.ts';

/** Error messages that a summary lists, and that are counted in a stretch. */
export const MAX_ERRORS = 10;
const MAX_COUNTED_ERRORS = 64;
/** Longest text kept of one, in characters. */
const MAX_ERROR_CHARS = 500;
/** A longer line with controls is measured in windows of WINDOW_BYTES, and judged by its first. */
export const LONG_LINE_BYTES = 4 << 20;
const WINDOW_BYTES = 1 << 20;

export class Tally {
  /** Lines begun; the number of the current one. */
  lines = 0;
  chars = 0;
  longest = 0;
  blank = 0;
  /** Lines ended by LF alone, and by CR LF. */
  lf = 0;
  crlf = 0;
  firstTimestamp: string | null = null;
  readonly levels: number[] = LEVELS.map(() => 0);
  readonly errors: ErrorLine[] = [];
  readonly #errorsByMessage = new Map<number, ErrorLine>();
  readonly shapes: ShapeTable;
  readonly #facts: TimeFacts;
  /** The numbers of all error lines, where they are asked for. */
  errorLines: number[] | null = null;

  /** Counts shapes in the table given, which it clears. */
  constructor(shapes: ShapeTable, facts: TimeFacts) {
    shapes.clear();
    this.shapes = shapes;
    this.#facts = facts;
  }

  /** Counts the current line's length. */
  countLength(chars: number): void {
    this.chars += chars;
    if (chars > this.longest) this.longest = chars;
  }

  /** Counts the line end with its LF at `at`. */
  countEnding(bytes: Uint8Array, at: number): void {
    if (at > 0 && bytes[at - 1] === 0x0d) this.crlf++;
    else this.lf++;
  }

  /**
   * Counts the severity of the current line, whose line text is in `bytes`; only words that begin from `from` up to
   * `to` can name one. Returns it.
   */
  countLevel(bytes: Uint8Array, start: number, end: number, from: number, to = end): Level | null {
    const level = levelOfCodes(bytes, start, end, from, to);
    if (level === null) return null;
    this.levels[LEVELS.indexOf(level)]!++;
    if (!isErrorLevel(level)) return level;
    this.errorLines?.push(this.lines);
    if (!continuesError(bytes, start, end)) this.#countError(bytes, start, end);
    return level;
  }

  #countError(bytes: Uint8Array, start: number, end: number): void {
    const message = messageHash(bytes, start, end);
    const known = this.#errorsByMessage.get(message);
    if (known) known.count++;
    if (known || this.errors.length >= MAX_COUNTED_ERRORS) return;
    const text = utf8Text(bytes, start, Math.min(end, start + MAX_ERROR_CHARS * 4));
    const error = { line_number: this.lines, text: shortError(text), count: 1, message };
    this.errors.push(error);
    // The message of a level field is beside it.
    if (fieldOfLine(text)?.isLevel) error.message = -this.errors.length;
    else this.#errorsByMessage.set(message, error);
  }

  /** Keeps the timestamp of the current line, whose line text is in `bytes`, if it is the first. */
  keepTimestamp(bytes: Uint8Array, start: number, end: number): void {
    this.firstTimestamp ??= timestampOf(bytes, start, end, this.#facts);
  }

  /** Counts a line of more than LONG_LINE_BYTES with controls. */
  countLongLine(bytes: Uint8Array, start: number, end: number): void {
    this.lines++;
    const { length, isBlank } = measureLine(bytes, start, end);
    this.countLength(length);
    if (isBlank) this.blank++;
    else this.countFacts(lineBytes(bytes, start, start + WINDOW_BYTES));
  }

  /** Counts a line of line text, but not its line end. */
  countLine(text: Uint8Array): void {
    this.lines++;
    this.countLength(lengthWithoutC1(text, 0, text.length));
    if (isBlankText(text, 0, text.length)) this.blank++;
    else this.countFacts(text);
  }

  /** Counts the facts in the current line's text, or in its beginning, except its length. */
  countFacts(text: Uint8Array): void {
    this.shapes.count(text, 0, text.length, this.lines);
    if (this.firstTimestamp === null) this.keepTimestamp(text, 0, text.length);
    this.countLevel(text, 0, text.length, 0);
  }
}

/** Hashes what stands behind a line's time, up to 1 KB. All numbers are equal. FNV-1a. */
function messageHash(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  let before = 0;
  const limit = Math.min(end, start + 1024);
  for (let i = stampEnd(bytes, start, limit); i < limit; i++) {
    const byte = isDigit(bytes[i]) ? 0x30 : bytes[i]!;
    if (byte !== 0x30 || before !== 0x30) hash = Math.imul(hash ^ byte, 0x01000193);
    before = byte;
  }
  return hash >>> 0;
}

const CONTINUED = ['Caused by: ', 'Suppressed: '].map((words) => Buffer.from(words));

/** Whether the line belongs to the error above it, and is none of its own. */
function continuesError(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  while (at < end && (bytes[at] === 0x20 || bytes[at] === 0x09)) at++;
  return CONTINUED.some((words) => words.every((byte, i) => bytes[at + i] === byte));
}

/** Returns what is kept of an error line. */
export function shortError(text: string): string {
  return clipText(text, MAX_ERROR_CHARS).text;
}

/** Returns the line text, in UTF-8, of a line's bytes without its LF. Valid until the next call. */
export function lineBytes(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const kept = withoutColours(bytes, start, end);
  const plain = kept?.at(-1) === 0x0d ? kept.subarray(0, -1) : kept;
  if (plain !== null && lengthWithoutC1(plain, 0, plain.length) >= 0) return plain;
  return Buffer.from(lineText(utf8Text(bytes, start, end)), 'utf8');
}

/** Bytes of a line to decode first: more only where an object may have its time further on. */
const HEAD_BYTES = 1024;

/** Returns the time in a line of line text, as it is written there; null if it has none. */
export function timestampOf(bytes: Uint8Array, start: number, end: number, facts: TimeFacts): string | null {
  if (!mayHaveTime(bytes, start, Math.min(end, start + TIME_WITHIN_CHARS))) return null;
  let text = utf8Text(bytes, start, Math.min(end, start + HEAD_BYTES));
  if (end - start > HEAD_BYTES && text.includes('{'))
    text = utf8Text(bytes, start, Math.min(end, start + TIME_WITHIN_CHARS));
  const found = timeIn(text, facts);
  return found && text.slice(found.from, found.to);
}

/**
 * Whether a line has what each time has: a clock, ten digits, eight before a `T`, a fraction before a bracket, an hour
 * behind a date (DB2), or six digits behind four (Chromium).
 * Finding that is cheap.
 */
export function mayHaveTime(bytes: Uint8Array, start: number, end: number): boolean {
  let digits = 0;
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!;
    if (isDigit(byte)) {
      digits += 1;
      if (digits === 10) return true;
      continue;
    }
    if (byte === 0x3a && digits > 0 && isDigit(bytes[i + 1]) && isDigit(bytes[i + 2])) return true;
    if (byte === 0x54 && digits === 8) return true;
    if (digits === 2 && isHourBehindDate(bytes, i)) return true;
    if (byte === 0x2f && digits === 4 && isDigit(bytes[i + 6]) && bytes[i + 7] === 0x2e) return true;
    if (digits > 0 && isFractionEnd(bytes, i - digits, i)) return true;
    digits = 0;
  }
  return false;
}

/**
 * Whether the word of UTF-8 from `word` up to `to` could be a time's clock or its seconds since 1970. Each line with a
 * time has such a word, or digits between curly quotes: lines without one need not be read for it.
 */
export function isTimely(bytes: Uint8Array, word: number, to: number): boolean {
  const size = to - word;
  if (size >= 10) {
    if (bytes[word] === 0x31 && (size === 10 || size === 13 || size === 16 || size === 19)) return true;
    if (bytes[word + 8] === 0x54) return true;
    if (size === 24 && bytes[word - 1] === 0x40) return true;
  }
  if (size === 2 && isHourBehindDate(bytes, to)) return true;
  if (bytes[to] !== 0x3a || !isDigit(bytes[to + 1]) || !isDigit(bytes[to + 2])) return false;
  // Within a clock; Erlang has two colons before one.
  if (bytes[to - 3] === 0x3a && bytes[to - 4] !== 0x3a) return false;
  if (bytes[to + 3] === 0x3a) return true;
  // A clock without seconds counts only right after a date, or with its half of the day.
  const half = bytes[to + 3] === 0x20 ? to + 4 : to + 3;
  if ((bytes[half + 1]! | 0x20) === 0x6d && 'APap'.includes(String.fromCharCode(bytes[half]!))) return true;
  if (bytes[to - 3] === 0x54 || bytes[to - 3] === 0x5f) return true;
  let i = word - 1;
  while (i > word - 4 && (bytes[i] === 0x20 || bytes[i] === 0x2c || bytes[i] === 0x5f)) i--;
  return isDigit(bytes[i]) && (isDateJoint(bytes[i - 2]) || isDateJoint(bytes[i - 4]));
}

/** Whether three or six digits, from `from` up to `to`, end seconds in brackets. */
function isFractionEnd(bytes: Uint8Array, from: number, to: number): boolean {
  if ((to - from !== 3 && to - from !== 6) || bytes[from - 1] !== 0x2e || !isDigit(bytes[from - 2]))
    return false;
  return bytes[to] === 0x5d || (bytes[to] === 0x73 && bytes[to + 1] === 0x5d);
}

/** `-10.` behind a day. */
function isHourBehindDate(bytes: Uint8Array, to: number): boolean {
  return bytes[to] === 0x2e && bytes[to - 3] === 0x2d && bytes[to - 6] === 0x2d && isDigit(bytes[to - 4]);
}

function isDateJoint(code: number | undefined): boolean {
  return code === 0x2d || code === 0x2e || code === 0x2f;
}

/** Whether line text is only white space. */
export function isBlankText(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!;
    if (byte < 0x80 && byte !== 0x20 && byte !== 0x09) return false;
  }
  return !/\S/.test(utf8Text(bytes, start, end));
}

/**
 * Measures the text of a line, or of a part of one that may begin or end within a character. Exact, except that
 * long lines with controls are measured in windows.
 */
export function measureLine(
  bytes: Uint8Array,
  start: number,
  end: number,
): { length: number; isBlank: boolean } {
  const from = firstWhole(bytes, start, end);
  const to = end > from && bytes[end - 1] === 0x0d ? end - 1 : end;
  const units = hasC0(bytes, from, to) ? -1 : lengthWithoutC1(bytes, from, to);
  if (units >= 0) {
    return { length: units, isBlank: lastWhole(bytes, from, to) === to && isBlankText(bytes, from, to) };
  }
  const cr = bytes.indexOf(0x0d, from);
  if (cr >= 0 && cr < to) return measureRedrawn(bytes.subarray(start, end), end - start);
  let sum = 0;
  let isBlank = true;
  for (let at = from; at < to; at += WINDOW_BYTES) {
    const text = lineText(utf8Text(bytes, at, Math.min(to, at + WINDOW_BYTES)));
    sum += text.length;
    if (/\S/.test(text)) isBlank = false;
  }
  return { length: sum, isBlank };
}

/** Measures the text of a redrawn line from its last bytes. A long line begins after the first CR in them. */
export function measureRedrawn(last: Uint8Array, lineBytes: number): { length: number; isBlank: boolean } {
  let bytes = last;
  if (lineBytes > MAX_REPLAY_BYTES) {
    bytes = last.subarray(Math.max(0, last.length - MAX_REPLAY_BYTES));
    const cr = bytes.indexOf(0x0d);
    if (cr >= 0 && cr < bytes.length - 1) bytes = bytes.subarray(cr + 1);
  }
  const text = lineText(utf8Text(bytes, 0, bytes.length));
  return { length: text.length, isBlank: !/\S/.test(text) };
}

export function utf8Text(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8', start, end);
}

// The summary of one stretch of a stream: small, and ready to be sent from a worker.

/** A longer redrawn line is replayed from its last bytes alone, as in every view. */
export const MAX_REPLAY_BYTES = 4 * 1024 * 1024;

/** Part of a line whose beginning or end is in another stretch. */
export type LinePart = {
  bytes: number;
  /** Characters of line text. */
  length: number;
  isBlank: boolean;
  /** Whether its last byte is a CR, which is part of the line end if the next part begins with LF. */
  endsWithCr: boolean;
  /** Whether it holds a CR outside the line end: then `end` is replayed instead of using `length` and `isBlank`. */
  redrawn: boolean;
  /** Its last bytes, at most MAX_REPLAY_BYTES. */
  end: Uint8Array;
};

/** The first line with a message, of which `message` is a hash. `count`: lines that have it. */
export type ErrorLine = { line_number: number; text: string; count: number; message: number };

export type PartialSummary = {
  bytes: number;
  /** Lines that begin in this stretch. `chars`, `longest` and `blank` don't count one that ends in another. */
  lines: number;
  /** Characters of line text. */
  chars: number;
  longest: number;
  blank: number;
  /** Lines that end in this stretch with LF alone, and with CR LF. */
  lf: number;
  crlf: number;
  /** By severity, in the order of LEVELS. */
  levels: number[];
  /** Those with the first messages, numbered from 1 in the stretch. */
  errors: ErrorLine[];
  firstTimestamp: string | null;
  lastTimestamp: string | null;
  shapes: ShapeCounts;
  /** The end of a line begun in an earlier stretch; a middle piece that fills the stretch if `headEnds` is false. */
  head: LinePart | null;
  headEnds: boolean;
  /** The beginning of a line that continues in the next stretch. */
  tail: LinePart | null;
};

// Removes colours from lines that have no other controls: by far the most common lines that differ from their line
// text.

let scratch = new Uint8Array(4096);
/** Longest line for this method; for longer ones the general method is as fast. */
const LONGEST_LINE_BYTES = 1 << 20;

/**
 * Returns the line from `start` including its LF (if any), without SGR sequences (ESC [ … m) and without ESC [ K, which
 * erases nothing at the end of the text. Null if it has another control, except the CR of its line end. Valid until the
 * next call.
 */
function withoutColours(bytes: Uint8Array, start: number, end: number): Uint8Array | null {
  if (end - start > LONGEST_LINE_BYTES) return null;
  if (scratch.length < end - start) scratch = new Uint8Array((end - start) * 2);
  const textEnd = endOfText(bytes, start, end);
  const out = scratch;
  let length = 0;
  let i = start;
  while (i < end) {
    const byte = bytes[i]!;
    if (byte === ESC) {
      i = sequenceEnd(bytes, i, end);
      if (i < 0) return null;
      continue;
    }
    if (byte < 0x20 ? byte !== 0x09 && i < textEnd : byte === 0x7f) return null;
    out[length++] = byte;
    i++;
  }
  return out.subarray(0, length);
}

/** Returns the offset of the line's ending: LF, CR LF, or CR alone. */
function endOfText(bytes: Uint8Array, start: number, end: number): number {
  const last = end > start && bytes[end - 1] === 0x0a ? end - 1 : end;
  return last > start && bytes[last - 1] === 0x0d ? last - 1 : last;
}

/** Returns the end of the SGR or erasure at `at`; -1 for another sequence. */
function sequenceEnd(bytes: Uint8Array, at: number, end: number): number {
  if (at + 2 >= end || bytes[at + 1] !== 0x5b) return -1;
  let i = at + 2;
  while (i < end && bytes[i]! >= 0x30 && bytes[i]! <= 0x3b) i++;
  if (i >= end) return -1;
  if (bytes[i] === 0x6d) return i + 1;
  const isToEnd = bytes[i] === 0x4b && (i === at + 2 || (i === at + 3 && bytes[at + 2] === 0x30));
  return isToEnd ? i + 1 : -1;
}

// Facts about UTF-8 that is not ASCII alone.

/**
 * Returns the UTF-16 code units of valid UTF-8; -1 if there is a C1 control (U+0080-9F). A character cut at the end
 * counts as whole; one cut at the beginning does not count.
 */
export function lengthWithoutC1(bytes: Uint8Array, start: number, end: number): number {
  let units = 0;
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!;
    if ((byte & 0xc0) === 0x80) continue;
    if (byte === 0xc2 && i + 1 < end && bytes[i + 1]! < 0xa0) return -1;
    units += byte >= 0xf0 ? 2 : 1;
  }
  return units;
}

/** Whether there is a control other than tab, in text without line ends. */
export function hasC0(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!;
    if (byte < 0x20 ? byte !== 0x09 : byte === 0x7f) return true;
  }
  return false;
}

/** The first byte from `start` on that is not the rest of a character. */
export function firstWhole(bytes: Uint8Array, start: number, end: number): number {
  let i = start;
  while (i < end && i < start + 3 && (bytes[i]! & 0xc0) === 0x80) i++;
  return i;
}

/** The end of the last character that is whole, unless that is more than three bytes before `end`. */
export function lastWhole(bytes: Uint8Array, start: number, end: number): number {
  for (let i = end - 1; i >= start && i >= end - 3; i--) {
    const byte = bytes[i]!;
    if (byte < 0x80) return end;
    if (byte >= 0xc0) {
      const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return i + size > end ? i : end;
    }
  }
  return end;
}
