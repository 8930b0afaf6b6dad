/**
 * Where the view is in a text of any number of rows. A browser's element ends at 33.5 million pixels
 * (1.86 million rows), so only a window of rows is laid out and natively scrolled; `base` is the row it
 * begins with. Places are kept as a row and the pixels of it that are scrolled away, never as pixels
 * from the top of the text. All of it is arithmetic: the element is the caller's.
 */

/** Pixels. */
export const ROW_HEIGHT_PX = 18;
/** Most rows laid out at once: 1.8 million pixels, and as many entries in the virtualizer. */
export const WINDOW_ROWS = 100_000;
/**
 * Bases are multiples of this, so that moving the base moves the scroll position by a whole number of
 * device pixels at any usual scale factor (18,000 px x 1.1, 1.25, 1.5 …) and nothing is lost to rounding.
 */
export const BASE_STEP_ROWS = 1000;

const EDGE_ROWS = WINDOW_ROWS / 8;

/** Counted from row 0; `0 <= px < ROW_HEIGHT_PX`. */
export interface ScrollPosition {
  row: number;
  px: number;
}

/** Rows laid out for this base. */
export function windowCount(base: number, total: number): number {
  return Math.max(0, Math.min(WINDOW_ROWS, total - base));
}

/** The base that puts `row` about the middle of its window. */
export function baseFor(row: number, total: number): number {
  const highest = Math.max(0, total - WINDOW_ROWS);
  const wanted = Math.min(Math.max(0, row - WINDOW_ROWS / 2), highest);
  // Round up at the end: the last window must reach the last row, and may be shorter.
  return wanted === highest
    ? Math.ceil(wanted / BASE_STEP_ROWS) * BASE_STEP_ROWS
    : Math.floor(wanted / BASE_STEP_ROWS) * BASE_STEP_ROWS;
}

export function positionOf(base: number, scrollTop: number): ScrollPosition {
  const rows = Math.floor(scrollTop / ROW_HEIGHT_PX);
  return { row: base + rows, px: scrollTop - rows * ROW_HEIGHT_PX };
}

export function scrollTopOf(base: number, position: ScrollPosition): number {
  return (position.row - base) * ROW_HEIGHT_PX + position.px;
}

/** The position where the last row touches the bottom of a view `height` pixels high. */
export function endPosition(total: number, height: number): ScrollPosition {
  return fromPixels(Math.max(0, total * ROW_HEIGHT_PX - height));
}

export function clampPosition(position: ScrollPosition, total: number, height: number): ScrollPosition {
  if (position.row < 0) return { row: 0, px: 0 };
  const last = endPosition(total, height);
  return comparePositions(position, last) > 0 ? last : position;
}

/** Negative when `a` is above `b`, positive when below. */
export function comparePositions(a: ScrollPosition, b: ScrollPosition): number {
  return a.row - b.row || a.px - b.px;
}

export function movedRows(position: ScrollPosition, rows: number): ScrollPosition {
  return { row: position.row + rows, px: position.px };
}

/** Whole rows that fit into `height` pixels; at least one. */
export function wholeRows(height: number): number {
  return Math.max(1, Math.floor(height / ROW_HEIGHT_PX));
}

/** True when the view is so near an edge of its window that is not an edge of the text that it must move. */
export function mustRebase(base: number, position: ScrollPosition, total: number, height: number): boolean {
  const count = windowCount(base, total);
  const top = position.row - base;
  const bottom = top + Math.ceil(height / ROW_HEIGHT_PX);
  const aboveIsMore = base > 0 && top < EDGE_ROWS;
  const belowIsMore = base + count < total && bottom > count - EDGE_ROWS;
  return (aboveIsMore || belowIsMore) && baseFor(position.row, total) !== base;
}

/** 0 at the first position, 1 at the last: where a scrollbar's thumb goes. */
export function fractionOf(position: ScrollPosition, total: number, height: number): number {
  const last = toPixels(endPosition(total, height));
  return last === 0 ? 0 : Math.min(1, toPixels(position) / last);
}

/** The position at a fraction of the way, on a whole row except at the very end. */
export function positionAtFraction(fraction: number, total: number, height: number): ScrollPosition {
  const last = endPosition(total, height);
  if (fraction >= 1) return last;
  return clampPosition({ row: Math.round(Math.max(0, fraction) * last.row), px: 0 }, total, height);
}

/** Puts `row` a third of the way down the view, or another part of it. */
export function positionShowing(row: number, total: number, height: number, part = 1 / 3): ScrollPosition {
  const above = Math.floor(wholeRows(height) * part);
  return clampPosition({ row: Math.max(0, row - above), px: 0 }, total, height);
}

/**
 * The nearest position that shows `row` and, as far as they fit, `around` rows above and below it. A row more than a
 * screen away is put a third of the way down.
 */
export function positionRevealing(
  row: number,
  position: ScrollPosition,
  total: number,
  height: number,
  around = 0,
): ScrollPosition {
  const rows = wholeRows(height);
  const margin = Math.min(around, Math.floor((rows - 1) / 2));
  const first = Math.max(0, row - margin);
  const last = Math.min(total - 1, row + margin);
  if (isWhollyVisible(first, position, height) && isWhollyVisible(last, position, height)) return position;
  if (first < position.row - rows || last > position.row + 2 * rows)
    return positionShowing(row, total, height);
  const above = comparePositions({ row: first, px: 0 }, position) < 0;
  return clampPosition(above ? { row: first, px: 0 } : endPosition(last + 1, height), total, height);
}

/** True when the whole of `row` is in view. */
export function isWhollyVisible(row: number, position: ScrollPosition, height: number): boolean {
  const top = (row - position.row) * ROW_HEIGHT_PX - position.px;
  return top >= 0 && top + ROW_HEIGHT_PX <= height;
}

// Doubles hold every pixel of 500 million million rows, so pixels are exact in arithmetic; only elements cap them.
function toPixels(position: ScrollPosition): number {
  return position.row * ROW_HEIGHT_PX + position.px;
}

function fromPixels(pixels: number): ScrollPosition {
  const row = Math.floor(pixels / ROW_HEIGHT_PX);
  return { row, px: pixels - row * ROW_HEIGHT_PX };
}
