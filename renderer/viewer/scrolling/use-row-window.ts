/**
 * Native scrolling through any number of rows, of equal or different heights. A browser's element ends at 33.5 million
 * pixels (1.86 million rows), so the element has room only for rows around the view; one row keeps its position on the
 * screen while others change, and the element's scroll offset is moved back to its middle when the view nears an edge
 * that is not the text's. A virtualizer measures only rows near the view. So heights of distant rows are not needed, and
 * a newly measured row does not move those in view.
 */

import { type RefObject, useCallback, useLayoutEffect, useReducer, useRef } from 'react';
import { flushSync } from 'react-dom';
import { type ReportOffset, rowsNear, useVirtualRows } from '../../ui/layout/virtual-rows.ts';
import { watchScroll } from '../../ui/state/page.ts';
import {
  clampPosition,
  comparePositions,
  type During,
  endPosition,
  type Heights,
  heightBetween,
  heightOf,
  LINE_HEIGHT_PX,
  type Scroll,
  type ScrollPosition,
  UNIFORM,
  type Viewport,
} from './positions.ts';

const OVERSCAN_PX = 300;

interface Flow {
  /** The position of the row that stays in place: its pixels are negative below the top of the view. */
  held: ScrollPosition;
  /** The scroll offset of the layout. */
  top: number;
  total: number;
  height: number;
  heights: Heights;
  /** Whether the element must be scrolled to `top`. */
  mustPlace: boolean;
}

/** @param overscan pixels beyond each edge of the view in which rows are drawn: scrolling finds these */
export function useRowWindow(
  total: number,
  heights: Heights,
  scroller: RefObject<HTMLDivElement | null>,
  scroll: Scroll,
  overscan = OVERSCAN_PX,
): RowWindow {
  const { view } = scroll;
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const flow = useRef<Flow | null>(null);
  flow.current ??= begin(scroll, heights, total);
  const now = flow.current;
  const scrolled = takeChanges(now, scroller.current, { shown: view.get(), total, heights });
  const { height } = now;
  const { top, position } = layOut(now);

  const parts = { flow, scroller, scroll, redraw };
  const { rows, visible } = useVirtualRows(
    scroller,
    rowsAround(top, position, { height, total }, heights),
    { top, height, overscan },
    (report) => observeScroll(parts, report),
  );
  useMoving(parts);

  // Runs after the commit that laid out the rows, before the paint.
  useLayoutEffect(() => {
    const element = scroller.current;
    const { current } = flow;
    if (!element || !current) return;
    // It renders again for the new height before the paint.
    if (current.height !== height) return;
    if (current.mustPlace || scrolled === undefined || Math.abs(scrolled - top) >= 1) element.scrollTop = top;
    Object.assign(current, { top, mustPlace: false });
    view.set({ position, height, total, heights });
  });

  return { layoutHeight: layoutHeight(top, position, total, heights), rows, visible };
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
      current.top = by === null ? farTop(position, total, heights) : current.top + by;
      current.height = height;
      current.mustPlace = true;
      // Rows that are not fetched yet may become higher, and then the destination must stay in its place.
      const settled = heights === UNIFORM ? position : wanted;
      const atBottom = isAtBottom(position, total, height, heights);
      current.held = atBottom ? lastRowAtBottom(total, height, heights) : settled;
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
      const wasAtEnd = isAtBottom(
        clampPosition(current.held, total, height, heights),
        total,
        height,
        heights,
      );
      current.height = scroller.current.clientHeight;
      if (wasAtEnd) current.held = lastRowAtBottom(total, current.height, heights);
      // Callers' layout effects run later and may scroll, for which the height must be known.
      const position = clampPosition(current.held, total, current.height, heights);
      view.set({ position, height: current.height, total, heights });
    }
    redraw();
  }, [flow, scroll, scroller, view, moveTo, redraw]);
}

/**
 * Takes the position when the person scrolls, and renders again if the virtualizer then mounts other rows, or the
 * element's height changes.
 */
function observeScroll(
  { flow, scroller, scroll, redraw }: FlowParts,
  report: ReportOffset,
): (() => void) | undefined {
  const element = scroller.current;
  if (!element) return undefined;
  const onScroll = () => {
    const { current } = flow;
    if (!current) return;
    if (wasPushed(current, element)) return takeHeight();
    if (!takeScroll(current, element.scrollTop)) return;
    const { total, held: position, height, heights } = current;
    if (layOut(current).top !== current.top) flushSync(redraw);
    else report(current.top, true);
    scroll.view.set({ position, height, total, heights });
  };
  const takeHeight = () => {
    const { current } = flow;
    if (!current || current.height === element.clientHeight) return;
    current.mustPlace ||= wasPushed(current, element);
    current.height = element.clientHeight;
    redraw();
  };
  return watchScroll(element, onScroll, takeHeight, true);
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
  return { position, top: layoutTop(before, position, total, heights) };
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
  const { clientHeight } = element;
  if (clientHeight <= flow.height) return false;
  return element.scrollTop < flow.top && element.scrollTop + clientHeight >= element.scrollHeight - 1;
}

