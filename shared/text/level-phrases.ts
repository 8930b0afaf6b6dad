/** Severities told by names of errors and by what is said in so many words. */
import type { Codes } from './codes.ts';
import { isBlank, isCapital, isDigit, isLetter, standsAt } from './codes.ts';
import type { Level } from './levels.ts';

const NAME = /^[A-Z]\w*(?:(Error|Exception)|Warning)$/;

/**
 * `TypeError: x`, `java.io.IOException: x`, such a name alone on its line, `Error [ERR_X]: x`, `UserWarning: x`,
 * `Exception in thread`; `word` stands from `from` up to `to` in the line from `start` up to `end`.
 */
export function namedLevel(
  codes: Codes,
  start: number,
  end: number,
  from: number,
  to: number,
  word: string,
): Level | null {
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

/** Phrases, by the word in lower case that leads to them. */
export function phraseLevel(
  codes: Codes,
  start: number,
  end: number,
  from: number,
  to: number,
  lower: string,
): Level | null {
  switch (lower) {
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
