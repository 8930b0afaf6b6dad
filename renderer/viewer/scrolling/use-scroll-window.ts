/**
 * Native scrolling through any number of rows of one height. The rows that begin at `base` are laid out; the base moves
 * along before the view reaches its edge, keeping the row and its fraction to the pixel. Which rows are drawn is
 * arithmetic: a virtualizer makes a measurement for each of 100,000 rows anew whenever the text grows.
 */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useReducer, useRef } from 'react';
import { flushSync } from 'react-dom';
import type { LaidRows } from './flow.ts';
import { UNIFORM } from './heights.ts';
import type { During, Scroll } from './scroll.ts';
import {
  baseFor,
  clampPosition,
  comparePositions,
  endPosition,
  mustRebase,
  positionOf,
  ROW_HEIGHT_PX,
  type ScrollPosition,
  scrollTopOf,
  windowCount,
} from './scroll-window.ts';

/** Rows drawn beyond each edge of the view. */
const OVERSCAN_ROWS = 16;

export function useScrollWindow(
  total: number,
  scroller: RefObject<HTMLDivElement | null>,
  scroll: Scroll,
): LaidRows {
  const { view } = scroll;
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const current = useRef({ base: 0, top: 0, height: 0, total, drawn: '', mustPlace: false });
  const now = current.current;
  now.total = total;

  const moveTo = useCallback(
    (wanted: ScrollPosition, during: During) => {
      const element = scroller.current;
      if (!element) return;
      const now = current.current;
      const { total } = now;
      // Within a commit, asking the element costs a layout. An observer tells of another height before the next paint.
      const height = during === 'layout' && now.height > 0 ? now.height : element.clientHeight;
      const position = clampPosition(wanted, total, height);
      if (mustRebase(now.base, position, total, height)) now.base = baseFor(position.row, total);
      // The scroll event comes only with the next frame; this frame must show the rows of the new position.
      Object.assign(now, { top: scrollTopOf(now.base, position), height, mustPlace: true });
      if (during === 'event') flushSync(redraw);
      else redraw();
      view.set({ position, height, total, heights: UNIFORM });
    },
    [scroller, view],
  );
  // A layout effect of its own: those of the callers run later and may scroll, for which the height must be known.
  useLayoutEffect(() => {
    scroll.connect(moveTo);
    const { position, total, height, heights } = view.get();
    const own = scroller.current?.clientHeight ?? height;
    current.current.height = own;
    redraw();
    if (heights === UNIFORM) return view.set({ ...view.get(), height: own });
    // The rows were shown with other heights so far: stay at the same row, or at the end.
    const atEnd = comparePositions(position, endPosition(total, height, heights)) >= 0;
    moveTo(atEnd ? endPosition(total, own) : { row: position.row, px: 0 }, 'layout');
  }, [scroll, scroller, view, moveTo]);

  // After the commit that laid the rows out, and before it is painted.
  useLayoutEffect(() => {
    if (!now.mustPlace || !scroller.current) return;
    now.mustPlace = false;
    scroller.current.scrollTop = now.top;
  });

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const onScroll = () => {
      const now = current.current;
      // Rows of the new position are about to be drawn: what the element says is of the last one.
      if (now.mustPlace) return;
      const { scrollTop: top, clientHeight: height } = element;
      Object.assign(now, { top, height });
      const position = positionOf(now.base, top);
      if (mustRebase(now.base, position, now.total, height)) return moveTo(position, 'event');
      if (spanOf(drawnRows(now)) !== now.drawn) flushSync(redraw);
      view.set({ position, height, total: now.total, heights: UNIFORM });
    };
    const resized = new ResizeObserver(() => onScroll());
    resized.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      resized.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [scroller, view, moveTo]);

  // A text that became shorter leaves the view behind its end; one that became longer only changes the total.
  useLayoutEffect(() => {
    const { position, height } = view.get();
    const clamped = clampPosition(position, total, height);
    if (clamped.row !== position.row || clamped.px !== position.px) moveTo(clamped, 'layout');
    else view.set({ position, height, total, heights: UNIFORM });
  }, [total, view, moveTo]);

  const drawn = drawnRows(now);
  now.drawn = spanOf(drawn);
  const rows = Array.from({ length: drawn.end - drawn.first }, (_, index) => {
    const row = drawn.first + index;
    return { row, start: (row - now.base) * ROW_HEIGHT_PX };
  });
  const seen = rowsWithin(now, 0);
  return {
    layoutHeight: windowCount(now.base, total) * ROW_HEIGHT_PX,
    rows,
    visible: seen.end > seen.first ? { first: seen.first, last: seen.end - 1 } : null,
  };
}

interface Place {
  base: number;
  /** Pixels scrolled, and of the view. */
  top: number;
  height: number;
  total: number;
}

function drawnRows(place: Place): { first: number; end: number } {
  return rowsWithin(place, OVERSCAN_ROWS);
}

/** Rows in view and so many beyond each edge, `end` not included. None before the height is known. */
function rowsWithin({ base, top, height, total }: Place, beyond: number): { first: number; end: number } {
  if (height === 0) return { first: 0, end: 0 };
  const end = base + windowCount(base, total);
  const firstSeen = base + Math.floor(top / ROW_HEIGHT_PX);
  const endSeen = base + Math.ceil((top + height) / ROW_HEIGHT_PX);
  return { first: Math.max(base, Math.min(firstSeen - beyond, end)), end: Math.min(end, endSeen + beyond) };
}

function spanOf({ first, end }: { first: number; end: number }): string {
  return `${first}-${end}`;
}
