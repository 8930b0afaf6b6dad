/** Returns the rows of the list to mount, and keeps them in place while others are added above. */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useReducer, useRef } from 'react';
import { type ReportOffset, rowsNear, useVirtualRows } from '../../ui/layout/virtual-rows.ts';
import { watchScroll } from '../../ui/state/page.ts';
import type { Entry } from '../library-store.ts';
import { ITEM_HEIGHT_PX, type ListLayout, type ListRow } from './list-groups.ts';

/** Pixels beyond each edge of the view in which rows are mounted: eight rows. */
const OVERSCAN_PX = 8 * ITEM_HEIGHT_PX;

/** The layout that was last drawn, and where it was scrolled to, in pixels. */
interface Drawn {
  layout: ListLayout;
  top: number;
  height: number;
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
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const drawn = useRef<Drawn>({ layout, top: 0, height: 0 });
  const asked = useRef(question);
  /** Finds a row to reveal that is not listed yet: a large library is listed in several steps. */
  const awaited = useRef<((layout: ListLayout) => number) | null>(null);
  const latest = useRef({ layout, active });
  latest.current = { layout, active };

  const report = useRef<ReportOffset>(() => {});
  const look = useCallback(
    (isScrolling = false): void => {
      const element = scroller.current;
      if (!element) return;
      const { scrollTop: top, clientHeight: height } = element;
      const hadHeight = drawn.current.height;
      drawn.current = { layout: latest.current.layout, top, height };
      if (height !== hadHeight) redraw();
      else report.current(top, isScrolling);
    },
    [scroller],
  );
  const { top, height } = drawn.current;
  const near = rowsNear(layout.rowAt(top), layout.rowAt(top + height), layout.rows);
  const { rows } = useVirtualRows(
    scroller,
    { ...near, start: layout.topOf(near.base), heightOf: (row) => layout.heightOf(row) },
    { top, height, overscan: OVERSCAN_PX },
    (toVirtualizer) => {
      report.current = toVirtualizer;
      const onScroll = () => look(true);
      return scroller.current ? watchScroll(scroller.current, onScroll, () => look(), true) : undefined;
    },
  );

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    // Don't override a scroll the user made meanwhile.
    const onUser = () => {
      awaited.current = null;
    };
    for (const type of SCROLLING) element.addEventListener(type, onUser, { passive: true });
    return () => {
      for (const type of SCROLLING) element.removeEventListener(type, onUser);
    };
  }, [scroller]);

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
      } else keepInView(element, layout, latest.current.active, drawn.current);
    }
    asked.current = question;
    look();
  }, [layout, question, scroller, look]);

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

  return { rows, reveal, revealListed };
}

/** Scrolls as little as it takes; a row that is far away comes into the middle, among its neighbours. */
function show(element: HTMLElement, layout: ListLayout, row: number): void {
  const top = layout.topOf(row);
  const bottom = top + layout.heightOf(row);
  const { scrollTop, clientHeight } = element;
  if (top >= scrollTop && bottom <= scrollTop + clientHeight) return;
  const isFar = bottom < scrollTop || top > scrollTop + clientHeight;
  if (isFar) element.scrollTop = (top + bottom - clientHeight) / 2;
  else element.scrollTop = top < scrollTop ? top : bottom - clientHeight;
}

/**
 * Keeps the active row where it was if it was in view, else the first row in view. At the very top, new artifacts come
 * into view instead.
 */
function keepInView(element: HTMLElement, layout: ListLayout, active: number, drawn: Drawn): void {
  const { layout: before, top, height } = drawn;
  const isAtTop = top === 0;
  const first = newestIn(layout);
  if (isAtTop && first !== newestIn(before) && first !== null && first.time > OPENED_AT) return;
  const activeBefore = rowOf(before, layout.at(active));
  const bottom = before.topOf(activeBefore) + before.heightOf(activeBefore);
  const wasInView = activeBefore >= 0 && before.topOf(activeBefore) >= top && bottom <= top + height;
  if (isAtTop && !wasInView) return;
  const kept = wasInView ? activeBefore : before.rowAt(top);
  const row = rowOf(layout, before.at(kept));
  if (row < 0) return;
  const wanted = layout.topOf(row) + top - before.topOf(kept);
  // Rows that are listed late don't push the active one out of view.
  if (isAtTop) show(element, layout, row);
  else if (Math.abs(wanted - element.scrollTop) >= 1) element.scrollTop = wanted;
}

/** Returns -1 if it is not listed. */
function rowOf(layout: ListLayout, row: ListRow | undefined): number {
  if (!row) return -1;
  return row.entry ? layout.rowOf(row.entry) : layout.rowOfHeading(row.group.key);
}

function newestIn(layout: ListLayout): Entry | null {
  return layout.at(0)?.group.entries[0] ?? null;
}
