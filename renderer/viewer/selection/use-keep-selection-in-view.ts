/** Keeps the selected line in view when a bar above the text, the results below it or a panel beside it take space. */
import { useEffect, useRef } from 'react';
import { isFetched, type RowsView } from '../document/rows-view.ts';
import { heightBetween } from '../scrolling/heights.ts';
import type { Scroll } from '../scrolling/scroll.ts';
import { comparePositions, endPosition, isWhollyVisible } from '../scrolling/scroll-window.ts';
import type { Selection } from './selection.ts';

export function useKeepSelectionInView(scroll: Scroll, rows: RowsView, selection: Selection | null): void {
  const latest = useRef({ rows, selection });
  latest.current = { rows, selection };
  const { view } = scroll;
  useEffect(() => {
    let before = view.get();
    return view.subscribe(() => {
      const last = before;
      before = view.get();
      const { position, height, heights } = before;
      const { rows, selection } = latest.current;
      const isWrappedAnew = last.heights.columns !== heights.columns;
      const isLess = height < last.height || isWrappedAnew;
      if (!selection || !isLess || rows.lineOf(0) === null) return;
      const row = rows.rowOf(selection.focus);
      // At the end of the text, the position changes with the height; elsewhere only by scrolling.
      const end = endPosition(last.total, last.height, last.heights);
      const wasAtEnd = comparePositions(last.position, end) >= 0;
      // Wrapped anew, the row at the top may have fewer pixels.
      const isMoved = isWrappedAnew
        ? position.row !== last.position.row
        : comparePositions(position, last.position) !== 0;
      if ((isMoved && !wasAtEnd) || (last.heights !== heights && !isWrappedAnew)) return;
      if (!isWhollyVisible(row, last.position, last.height, last.heights)) return;
      if (!isWhollyVisible(row, position, height, heights))
        scroll.moveTo(endPosition(row + 1, height, heights), 'layout');
      else if (isWrappedAnew && row + 1 < before.total && !isFetched(rows, position.row, row)) {
        // Rows above it may turn out to take several lines, and then must not push it out of view.
        const bottom = heightBetween(position.row, row + 1, heights) - position.px;
        scroll.moveTo({ row: row + 1, px: -bottom }, 'layout');
      }
    });
  }, [scroll, view]);
}
