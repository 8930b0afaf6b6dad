/** Tells which line is at the top of the view, and which one keys act on. */
import { type RefObject, useCallback } from 'react';
import type { RowsView } from './document/rows-view.ts';
import type { Scroll } from './scrolling/scroll.ts';
import { comparePositions, endPosition, isWhollyVisible, topRow } from './scrolling/scroll-window.ts';
import type { Selection } from './selection/selection.ts';

export interface LinesHere {
  rows: RowsView;
  scroll: Scroll;
  selection: Selection | null;
}

/** @param isSentToEnd whether the last destination was the end, with only scrolling since */
export function useLinesHere(latest: RefObject<LinesHere>, isSentToEnd: RefObject<boolean>) {
  const topLine = useCallback((): number => {
    const { rows, scroll } = latest.current;
    const { position, height, heights } = scroll.view.get();
    return rows.lineOf(topRow(position, height, heights)) ?? 1;
  }, [latest]);

  /**
   * Returns the line that keys act on: the end of the selection if in view; else the last line, if the reader went
   * there and it is in view; else the top line.
   */
  const currentLine = useCallback((): number => {
    const { rows, scroll } = latest.current;
    const { position, height, heights } = scroll.view.get();
    const isAtEnd =
      isSentToEnd.current && comparePositions(position, endPosition(rows.count, height, heights)) >= 0;
    const last = isAtEnd ? rows.lineOf(rows.count - 1) : null;
    return selectedInView(latest.current) ?? last ?? topLine();
  }, [latest, isSentToEnd, topLine]);

  /** Returns the line where the selection ends; null if out of view. */
  const selectedLineInView = useCallback(() => selectedInView(latest.current), [latest]);

  return { topLine, currentLine, selectedLineInView };
}

function selectedInView({ rows, scroll, selection }: LinesHere): number | null {
  const { position, height, heights } = scroll.view.get();
  if (!selection || rows.lineOf(0) === null) return null;
  return isWhollyVisible(rows.rowOf(selection.focus), position, height, heights) ? selection.focus : null;
}
