/** Remembers search patterns in localStorage, newest first. */

export const KEPT_PATTERNS = 20;
/** UTF-16 code units. Longer patterns are not remembered. */
const MAX_CHARS = 2000;
const KEY = 'spillway.searches';

export function withPattern(patterns: readonly string[], pattern: string): string[] {
  if (pattern === '' || pattern.length > MAX_CHARS) return [...patterns];
  return [pattern, ...patterns.filter((each) => each !== pattern)].slice(0, KEPT_PATTERNS);
}

/** Parses the stored patterns; skips invalid ones. */
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
 * Returns the index in `patterns` after a step from `at`: 1 for older, -1 for newer; null if there is none. Index -1
 * stands for the typed text.
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
    // Without storage, nothing is remembered.
  }
}
