/**
 * Native scrolling through rows of different heights. One row keeps its position on the screen while others change.
 * Only rows near the view are measured, and the scroller has a fixed height. So heights of distant rows are not needed,
 * and a newly measured row does not move those in view.
 */

import { type RefObject, useCallback, useEffect, useLayoutEffect, useReducer, useRef } from 'react';
import { flushSync } from 'react-dom';
import { watchScroll } from '../../ui/state/page.ts';
import {
  BASE_STEP_ROWS,
  clampPosition,
  comparePositions,
  endPosition,
  type Heights,
  heightBetween,
  heightOf,
  ROW_HEIGHT_PX,
  type ScrollPosition,
  WINDOW_ROWS,
} from './positions.ts';
import type { During, Scroll, Viewport } from './scroll.ts';

const OVERSCAN_PX = 300;

interface Flow {
  /** The position of the row that stays in place: its pixels are negative below the top of the view. */
  held: ScrollPosition;
  /** The scroll offset of the layout. */
  top: number;
  total: number;
  height: number;
  heights: Heights;
  /** First and last row of the layout. */
  laid: string;
  /** Whether the element must be scrolled to `top`. */
  mustPlace: boolean;
}

export function useFlowWindow(
  total: number,
  heights: Heights,
  scroller: RefObject<HTMLDivElement | null>,
  scroll: Scroll,
): LaidRows {
  const { view } = scroll;
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const flow = useRef<Flow | null>(null);
  flow.current ??= begin(scroll, heights, total);
  const now = flow.current;
  const scrolled = takeChanges(now, scroller.current, { shown: view.get(), total, heights });
  const { height } = now;
  const { top, position, rows } = layOut(now);
  const laid = spanOf(rows);

  const parts = { flow, scroller, scroll, redraw };
  useMoving(parts);

  // Runs after the commit that laid out the rows, before the paint.
  useLayoutEffect(() => {
    const element = scroller.current;
    const { current } = flow;
    if (!element || !current) return;
    // It renders again for the new height before the paint.
    if (current.height !== height) return;
    if (current.mustPlace || scrolled === undefined || Math.abs(scrolled - top) >= 1) element.scrollTop = top;
    Object.assign(current, { laid, top, mustPlace: false });
    view.set({ position, height, total, heights });
  });

  useScrolled(parts);

  const seen = rows.filter(
    ({ row, start }) => start < top + now.height && start + heightOf(row, heights) > top,
  );
  return {
    layoutHeight: flowHeight(top, position, total, heights),
    rows,
    visible: seen.length > 0 ? { first: seen[0]!.row, last: seen.at(-1)!.row } : null,
  };
}

interface FlowParts {
  flow: RefObject<Flow | null>;
  scroller: RefObject<HTMLDivElement | null>;
  scroll: Scroll;
  redraw: () => void;
}

/** Moves the view when told to. */
function useMoving({ flow, scroller, scroll, redraw }: FlowParts): void {
  const { view } = scroll;
  const moveTo = useCallback(
    (wanted: ScrollPosition, during: During) => {
      const element = scroller.current;
      const { current } = flow;
      if (!element || !current) return;
      const { total, heights } = current;
      const height = during === 'growth' ? view.get().height : element.clientHeight;
      const from = clampPosition(current.held, total, current.height, heights);
      const position = clampPosition(wanted, total, height, heights);
      const by = distance(from, position, heights);
      current.top = by === null ? farTop(position, heights) : current.top + by;
      current.height = height;
      current.mustPlace = true;
      current.held = isAtEnd(position, total, height, heights)
        ? lastRowAtBottom(total, height, heights)
        : wanted;
      if (during === 'event') flushSync(redraw);
      else redraw();
      view.set({ position, height, total, heights });
    },
    [flow, scroller, view, redraw],
  );

  useLayoutEffect(() => {
    scroll.connect(moveTo);
    const { current } = flow;
    if (current && scroller.current) {
      const { total, height, heights } = current;
      const wasAtEnd = isAtEnd(clampPosition(current.held, total, height, heights), total, height, heights);
      current.height = scroller.current.clientHeight;
      if (wasAtEnd) current.held = lastRowAtBottom(total, current.height, heights);
    }
    redraw();
  }, [flow, scroll, scroller, moveTo, redraw]);
}

