/**
 * Native scrolling through any number of rows: a virtualizer over the window of rows that begins at
 * `base`, moved along before the view reaches its edge, keeping the row and its fraction to the pixel.
 */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useReducer, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { watchScroll } from '../../ui/state/page.ts';
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
  UNIFORM,
  WINDOW_ROWS,
  windowCount,
} from './positions.ts';
import type { During, Scroll } from './scroll.ts';
import type { LaidRows } from './use-flow-window.ts';

/** Scrolling finds these drawn. */
const OVERSCAN_ROWS = 16;

/** The virtualizer measures all its rows anew when their number changes, so it changes by this many at once. */
const COUNT_STEP_ROWS = 8192;

/** @param overscan rows drawn beyond each edge of the view */
export function useScrollWindow(
  total: number,
  scroller: RefObject<HTMLDivElement | null>,
  scroll: Scroll,
  overscan = OVERSCAN_ROWS,
): LaidRows {
  const { view } = scroll;
  const [base, setBase] = useState(0);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const current = useRef({ base: 0, total, pending: null as { base: number; top: number } | null });
  current.current.total = total;

  const count = windowCount(base, total);
  const roundedCount = Math.min(WINDOW_ROWS, Math.ceil(count / COUNT_STEP_ROWS) * COUNT_STEP_ROWS);
  const getItemKey = useCallback((index: number) => base + index, [base]);
  const virtualizer = useVirtualizer({
    count: roundedCount,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT_PX,
    overscan,
    getItemKey,
    useFlushSync: true,
  });

  const moveTo = useCallback(
    (wanted: ScrollPosition, during: During) => {
      const element = scroller.current;
      if (!element) return;
      const { total: rows } = current.current;
      const height = during === 'growth' ? view.get().height : element.clientHeight;
      const position = clampPosition(wanted, rows, height);
      let next = current.current.base;
      if (mustRebase(next, position, rows, height)) next = baseFor(position.row, rows);
      const top = scrollTopOf(next, position);
      current.current.base = next;
      current.current.pending = { base: next, top };
      // The scroll event comes only with the next frame; until then the virtualizer must believe us,
      // or this frame would show the rows of the old position.
      virtualizer.scrollOffset = top;
      const render = () => {
        setBase(next);
        redraw();
      };
      if (during === 'event') flushSync(render);
      else render();
      view.set({ position, height, total: rows, heights: UNIFORM });
    },
    [scroller, view, virtualizer],
  );
  // A layout effect of its own: those of the callers run later and may scroll, for which the height must be known.
  useLayoutEffect(() => {
    scroll.connect(moveTo);
    const { position, total, height, heights } = view.get();
    const now = scroller.current?.clientHeight ?? height;
    if (heights === UNIFORM) return view.set({ ...view.get(), height: now });
    // The rows were shown with other heights so far: stay at the same row, or at the end.
    const atEnd = comparePositions(position, endPosition(total, height, heights)) >= 0;
    moveTo(atEnd ? endPosition(total, now) : { row: position.row, px: 0 }, 'layout');
  }, [scroll, scroller, view, moveTo]);

  // After the commit that laid the new window out, and before it is painted.
  useLayoutEffect(() => {
    const { pending } = current.current;
    if (!pending || pending.base !== base || !scroller.current) return;
    current.current.pending = null;
    scroller.current.scrollTop = pending.top;
  });

  useScrolled({ current, scroller, view, moveTo });

  // A text that became shorter leaves the view after its end; one that became longer only changes the total.
  useLayoutEffect(() => {
    const { position, height } = view.get();
    const clamped = clampPosition(position, total, height);
    if (clamped.row !== position.row || clamped.px !== position.px) moveTo(clamped, 'layout');
    else view.set({ position, height, total, heights: UNIFORM });
  }, [total, view, moveTo]);

  // In this order: the items are what brings the range up to date.
  const items = virtualizer.getVirtualItems().filter(({ index }) => index < count);
  const { range } = virtualizer;
  const last = base + count - 1;
  return {
    layoutHeight: count * ROW_HEIGHT_PX,
    rows: items.map(({ index, start }) => ({ row: base + index, start })),
    visible:
      range && count > 0
        ? { first: Math.min(last, base + range.startIndex), last: Math.min(last, base + range.endIndex) }
        : null,
  };
}

interface WindowParts {
  current: RefObject<{ base: number; total: number }>;
  scroller: RefObject<HTMLDivElement | null>;
  view: Scroll['view'];
  moveTo: (position: ScrollPosition, during: During) => void;
}

/** Takes the position when the person scrolls, or the element's height changes. */
function useScrolled({ current, scroller, view, moveTo }: WindowParts): void {
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const onScroll = () => {
      const { base: from, total: rows } = current.current;
      const position = positionOf(from, element.scrollTop);
      const height = element.clientHeight;
      if (mustRebase(from, position, rows, height)) moveTo(position, 'event');
      else view.set({ position, height, total: rows, heights: UNIFORM });
    };
    return watchScroll(element, onScroll);
  }, [current, scroller, view, moveTo]);
}
