/**
 * Finds the timestamp of a line: the first of these in its first characters, as written there:
 * - ISO 8601 and its relatives: `2026-01-13T10:30:00.123Z`, `2026-01-13 10:30:00,123 +0100`, `2026/01/13 10:30:00`
 * - `13/Jan/2026:10:30:00 +0000`, `13 Jan 2026 10:30:00`, `13.01.2026 10:30:00`, `01/13/2026 10:30:00`
 * - `Jan 13 10:30:00`, `Tue Jan 13 10:30:00 2026`, klog's `I0113 10:30:00.123456`, Android's `01-13 10:30:00.123`
 * - seconds or milliseconds since 1970 in a field: `ts=1768300200.123`, `"time":1768300200123`
 * - a time of day with seconds: `10:30:00`, `10:30:00.123`
 */

import { isDigit } from '../../../shared/text/codes.ts';

/** Characters at the beginning of a line that may hold its timestamp. */
export const TIMESTAMP_WITHIN_CHARS = 160;

/** Returns the timestamp of a line of line text, as written there; null if it has none. */
export function findTimestamp(text: string): string | null {
  const head = text.length > TIMESTAMP_WITHIN_CHARS ? text.slice(0, TIMESTAMP_WITHIN_CHARS) : text;
  const match = TIMESTAMP.exec(head);
  return match === null ? null : (match.groups?.epoch ?? match[0]);
}

/**
 * Whether the word of UTF-8 from `word` up to `to` could be a timestamp's clock or its seconds since 1970. Each line
 * with a timestamp has such a word, or digits between curly quotes.
 */
export function isTimely(bytes: Uint8Array, word: number, to: number): boolean {
  const size = to - word;
  if (size >= 10) {
    if (bytes[word] === 0x31 && (size === 10 || size === 13)) return true;
    if (bytes[word + 8] === 0x54) return true;
  }
  if (bytes[to] !== 0x3a || !isDigit(bytes[to + 1]) || !isDigit(bytes[to + 2])) return false;
  if (bytes[to - 3] === 0x3a) return false;
  if (bytes[to + 3] === 0x3a) return true;
  // A clock without seconds counts only right after a date.
  if (bytes[to - 3] === 0x54 || bytes[to - 3] === 0x5f) return true;
  let i = word - 1;
  while (i > word - 4 && (bytes[i] === 0x20 || bytes[i] === 0x2c || bytes[i] === 0x5f)) i--;
  return isDigit(bytes[i]) && (isDateJoint(bytes[i - 2]) || isDateJoint(bytes[i - 4]));
}

function isDateJoint(code: number | undefined): boolean {
  return code === 0x2d || code === 0x2e || code === 0x2f;
}

// Skip dates within names, paths and longer numbers.
const begin = String.raw`(?<![\w/.+@%~#$\\-])`;
const clock = String.raw`\d\d:\d\d:\d\d(?:[.,]\d+)?`;
const shortClock = String.raw`\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?`;
const zone = String.raw`(?:Z| ?[+-]\d\d:?\d\d(?!\d)| UTC\b)?`;
const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const day = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';

const TIMESTAMP = new RegExp(
  [
    String.raw`${begin}\d{4}(?<iso>[-/.])\d\d\k<iso>\d\d(?:T|[_ ] ?)${shortClock}${zone}`,
    String.raw`${begin}(?:${day}, )?\d\d?(?<named>[/ -])${month}\k<named>\d{4}[: ]${clock}${zone}`,
    String.raw`${begin}\d\d(?<european>[-/.])\d\d\k<european>\d{4},? ${shortClock}`,
    String.raw`${begin}(?:${day},? +)?${month} +\d\d?,? (?:\d{4} )?${clock}(?: (?:[A-Z]{3,4} )?\d{4}\b)?${zone}`,
    String.raw`^[IWEF]\d{4} ${clock}`,
    String.raw`${begin}\d\d-\d\d ${clock}`,
    String.raw`(?<![\w/.+@%~#$\\:-])\d{8}T\d{6}Z?(?!\w)`,
    String.raw`\b(?:ts|t|time|timestamp|epoch)["']?[=:] ?(?<epoch>1\d{9}(?:\.\d+)?|1\d{12})(?=[ \t,;}\])]|$)`,
    String.raw`${begin}(?<!:)${clock}(?![\d:])`,
  ].join('|'),
);
