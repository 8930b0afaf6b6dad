/**
 * Scroll positions in a text of any number of rows: a row and the pixels of it above the view, never pixels from the top
 * of the text. This is arithmetic only: `use-row-window.ts` has the element. Rows of more than one screen line have
 * `Heights`; pass them wherever positions are computed.
 */
import { createStore, useStore } from '../../ui/state/store.ts';
import { rowHeight, textLook } from '../../ui/theme/theme.ts';

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
export let LINE_HEIGHT_PX: number;
const measure = () => {
  LINE_HEIGHT_PX = rowHeight(textLook.get());
};
measure();
// The texts are drawn anew after it (Panes.tsx).
textLook.subscribe(measure);

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

/**
 * Rows count from 0; `px` is less than the row's height. In a destination, a negative `px` puts the row that far below
 * the top of the view, where it stays when rows above it are fetched and become higher.
 */
export interface ScrollPosition {
  row: number;
  px: number;
}

/** Returns the position at which the last row touches the bottom of a view `height` pixels high. */
export function endPosition(total: number, height: number, heights: Heights): ScrollPosition {
  if (heights === UNIFORM) return rowAt(0, Math.max(0, total * LINE_HEIGHT_PX - height), total, UNIFORM);
  let [row, left] = [total, height];
  while (row > 0 && left > 0) {
    row -= 1;
    left -= heightOf(row, heights);
  }
  return { row, px: Math.max(0, -left) };
}

export function clampPosition(
  position: ScrollPosition,
  total: number,
  height: number,
  heights: Heights,
): ScrollPosition {
  const settled = rowAt(position.row, position.px, total, heights);
  if (settled.row < 0) return { row: 0, px: 0 };
  const last = endPosition(total, height, heights);
  return comparePositions(settled, last) > 0 ? last : settled;
}

/** The part of a text that is in view. */
export interface Viewport {
  position: ScrollPosition;
  /** Pixels. */
  height: number;
  /** Rows. */
  total: number;
  /** A new object when the rows' layout changes. */
  heights: Heights;
}

/** Whether the last row ends in view. */
export function isAtEnd({ position, total, height, heights }: Viewport): boolean {
  return comparePositions(position, endPosition(total, height, heights)) >= 0;
}

/** Negative if `a` is above `b`, positive if below. */
export function comparePositions(a: ScrollPosition, b: ScrollPosition): number {
  return a.row - b.row || a.px - b.px;
}

/** Moves by screen lines. */
export function movedRows(position: ScrollPosition, lines: number, heights: Heights): ScrollPosition {
  if (heights === UNIFORM) return { row: position.row + lines, px: position.px };
  return { row: position.row, px: position.px + lines * LINE_HEIGHT_PX };
}

/** Returns the first row that begins in view, or the row at the top if it fills the view. */
export function topRow(position: ScrollPosition, height: number, heights: Heights): number {
  const { row, px } = position;
  return px > 0 && heightOf(row, heights) - px < height ? row + 1 : row;
}

/** Returns the last row whose first line is wholly in view. */
export function bottomRow(position: ScrollPosition, total: number, height: number, heights: Heights): number {
  const at = rowAt(position.row, position.px + height - LINE_HEIGHT_PX, total, heights);
  return Math.min(at.row, Math.max(0, total - 1));
}

/** Returns how many whole rows of one line fit into `height` pixels; at least one. */
export function wholeRows(height: number): number {
  return Math.max(1, Math.floor(height / LINE_HEIGHT_PX));
}

/** Returns the position of a scrollbar's thumb: 0 at the first position, 1 at the last. Every row counts the same. */
export function fractionOf(
  position: ScrollPosition,
  total: number,
  height: number,
  heights: Heights,
): number {
  const rows = ({ row, px }: ScrollPosition) => row + px / heightOf(row, heights);
  const last = rows(endPosition(total, height, heights));
  return last === 0 ? 0 : Math.min(1, rows(position) / last);
}

