/** The rows of the results: every match with so many lines around it, all groups equally long. Rows count from 0. */

export const MOST_CONTEXT = 3;

export interface ResultRow {
  /** From 0. */
  match: number;
  /** Lines from the matching one: 0 for itself, negative above. */
  offset: number;
}

export function rowsPerMatch(context: number): number {
  return context * 2 + 1;
}

export function resultRowAt(row: number, context: number): ResultRow {
  const each = rowsPerMatch(context);
  return { match: Math.floor(row / each), offset: (row % each) - context };
}

/** The row of the matching line itself. */
export function rowOfMatch(match: number, context: number): number {
  return match * rowsPerMatch(context) + context;
}

/**
 * A line around a match that is in the list already: as a match itself, or around the match before. Its row only says so, because
 * groups are equally long. `before` and `behind`: lines of the neighbouring matches, undefined where there is none or not yet.
 */
export function isRepeated(
  line: number,
  offset: number,
  context: number,
  { before, behind }: { before: number | undefined; behind: number | undefined },
): boolean {
  if (offset < 0) return before !== undefined && line <= before + context;
  return offset > 0 && behind !== undefined && line >= behind;
}
