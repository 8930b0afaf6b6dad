/** Counts lines. The scanner passes the facts it found on the way; the rest is computed here. */
import { Buffer } from 'node:buffer';
import { clipText } from '../../../shared/text/clip.ts';
import { LEVELS } from '../../../shared/text/level-words.ts';
import { isErrorLevel, levelOfCodes } from '../../../shared/text/levels.ts';
import { lineText } from '../../../shared/text/line-text.ts';
import type { ShapeTable } from '../shapes/shape-table.ts';
import { withoutColours } from './colours.ts';
import { type ErrorLine, MAX_REPLAY_BYTES } from './partial.ts';
import { findTimestamp, TIMESTAMP_WITHIN_CHARS } from './timestamps.ts';
import { firstWhole, hasC0, lastWhole, lengthWithoutC1 } from './utf8.ts';

/** Error lines kept. */
export const MAX_ERRORS = 10;
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
  readonly shapes: ShapeTable;

  /** Counts shapes in the table given, which it clears. */
  constructor(shapes: ShapeTable) {
    shapes.clear();
    this.shapes = shapes;
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
   * `to` can name one.
   */
  countLevel(bytes: Uint8Array, start: number, end: number, from: number, to = end): void {
    const level = levelOfCodes(bytes, start, end, from, to);
    if (level === null) return;
    this.levels[LEVELS.indexOf(level)]!++;
    if (this.errors.length >= MAX_ERRORS || !isErrorLevel(level)) return;
    const text = utf8Text(bytes, start, Math.min(end, start + MAX_ERROR_CHARS * 4));
    this.errors.push({ line_number: this.lines, text: shortError(text) });
  }

  /** Keeps the timestamp of the current line, whose line text is in `bytes`, if it is the first. */
  keepTimestamp(bytes: Uint8Array, start: number, end: number): void {
    this.firstTimestamp ??= timestampOf(bytes, start, end);
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

/** Returns the timestamp in a line of line text. */
export function timestampOf(bytes: Uint8Array, start: number, end: number): string | null {
  return findTimestamp(utf8Text(bytes, start, Math.min(end, start + TIMESTAMP_WITHIN_CHARS * 4)));
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
