/**
 * Decides which rows of a scroller are mounted, by a virtualizer. It measures every row that it counts whenever their
 * number or a height changes, so it counts only a window of rows around the view, which begins at `base`.
 */

import { type Range, useVirtualizer } from '@tanstack/react-virtual';
import type { RefObject } from 'react';

interface RowSpanNear {
  /** The first row of the window. */
  base: number;
  /** Rows of the window. */
  count: number;
}

interface NearRows extends RowSpanNear {
  /** Pixels from the top of the scrolled element to the first row of the window. */
  start: number;
  /** Pixels. */
  heightOf(row: number): number;
}

/** In pixels: the scroll offset, the scroller's height, and how far beyond it rows are mounted. */
interface View {
  top: number;
  height: number;
  overscan: number;
}

/** Tells the virtualizer that the view moved. While the user scrolls, it then renders at once, else with the next commit. */
export type ReportOffset = (top: number, isScrolling: boolean) => void;

interface MountedRows {
  /** `start` is in pixels from the top of the scrolled element. */
  rows: { row: number; start: number }[];
  /** First and last row in view; null without rows. */
  visible: { first: number; last: number } | null;
}

/**
 * Returns the rows to mount. The virtualizer neither scrolls nor measures elements: the caller tells where the view is,
 * in each render and by `report`.
 *
 * @param observe called when the scroller is there; returns a function to call when it is gone
 */
export function useVirtualRows(
  scroller: RefObject<HTMLDivElement | null>,
  near: NearRows,
  view: View,
  observe: (report: ReportOffset) => (() => void) | undefined,
): MountedRows {
  const { base } = near;
  const virtualizer = useVirtualizer({
    ...virtualizerOptions(near, view.overscan),
    getScrollElement: () => scroller.current,
    observeElementOffset: (_, report) => observe(report),
    observeElementRect: () => {},
    scrollToFn: () => {},
    useFlushSync: true,
  });
  // The scroll event of a move comes only with the next frame: without this, this one would draw the rows before it.
  virtualizer.scrollOffset = view.top;
  virtualizer.scrollRect = { width: 0, height: view.height };
  // In this order: the items are what brings the range up to date.
  const rows = virtualizer.getVirtualItems().map(({ index, start }) => ({ row: base + index, start }));
  const { range } = virtualizer;
  return { rows, visible: range && { first: base + range.startIndex, last: base + range.endIndex } };
}

/** More than any overscan has. No more, as the heights of wrapped rows take time, and each render asks for them. */
const MARGIN_ROWS = 20;

/** Returns the window of rows around the rows `first` to `last`, which are in view. */
export function rowsNear(first: number, last: number, total: number): RowSpanNear {
  const base = Math.max(0, first - MARGIN_ROWS);
  return { base, count: Math.max(0, Math.min(total, last + 1 + MARGIN_ROWS) - base) };
}

export function virtualizerOptions({ base, count, start, heightOf }: NearRows, overscan: number) {
  const sizeOf = (index: number) => heightOf(base + index);
  return {
    count,
    scrollMargin: start,
    // A new function for each render: the height of any row may have changed since.
    getItemKey: (index: number) => base + index,
    estimateSize: sizeOf,
    rangeExtractor: (range: Range) => withOverscan(range, overscan, sizeOf),
  };
}

/** The virtualizer's own overscan counts rows; of high rows, that would be many screens. */
function withOverscan(
  { startIndex, endIndex, count }: Range,
  overscan: number,
  sizeOf: (index: number) => number,
): number[] {
  let [first, last] = [startIndex, endIndex];
  for (let px = 0; first > 0 && px < overscan; px += sizeOf(first)) first -= 1;
  for (let px = 0; last < count - 1 && px < overscan; px += sizeOf(last)) last += 1;
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
