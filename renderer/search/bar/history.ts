/** The patterns searched for last, newest first; kept in localStorage. */

export const KEPT_PATTERNS = 20;
/** UTF-16 code units. Longer patterns are not remembered. */
const MAX_CHARS = 2000;
const KEY = 'spillway.searches';

export function withPattern(patterns: readonly string[], pattern: string): string[] {
  if (pattern === '' || pattern.length > MAX_CHARS) return [...patterns];
  return [pattern, ...patterns.filter((each) => each !== pattern)].slice(0, KEPT_PATTERNS);
}

/** Parses the stored patterns; leaves out what is invalid. */
export function parseHistory(stored: string | null): string[] {
  try {
    const value: unknown = JSON.parse(stored ?? '');
    if (!Array.isArray(value)) return [];
    return value
      .filter((each): each is string => typeof each === 'string' && each !== '' && each.length <= MAX_CHARS)
      .slice(0, KEPT_PATTERNS);
  } catch {
    return [];
  }
}

/**
 * The index in `patterns` after a step from `at`, older with 1 and newer with -1; null when there is none. -1 stands
 * for the text that was typed.
 */
export function stepInHistory(patterns: readonly string[], at: number, by: 1 | -1): number | null {
  const next = at + by;
  return next < -1 || next >= patterns.length ? null : next;
}

export function readHistory(): string[] {
  try {
    return parseHistory(localStorage.getItem(KEY));
  } catch {
    return [];
  }
}

export function remember(pattern: string): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(withPattern(readHistory(), pattern)));
  } catch {
    // Without storage nothing is remembered.
  }
}