function begin(scroll: Scroll, heights: Heights, total: number): Flow {
  const viewport = scroll.view.get();
  const held = carried(viewport, heights, total);
  return {
    held,
    top: farTop(held, total, heights),
    total,
    height: viewport.height,
    heights,
    mustPlace: true,
  };
}

/** Returns the position after the rows' heights changed: at the same row, or still at the end. */
function carried(shown: Viewport, heights: Heights, total: number): ScrollPosition {
  const { position, height } = shown;
  if (isAtBottom(position, shown.total, height, shown.heights))
    return lastRowAtBottom(total, height, heights);
  return position.px < heightOf(position.row, heights) ? position : { row: position.row, px: 0 };
}

function lastRowAtBottom(total: number, height: number, heights: Heights): ScrollPosition {
  return { row: total - 1, px: heightOf(total - 1, heights) - height };
}

function isAtBottom(position: ScrollPosition, total: number, height: number, heights: Heights): boolean {
  const end = endPosition(total, height, heights);
  return (end.row > 0 || end.px > 0) && comparePositions(position, end) >= 0;
}

/** Most rows of equal height that the element has room for: 1.8 million pixels, at the usual size of text. */
export const WINDOW_ROWS = 100_000;
const windowPx = () => WINDOW_ROWS * LINE_HEIGHT_PX;

/** If the view is this near an edge of the element that is not the text's, move it back to the middle. */
const edgePx = () => windowPx() / 8;
const middlePx = () => windowPx() / 2;

/**
 * The offset moves by multiples of this: a whole number of device pixels at any usual scale factor (18,000 px x 1.1,
 * 1.25, 1.5 …), without rounding.
 */
const stepPx = () => 1000 * LINE_HEIGHT_PX;

/** Distance in rows from the start or end within which heights are summed. Equal heights need no look at the rows. */
function nearRows(heights: Heights): number {
  return heights === UNIFORM ? WINDOW_ROWS / 2 : 500;
}

interface LaidRow {
  row: number;
  /** Pixels from the top of the layout. */
  start: number;
}

interface RowWindow {
  /** Height of the layout in pixels. */
  layoutHeight: number;
  rows: LaidRow[];
  /** First and last row in view, from 0; null without rows. */
  visible: { first: number; last: number } | null;
}

/** Returns the scroll offset for a position: the current `top` if possible. */
export function layoutTop(top: number, position: ScrollPosition, total: number, heights: Heights): number {
  const near = nearRows(heights);
  if (position.row <= near) return heightBetween(0, position.row, heights) + position.px;
  // Near its end a text needs no room below, but following it must not lead to the end of the element.
  const lowest = total - position.row <= near ? 2 * windowPx() : windowPx() - edgePx();
  if (top >= edgePx() && top <= lowest) return top;
  return middlePx() + (((top % stepPx()) + stepPx()) % stepPx());
}

/** Returns the scroll offset for a position far from the current one. */
export function farTop(position: ScrollPosition, total: number, heights: Heights): number {
  return layoutTop(middlePx() + position.px, position, total, heights);
}

/** Height of the layout in pixels. */
export function layoutHeight(top: number, position: ScrollPosition, total: number, heights: Heights): number {
  const { row, px } = position;
  if (total - row <= nearRows(heights)) return top - px + heightBetween(row, total, heights);
  return Math.max(windowPx(), top + edgePx());
}

/** Returns the rows that the virtualizer measures. */
export function rowsAround(
  top: number,
  { row, px }: ScrollPosition,
  { height, total }: { height: number; total: number },
  heights: Heights,
) {
  const { base, count } = rowsNear(row, row + Math.ceil(height / LINE_HEIGHT_PX), total);
  return {
    base,
    count,
    start: top - px - heightBetween(base, row, heights),
    heightOf: (at: number) => heightOf(at, heights),
  };
}

/** Returns the pixels from one position down to another; null if they are too far apart to matter. */
function distance(from: ScrollPosition, to: ScrollPosition, heights: Heights): number | null {
  if (Math.abs(to.row - from.row) > nearRows(heights)) return null;
  const [upper, lower] = from.row <= to.row ? [from, to] : [to, from];
  const apart = heightBetween(upper.row, lower.row, heights) - upper.px + lower.px;
  return upper === from ? apart : -apart;
}
