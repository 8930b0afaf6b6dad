/**
 * Lays out rows of different heights around the view. Only rows near the view are measured, and the scroller has a
 * fixed height. So heights of distant rows are not needed, and a newly measured row does not move those in view.
 */
import { type Heights, heightBetween, heightOf } from './heights.ts';
import { BASE_STEP_ROWS, ROW_HEIGHT_PX, type ScrollPosition, WINDOW_ROWS } from './scroll-window.ts';

/** Distance in rows from the start or end within which heights are summed. */
const NEAR_ROWS = 500;
const WINDOW_PX = WINDOW_ROWS * ROW_HEIGHT_PX;
/** If the view is this near an edge of the scroller that is not the text's, move it back to the middle. */
const EDGE_PX = WINDOW_PX / 8;
/** Moving by multiples of this avoids rounding, as in scroll-window.ts. */
const STEP_PX = BASE_STEP_ROWS * ROW_HEIGHT_PX;
const MIDDLE_PX = WINDOW_PX / 2;

interface FlowRow {
  row: number;
  /** Pixels from the top of the layout. */
  start: number;
}

export interface LaidRows {
  /** Height of the layout in pixels. */
  layoutHeight: number;
  rows: FlowRow[];
  /** First and last row in view, from 0; null without rows. */
  visible: { first: number; last: number } | null;
}

/** Returns the scroll offset for a position: the current `top` if possible. */
export function flowTop(top: number, position: ScrollPosition, heights: Heights): number {
  if (position.row <= NEAR_ROWS) return heightBetween(0, position.row, heights) + position.px;
  if (top >= EDGE_PX && top <= WINDOW_PX - EDGE_PX) return top;
  return MIDDLE_PX + (((top % STEP_PX) + STEP_PX) % STEP_PX);
}

/** Returns the scroll offset for a position far from the current one. */
export function farTop(position: ScrollPosition, heights: Heights): number {
  return flowTop(MIDDLE_PX + position.px, position, heights);
}

/** Height of the layout in pixels. */
export function flowHeight(top: number, position: ScrollPosition, total: number, heights: Heights): number {
  const { row, px } = position;
  if (total - row <= NEAR_ROWS) return top - px + heightBetween(row, total, heights);
  return Math.max(WINDOW_PX, top + EDGE_PX);
}

/** Returns the rows in view, and those within `overscan` pixels. */
export function flowRows(
  top: number,
  position: ScrollPosition,
  view: { height: number; overscan: number; total: number },
  heights: Heights,
): FlowRow[] {
  const { height, overscan, total } = view;
  if (total === 0) return [];
  let first = position.row;
  let start = top - position.px;
  while (first > 0 && start > top - overscan) {
    first -= 1;
    start -= heightOf(first, heights);
  }
  const rows: FlowRow[] = [];
  for (let row = first; row < total && start < top + height + overscan; row += 1) {
    rows.push({ row, start });
    start += heightOf(row, heights);
  }
  return rows;
}

/** Returns the pixels from one position down to another; null if they are too far apart to matter. */
export function distance(from: ScrollPosition, to: ScrollPosition, heights: Heights): number | null {
  if (Math.abs(to.row - from.row) > NEAR_ROWS) return null;
  const [upper, lower] = from.row <= to.row ? [from, to] : [to, from];
  const apart = heightBetween(upper.row, lower.row, heights) - upper.px + lower.px;
  return upper === from ? apart : -apart;
}
