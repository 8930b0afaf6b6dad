/** Returns the rows of the list in view, and keeps them in place while others are added above. */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Entry } from '../library-store.ts';
import type { ListLayout } from './list-layout.ts';

/** Rows drawn beyond each edge of the view. */
const OVERSCAN_ROWS = 8;

interface Rows {
  /** Both included; `last` is below `first` if there are none. */
  first: number;
  last: number;
}

/** The row at the top of the view, and how many of its pixels are hidden above. */
interface Anchor {
  entry: Entry | null;
  groupKey: string;
  px: number;
}

/** Scrolls to the top when `question` changes, as the list is another. */
export function useListWindow(
  scroller: RefObject<HTMLDivElement | null>,
  layout: ListLayout,
  question: string,
) {
  const [view, setView] = useState({ top: 0, height: 0 });
  const anchor = useRef<Anchor | null>(null);
  const asked = useRef(question);
  const latest = useRef(layout);
  latest.current = layout;

  const look = useCallback((): void => {
    const element = scroller.current;
    if (!element) return;
    const { scrollTop: top, clientHeight: height } = element;
    anchor.current = top === 0 ? null : anchorAt(latest.current, top);
    setView((last) => (sameRows(latest.current, last, { top, height }) ? last : { top, height }));
  }, [scroller]);

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const onScroll = () => flushSync(look);
    const resized = new ResizeObserver(look);
    resized.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      resized.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [scroller, look]);

  // At the very top, new rows come into view; elsewhere they must not move the visible ones.
  useLayoutEffect(() => {
    const element = scroller.current;
    const held = anchor.current;
    if (element && asked.current !== question) element.scrollTop = 0;
    else if (element && held) {
      const row = held.entry ? layout.rowOf(held.entry) : layout.rowOfHeading(held.groupKey);
      const top = layout.topOf(row) + held.px;
      if (row >= 0 && Math.abs(top - element.scrollTop) >= 1) element.scrollTop = top;
    }
    asked.current = question;
    look();
  }, [layout, question, scroller, look]);

  const reveal = useCallback(
    (row: number): void => {
      const element = scroller.current;
      if (!element || row < 0) return;
      const top = latest.current.topOf(row);
      const bottom = top + latest.current.heightOf(row);
      if (top < element.scrollTop) element.scrollTop = top;
      else if (bottom > element.scrollTop + element.clientHeight)
        element.scrollTop = bottom - element.clientHeight;
      look();
    },
    [scroller, look],
  );

  return { rows: rowsIn(layout, view), reveal };
}

function rowsIn(layout: ListLayout, { top, height }: { top: number; height: number }): Rows {
  if (layout.rows === 0) return { first: 0, last: -1 };
  return {
    first: Math.max(0, layout.rowAt(top) - OVERSCAN_ROWS),
    last: Math.min(layout.rows - 1, layout.rowAt(top + height) + OVERSCAN_ROWS),
  };
}

function sameRows(
  layout: ListLayout,
  a: { top: number; height: number },
  b: { top: number; height: number },
) {
  if (a.height !== b.height) return false;
  const [before, after] = [rowsIn(layout, a), rowsIn(layout, b)];
  return before.first === after.first && before.last === after.last;
}

function anchorAt(layout: ListLayout, pixel: number): Anchor | null {
  const row = layout.rowAt(pixel);
  const found = layout.at(row);
  return found ? { entry: found.entry, groupKey: found.group.key, px: pixel - layout.topOf(row) } : null;
}
