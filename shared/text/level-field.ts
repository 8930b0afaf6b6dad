/** The severity that a field gives: `level=warn`, `"level": "error"`, `severity: error`, `"level":50`. */
import type { Codes } from './codes.ts';
import { asciiText, isBlank, isDigit, isLetter, isQuote } from './codes.ts';
import { LEVEL_WORDS } from './level-words.ts';
import type { Level } from './levels.ts';

const KEYS = new Set(['level', 'lvl', 'loglevel', 'severity', 'levelname', 'log_level', 'severity_text']);
const LONGEST_KEY = 13;
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

/** The level given by the field whose key has the word from `from` up to `to`; null when that is no level field. */
export function fieldLevel(codes: Codes, start: number, from: number, to: number, end: number): Level | null {
  let key = from;
  while (key > start && to - key <= LONGEST_KEY && isKeyCode(codes[key - 1]!)) key--;
  let i = to;
  while (i < end && i - key <= LONGEST_KEY && isKeyCode(codes[i]!)) i++;
  if (!KEYS.has(asciiText(codes, key, i).toLowerCase())) return null;
  // Options such as --log-level=debug say what should be logged.
  if (key > start && (isDigit(codes[key - 1]) || codes[key - 1] === 0x2d)) return null;
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

function isKeyCode(code: number): boolean {
  return isLetter(code) || code === 0x5f;
}