/** Renders again when the person scrolls, or the element's height changes. */
function useScrolled({ flow, scroller, scroll, redraw }: FlowParts): void {
  const { view } = scroll;
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const onScroll = () => {
      const { current } = flow;
      if (!current) return;
      if (wasPushed(current, element)) return takeHeight();
      if (!takeScroll(current, element.scrollTop)) return;
      const { total, held: position, height, heights } = current;
      const { top, rows } = layOut(current);
      if (top !== current.top || spanOf(rows) !== current.laid) flushSync(redraw);
      view.set({ position, height, total, heights });
    };
    const takeHeight = () => {
      const { current } = flow;
      if (!current || current.height === element.clientHeight) return;
      current.mustPlace ||= wasPushed(current, element);
      current.height = element.clientHeight;
      redraw();
    };
    return watchScroll(element, onScroll, takeHeight);
  }, [flow, scroller, view, redraw]);
}

/**
 * Takes what changed since the last render: the scroll offset, which it returns unless the element must be scrolled;
 * the heights and the number of rows.
 */
function takeChanges(
  flow: Flow,
  element: HTMLElement | null,
  { shown, total, heights }: { shown: Viewport; total: number; heights: Heights },
): number | undefined {
  // Ask before rendering, and not if it will be set: otherwise it costs a layout.
  if (element && !flow.mustPlace) flow.mustPlace = wasPushed(flow, element);
  const scrolled = flow.mustPlace ? undefined : element?.scrollTop;
  if (scrolled !== undefined) takeScroll(flow, scrolled);
  if (flow.heights !== heights) {
    flow.mustPlace = true;
    flow.held = carried({ ...shown, heights: flow.heights }, heights, total);
  }
  // A text that became shorter may leave the view below its end.
  else if (total < flow.total) {
    flow.held = clampPosition(flow.held, total, flow.height, heights);
    flow.mustPlace = true;
  }
  flow.total = total;
  flow.heights = heights;
  return scrolled;
}

function layOut({ held, total, top: before, height, heights }: Flow) {
  const position = clampPosition(held, total, height, heights);
  const top = flowTop(before, position, heights);
  return { position, top, rows: flowRows(top, position, { height, overscan: OVERSCAN_PX, total }, heights) };
}

/**
 * Moves by the distance that the element was scrolled since its layout; returns false if it was not. Rendering also
 * calls this, as it would undo a scroll not reported yet.
 */
function takeScroll(flow: Flow, scrollTop: number): boolean {
  const by = scrollTop - flow.top;
  // Less is the browser's rounding.
  if (flow.mustPlace || Math.abs(by) < 1) return false;
  const { held, total, height, heights } = flow;
  const from = clampPosition(held, total, height, heights);
  flow.held = clampPosition({ row: from.row, px: from.px + by }, total, height, heights);
  flow.top = scrollTop;
  return true;
}

/** Whether the browser itself scrolled, as the element grew beyond the end of the layout. */
function wasPushed(flow: Flow, element: HTMLElement): boolean {
  const { scrollTop, clientHeight, scrollHeight } = element;
  return clientHeight > flow.height && scrollTop < flow.top && scrollTop + clientHeight >= scrollHeight - 1;
}

function begin(scroll: Scroll, heights: Heights, total: number): Flow {
  const viewport = scroll.view.get();
  const held = carried(viewport, heights, total);
  return {
    held,
    top: farTop(held, heights),
    total,
    height: viewport.height,
    heights,
    laid: '',
    mustPlace: true,
  };
}

/** Returns the position after the rows' heights changed: at the same row, or still at the end. */
function carried(shown: Viewport, heights: Heights, total: number): ScrollPosition {
  const { position, height } = shown;
  if (isAtEnd(position, shown.total, height, shown.heights)) return lastRowAtBottom(total, height, heights);
  return position.px < heightOf(position.row, heights) ? position : { row: position.row, px: 0 };
}

function lastRowAtBottom(total: number, height: number, heights: Heights): ScrollPosition {
  return { row: total - 1, px: heightOf(total - 1, heights) - height };
}

function isAtEnd(position: ScrollPosition, total: number, height: number, heights: Heights): boolean {
  const end = endPosition(total, height, heights);
  return (end.row > 0 || end.px > 0) && comparePositions(position, end) >= 0;
}

function spanOf(rows: readonly { row: number }[]): string {
  return `${rows[0]?.row}-${rows.at(-1)?.row}`;
}

/** Distance in rows from the start or end within which heights are summed. */
const NEAR_ROWS = 500;
const WINDOW_PX = WINDOW_ROWS * ROW_HEIGHT_PX;
/** If the view is this near an edge of the scroller that is not the text's, move it back to the middle. */
const EDGE_PX = WINDOW_PX / 8;
/** Moving by multiples of this avoids rounding, as in positions.ts. */
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
