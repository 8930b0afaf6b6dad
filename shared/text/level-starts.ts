/** Severities that a line's first characters tell by their form. */
import type { Codes } from './codes.ts';
import { isBlank, isDigit, isLetter, patternAt, standsAt } from './codes.ts';
import type { Level } from './level-words.ts';

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
export function startLevel(codes: Codes, start: number, end: number): Level | null {
  if (end - start < 4) return null;
  const first = codes[start]!;
  const second = codes[start + 1]!;
  if (!mayStartLevel(first, second, codes[start + 2]!)) return null;
  if (first === 0x3c) return kernel(codes, start, end);
  if (isDigit(first)) return logcat(codes, start, end);
  if (first === 0x6d || first === 0x67) return make(codes, start, end);
  if (first === 0x6e) return standsAt(codes, start, end, 'not ok ') ? 'error' : null;
  const level = LETTERS[first] ?? null;
  if (isDigit(second)) return patternAt(codes, start + 1, end, 'dddd dd:dd:dd.d') ? level : null;
  if (second === 0x2f) return isTag(codes, start + 2, end) ? level : null;
  if (second === 0x3a) return codes[start + 2] === 0x20 && (first === 0x45 || first === 0x57) ? level : null;
  return standsAt(codes, start, end, 'E   ') && end - start > 4 ? 'error' : null;
}

/** Whether a line that begins with these three could be of such a form: a cheap test before the exact one. */
export function mayStartLevel(first: number, second: number, third: number): boolean {
  if (first >= 0x30 && first <= 0x39) return third === 0x2d && second >= 0x30 && second <= 0x39;
  if (first === 0x3c) return second >= 0x30 && second <= 0x39;
  if (first === 0x6d || first === 0x67) return second === 0x61 || second === 0x6d;
  if (first === 0x6e) return second === 0x6f;
  if (LETTERS[first] === undefined) return false;
  return second === 0x20 || (second >= 0x2f && second <= 0x3a);
}

/** `<n>`: the lower three bits are the syslog severity. */
function kernel(codes: Codes, start: number, end: number): Level | null {
  let value = 0;
  let i = start + 1;
  while (i < end && i < start + 4 && isDigit(codes[i])) value = value * 10 + codes[i++]! - 0x30;
  if (i >= end || codes[i] !== 0x3e || value > 191) return null;
  return (['fatal', 'fatal', 'fatal', 'error', 'warn', 'info', 'info', 'debug'] as const)[value & 7]!;
}

/** `01-13 10:30:00.000  1234  5678 E Tag`. */
function logcat(codes: Codes, start: number, end: number): Level | null {
  if (!patternAt(codes, start, end, 'dd-dd dd:dd:dd.ddd ')) return null;
  let i = start + 19;
  for (let field = 0; field < 2; field++) {
    while (i < end && isBlank(codes[i])) i++;
    const digits = i;
    while (i < end && isDigit(codes[i])) i++;
    if (i === digits || i >= end || !isBlank(codes[i])) return null;
  }
  while (i < end && isBlank(codes[i])) i++;
  return i + 1 < end && isBlank(codes[i + 1]) ? (LETTERS[codes[i]!] ?? null) : null;
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
