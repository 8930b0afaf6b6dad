/**
 * The severity of one line of text, for the summary's counts and the window's marks alike.
 *
 * The first of these in the line decides; in a line that is a JSON object a level field decides wherever it is:
 * - a level field: `level=warn`, `"level":"error"`, `lvl=eror`, `"severity": "ERROR"`, `"level":50`
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
 * Not a severity: a part of a longer word or name (`error_handler.c`, `ErrorCode`, `errors`, `--debug`,
 * `DEBUG=1`, `--log-level=debug`), a word in lower case in a sentence, and what is counted or denied:
 * `0 errors`, `no error:`, `ERROR: 0`, `error: null`.
 */
import type { Codes } from './codes.ts';
import { levelAtWord } from './level-rules.ts';
import { startLevel } from './level-starts.ts';
import { CLASS_OF, CLASSES, FIRST_HIT, HIGH, NEXT, START } from './level-stems.ts';

/** From the gravest to the least. */
export const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type Level = (typeof LEVELS)[number];

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
  if (codes.length > KEPT) scratch = new Uint16Array(1024);
  return level;
}

/** As `levelOf`, of the line at `start` up to `end` of UTF-8 bytes or UTF-16 code units. */
export function levelOfCodes(codes: Codes, start: number, end: number): Level | null {
  const first = startLevel(codes, start, end);
  if (first !== null) return first;
  const isObject = codes[start] === 0x7b;
  let found: Level | null = null;
  let state = START;
  for (let i = start; i < end; i++) {
    const code = codes[i]!;
    state = NEXT[state * CLASSES + (code < 128 ? CLASS_OF[code]! : HIGH)]!;
    if (state < FIRST_HIT) continue;
    const at = levelAtWord(codes, start, end, i);
    if (at.level !== null) {
      if (at.isField || !isObject) return at.level;
      found ??= at.level;
    }
    i = at.wordEnd - 1;
    state = START;
  }
  return found;
}

/** Code units kept between calls; more is given back. */
const KEPT = 1 << 16;
let scratch = new Uint16Array(1024);