/** Returns the position at a fraction of the way: at the top of a row, except at the very end. */
export function positionAtFraction(
  fraction: number,
  total: number,
  height: number,
  heights: Heights,
): ScrollPosition {
  const last = endPosition(total, height, heights);
  if (fraction >= 1) return last;
  const row = Math.round(Math.max(0, fraction) * last.row);
  return clampPosition({ row, px: 0 }, total, height, heights);
}

/** Puts `row` a third of the way down the view, or another part of it. */
export function positionShowing(
  row: number,
  total: number,
  height: number,
  part: number,
  heights: Heights,
): ScrollPosition {
  const above = Math.floor(wholeRows(height) * part);
  if (heights !== UNIFORM) return { row, px: -above * LINE_HEIGHT_PX };
  return clampPosition({ row: Math.max(0, row - above), px: 0 }, total, height, UNIFORM);
}

/**
 * Returns the nearest position that shows `row` and, as far as they fit, `around` rows above and below it. Puts a row
 * more than a screen away a third of the way down. For rows of one line, such as results.
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
  const isShown = [first, last].every((each) => isWhollyVisible(each, position, height, UNIFORM));
  if (isShown) return position;
  if (first < position.row - rows || last > position.row + 2 * rows)
    return positionShowing(row, total, height, 1 / 3, UNIFORM);
  const above = comparePositions({ row: first, px: 0 }, position) < 0;
  const next = above ? { row: first, px: 0 } : endPosition(last + 1, height, UNIFORM);
  return clampPosition(next, total, height, UNIFORM);
}

/** Whether all of `row` is in view, or nothing but it. */
export function isWhollyVisible(
  row: number,
  position: ScrollPosition,
  height: number,
  heights: Heights,
): boolean {
  const top = topOf(row, position, height, heights);
  return (
    top !== null &&
    top >= 0 &&
    top + Math.min(heightOf(row, heights), Math.max(height, LINE_HEIGHT_PX)) <= height
  );
}

/** Whether enough of `row` is in view to tell it apart: half the height of a line. */
export function isInView(row: number, position: ScrollPosition, height: number, heights: Heights): boolean {
  const top = topOf(row, position, height, heights);
  if (top === null) return false;
  const seen = Math.min(top + heightOf(row, heights), height) - Math.max(top, 0);
  return seen >= LINE_HEIGHT_PX / 2;
}

/** Returns how many pixels below the top of the view `row` begins; null if it is above the view, or too far below. */
function topOf(row: number, position: ScrollPosition, height: number, heights: Heights): number | null {
  if (row < position.row || row > position.row + height / LINE_HEIGHT_PX) return null;
  return heightBetween(position.row, row, heights) - position.px;
}

/**
 * A layout effect can't flush a render: the move is applied with the next commit, before the next paint. `growth` is
 * also such an effect, ten times a second: it uses the last known height, as asking the browser would lay out the page
 * again.
 */
export type During = 'event' | 'layout' | 'growth';

export class Scroll {
  readonly view = createStore<Viewport>(
    { position: { row: 0, px: 0 }, height: 0, total: 0, heights: UNIFORM },
    isSameView,
  );
  #move: (position: ScrollPosition, during: During) => void = () => {};

  /** Moves to the position, or as near as the text allows. */
  readonly moveTo = (position: ScrollPosition, during: During = 'event'): void =>
    this.#move(position, during);

  /** Called by the component that draws the rows. */
  connect(move: (position: ScrollPosition, during: During) => void): void {
    this.#move = move;
  }
}

function isSameView(a: Viewport, b: Viewport): boolean {
  return (
    comparePositions(a.position, b.position) === 0 &&
    a.height === b.height &&
    a.total === b.total &&
    a.heights === b.heights
  );
}

/** Renders again whenever the view moves. */
export function useViewport(scroll: Scroll): Viewport {
  return useStore(scroll.view);
}
