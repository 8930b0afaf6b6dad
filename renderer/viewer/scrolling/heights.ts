/** The number of screen lines of each row: one, or more if a long line wraps or JSON is unfolded. */

export interface Heights {
  /** At least 1. A row not fetched yet counts as 1. */
  linesOf(row: number): number;
  /** Where long lines wrap: the columns of a screen line. */
  readonly columns?: number;
}

/** All rows take one line, so sums need no look at the rows. */
export const UNIFORM: Heights = { linesOf: () => 1 };

/** Pixels of one screen line. */
export const LINE_HEIGHT_PX = 18;

export function heightOf(row: number, heights: Heights): number {
  return heights.linesOf(row) * LINE_HEIGHT_PX;
}

/** Returns the pixels of rows `from` to `to`, excluding `to`. */
export function heightBetween(from: number, to: number, heights: Heights): number {
  if (heights === UNIFORM) return (to - from) * LINE_HEIGHT_PX;
  let lines = 0;
  for (let row = from; row < to; row += 1) lines += heights.linesOf(row);
  return lines * LINE_HEIGHT_PX;
}

/**
 * Returns the row `px` pixels below the top of `row` (above it, if negative) among `total` rows, and the pixels into
 * it.
 */
export function rowAt(row: number, px: number, total: number, heights: Heights): { row: number; px: number } {
  if (heights === UNIFORM) {
    const by = Math.floor(px / LINE_HEIGHT_PX);
    return { row: row + by, px: px - by * LINE_HEIGHT_PX };
  }
  let [at, left] = [Math.min(row, Math.max(0, total - 1)), px];
  while (left < 0 && at > 0) {
    at -= 1;
    left += heightOf(at, heights);
  }
  while (at < total - 1 && left >= heightOf(at, heights)) {
    left -= heightOf(at, heights);
    at += 1;
  }
  return { row: at, px: Math.max(0, left) };
}
