/**
 * The severity of one line of text, for the summary's counts and the window's marks alike.
 *
 * The first of these in the line decides; in a line that is a JSON object a level field decides wherever it is:
 * - a level field: `level=warn`, `"level":"error"`, `lvl=eror`, `"severity": "ERROR"`, `"level":50`,
 *   journald's `"PRIORITY":"3"`
 * - a word of severity in capitals: `ERROR`, `WARN`, `[INFO]`, `ERR!`, `--- FAIL`, `BUILD FAILED`
 * - in any case, in brackets (`[error]`, `[core:warn]`, `<info>`) or before a colon (`error:`, `Warning:`,
 *   `fatal:`, `x.c:3:5: error: …`)
 * - `error` or `warning` before a code (`error[E0308]`, `error TS2304:`), as a column of its own (eslint), or at
 *   the start of a line before a capital (yarn); any severity after `npm `
 * - `TypeError: …`, `java.io.IOException: …`, such a name alone on its line, `Error [ERR_X]: …`,
 *   `UserWarning: …`, `Exception in thread`
 * - `Traceback (most recent call last)`, `panicked at`, `Kernel panic`, `core dumped`, `Segmentation fault`
 * - at the start: klog `E0113 10:30:00.0`, Android `E/Tag:` and `01-13 10:30:00.000 1 2 E Tag`, kernel `<3>`,
 *   apt's `E: `, pytest's `E   `, TAP's `not ok `, make's `***`
 *
 * Not a severity: part of a longer word or name (`error_handler.c`, `ErrorCode`, `errors`, `--debug`,
 * `DEBUG=1`, `--log-level=debug`), a word in lower case in a sentence, and what is counted as zero or negated:
 * `0 errors`, `no error:`, `ERROR: 0`, `error: null`.
 */
import type { Codes } from './codes.ts';
import { levelAtWord } from './level-rules.ts';
import { startLevel } from './level-starts.ts';
import { type Level, mayTellLevel } from './level-words.ts';

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
    const told = levelAtWord(codes, start, end, word, i);
    if (told === null) continue;
    if (told.isField || !isObject) return told.level;
    found ??= told.level;
  }
  return found;
}

/** Letters, underscore, and all beyond ASCII. */
function isWordCode(code: number): boolean {
  const letter = (code | 0x20) - 0x61;
  return (letter >= 0 && letter < 26) || code === 0x5f || code >= 0x80;
}

/** The longest scratch array kept between calls, in code units. */
const KEPT_CODES = 1 << 16;
let scratch = new Uint16Array(1024);
