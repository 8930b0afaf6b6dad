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

/** A row in view, and how many of its pixels are above the top of the view; negative below it. */
interface Anchor {
  entry: Entry | null;
  groupKey: string;
  px: number;
}

/** Keeps the first of `anchors` that is still listed in view when rows are added or removed. */
interface Held {
  anchors: readonly Anchor[];
  /** Whether the view was at the very top, and the first artifact then. */
  isAtTop: boolean;
  newest: Entry | null;
}

/** In ISO 8601. Artifacts from before were there already, and are only listed late. */
const OPENED_AT = new Date(performance.timeOrigin).toISOString();

/** Events by which a user scrolls. */
const SCROLLING = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/** Scrolls to the top when `question` changes, as the list is another. Otherwise keeps the active row in view. */
export function useListWindow(
  scroller: RefObject<HTMLDivElement | null>,
  layout: ListLayout,
  question: string,
  active: number,
) {
  const [view, setView] = useState({ top: 0, height: 0 });
  const held = useRef<Held>({ anchors: [], isAtTop: true, newest: null });
  const asked = useRef(question);
  /** Finds a row to reveal that is not listed yet: a large library is listed in several steps. */
  const awaited = useRef<((layout: ListLayout) => number) | null>(null);
  const latest = useRef({ layout, active });
  latest.current = { layout, active };

  const look = useCallback((): void => {
    const element = scroller.current;
    if (!element) return;
    const { scrollTop: top, clientHeight: height } = element;
    const { layout, active } = latest.current;
    held.current = heldIn(layout, active, { top, height });
    setView((last) => (sameRows(layout, last, { top, height }) ? last : { top, height }));
  }, [scroller]);

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const onScroll = () => flushSync(look);
    // Don't override a scroll the user made meanwhile.
    const onUser = () => {
      awaited.current = null;
    };
    const resized = new ResizeObserver(look);
    resized.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    for (const type of SCROLLING) element.addEventListener(type, onUser, { passive: true });
    return () => {
      resized.disconnect();
      element.removeEventListener('scroll', onScroll);
      for (const type of SCROLLING) element.removeEventListener(type, onUser);
    };
  }, [scroller, look]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another active row is kept in view
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element && asked.current !== question) {
      element.scrollTop = 0;
      awaited.current = null;
    } else if (element) {
      const row = awaited.current?.(layout) ?? -1;
      if (row >= 0) {
        awaited.current = null;
        show(element, layout, row);
      } else keepInView(element, layout, held.current);
    }
    asked.current = question;
    look();
  }, [layout, question, active, scroller, look]);

  const reveal = useCallback(
    (row: number): void => {
      awaited.current = null;
      const element = scroller.current;
      if (!element || row < 0) return;
      show(element, latest.current.layout, row);
      look();
    },
    [scroller, look],
  );
  /** Reveals the row that `find` returns, as soon as that is not -1, unless the user scrolls first. */
  const revealListed = useCallback(
    (find: (layout: ListLayout) => number): void => {
      const row = find(latest.current.layout);
      if (row >= 0) reveal(row);
      else awaited.current = find;
    },
    [reveal],
  );

  return { rows: rowsIn(layout, view), reveal, revealListed };
}

/** Scrolls as little as it takes. */
function show(element: HTMLElement, layout: ListLayout, row: number): void {
  const top = layout.topOf(row);
  const bottom = top + layout.heightOf(row);
  if (top < element.scrollTop) element.scrollTop = top;
  else if (bottom > element.scrollTop + element.clientHeight)
    element.scrollTop = bottom - element.clientHeight;
}

/** Keeps what was in view where it was. At the very top, new artifacts come into view instead. */
function keepInView(element: HTMLElement, layout: ListLayout, { anchors, isAtTop, newest }: Held): void {
  const first = newestIn(layout);
  if (isAtTop && first !== newest && first !== null && first.time > OPENED_AT) return;
  for (const { entry, groupKey, px } of anchors) {
    const row = entry ? layout.rowOf(entry) : layout.rowOfHeading(groupKey);
    if (row < 0) continue;
    const top = layout.topOf(row) + px;
    // Rows that are listed late don't push the active one out of view.
    if (isAtTop) show(element, layout, row);
    else if (Math.abs(top - element.scrollTop) >= 1) element.scrollTop = top;
    return;
  }
}

function heldIn(layout: ListLayout, active: number, { top, height }: { top: number; height: number }): Held {
  const isAtTop = top === 0;
  const bottom = layout.topOf(active) + layout.heightOf(active);
  const isInView = layout.topOf(active) >= top && bottom <= top + height;
  const rows = [...(isInView ? [active] : []), ...(isAtTop ? [] : [layout.rowAt(top)])];
  const anchors = rows.flatMap((row) => {
    const found = layout.at(row);
    return found ? [{ entry: found.entry, groupKey: found.group.key, px: top - layout.topOf(row) }] : [];
  });
  return { anchors, isAtTop, newest: newestIn(layout) };
}

function newestIn(layout: ListLayout): Entry | null {
  return layout.at(0)?.group.entries[0] ?? null;
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
