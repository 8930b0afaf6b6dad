/** The severity that a field gives: `level=warn`, `"level": "error"`, `severity: error`, `"level":50`. */
import type { Codes } from './codes.ts';
import { asciiText, isBlank, isDigit, isLetter, isQuote } from './codes.ts';
import { LEVEL_KEYS, LEVEL_WORDS } from './level-words.ts';
import type { Level } from './levels.ts';

const LONGEST_VALUE = 16;

/** Levels as pino and bunyan number them. */
const NUMBERS: Record<string, Level> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};

/** The level given by the field whose key is `key` in lower case and ends at `to`; null when that is no level field. */
export function fieldLevel(codes: Codes, to: number, end: number, before: number, key: string): Level | null {
  // Options such as --log-level=debug say what should be logged.
  if (!LEVEL_KEYS.has(key) || before === 0x2d) return null;
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
  while (i < end && i - value < LONGEST_VALUE && (isLetter(codes[i]!) || isDigit(codes[i]))) i++;
  const text = asciiText(codes, value, i).toLowerCase();
  return LEVEL_WORDS.get(text) ?? (quoted ? (NUMBERS[text] ?? null) : null);
}
