/** The selected lines of a text and copying them. */

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { OpenDocument } from '../document/open-document.ts';
import { type FilteredLines, isFetched, type RowsView } from '../document/rows-view.ts';
import {
  comparePositions,
  endPosition,
  heightBetween,
  isWhollyVisible,
  type Scroll,
} from '../scrolling/positions.ts';
import { useCopy } from './CopyDialog.tsx';
import { passingRows, type RowsToCopy } from './copy-lines.ts';
import { clampSelection, lineCount, type Selection, selectLine } from './selection.ts';

interface SelectionOptions {
  initial: Selection | null;
  document: OpenDocument | null;
  passing: FilteredLines | null;
  rows: RowsView;
  scroll: Scroll;
  /** Null until a line is known. */
  meanLineBytes: number | null;
  say: (message: string) => void;
}

export function useSelection(options: SelectionOptions) {
  const { initial, document, passing, rows, scroll, meanLineBytes, say } = options;
  const [selected, select] = useState<Selection | null>(initial);
  const firstLine = rows.lineOf(0);
  const lastLine = rows.lineOf(rows.count - 1);
  const selection =
    firstLine === null || lastLine === null ? null : clampSelection(selected, firstLine, lastLine);
  useKeepSelectionInView(scroll, rows, selection);
  const toCopy: RowsToCopy | null = useMemo(
    () => (passing && document ? passingRows(passing, document.fetchWhole) : document),
    [passing, document],
  );
  const shownPart = selection && toCopy?.counted ? toCopy.counted(selection) : selection;
  const copy = useCopy(toCopy, say, meanLineBytes);
  const selectOne = useCallback((line: number) => select(selectLine(line)), []);
  return {
    /** The selected part of the shown lines. */
    selection,
    /** The selection, shown or not. A null line is not known yet. */
    selected,
    select,
    selectOne,
    /** Number of shown selected lines; filters may hide some in between. */
    selectedLines: shownPart ? lineCount(shownPart) : 0,
    copy,
  };
}

/** Keeps the selected line in view when a bar above the text, the results below it or a panel beside it take space. */
function useKeepSelectionInView(scroll: Scroll, rows: RowsView, selection: Selection | null): void {
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
