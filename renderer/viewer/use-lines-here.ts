/** Tells which line is at the top of the view, and which one keys act on. */
import { type RefObject, useCallback } from 'react';
import type { RowsView } from './document/rows-view.ts';
import type { Scroll } from './scrolling/scroll.ts';
import { bottomRow, comparePositions, endPosition, isInView, topRow } from './scrolling/scroll-window.ts';
import { firstLine, lastLine, type Selection } from './selection/selection.ts';

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
   * Returns the line that keys act on: the end of the selection, or the selected line in view that is nearest to it;
   * else the last line, if the reader went there and it is in view; else the top line.
   */
  const currentLine = useCallback((): number => {
    const { rows, scroll } = latest.current;
    const { position, height, heights } = scroll.view.get();
    const isAtEnd =
      isSentToEnd.current && comparePositions(position, endPosition(rows.count, height, heights)) >= 0;
    const last = isAtEnd ? rows.lineOf(rows.count - 1) : null;
    return focusInView(latest.current) ?? nearestInView(latest.current) ?? last ?? topLine();
  }, [latest, isSentToEnd, topLine]);

  /** Returns the line where the selection ends; null if out of view. */
  const selectedLineInView = useCallback(() => focusInView(latest.current), [latest]);

  return { topLine, currentLine, selectedLineInView };
}

function focusInView({ rows, scroll, selection }: LinesHere): number | null {
  const { position, height, heights } = scroll.view.get();
  if (!selection || rows.lineOf(0) === null) return null;
  return isInView(rows.rowOf(selection.focus), position, height, heights) ? selection.focus : null;
}

/** Returns the selected line in view next to the end of the selection, which is out of view; null if all are. */
function nearestInView({ rows, scroll, selection }: LinesHere): number | null {
  const { position, height, heights } = scroll.view.get();
  const top = rows.lineOf(topRow(position, height, heights));
  const bottom = rows.lineOf(bottomRow(position, rows.count, height, heights));
  if (!selection || top === null || bottom === null) return null;
  const nearest = selection.focus > bottom ? bottom : top;
  return nearest >= firstLine(selection) && nearest <= lastLine(selection) ? nearest : null;
}
