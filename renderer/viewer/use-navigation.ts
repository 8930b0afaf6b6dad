/** Goes to a line, to either end, or to a range of lines, even before the lines are counted. */

import { type RefObject, useCallback, useRef } from 'react';
import { toSpillwayError } from '../../shared/errors.ts';
import type { OpenDocument } from './document/open-document.ts';
import type { LineRange, RowsView } from './document/rows-view.ts';
import { type Destination, lineOfDestination } from './go-to.ts';
import {
  bottomRow,
  comparePositions,
  endPosition,
  isInView,
  isWhollyVisible,
  topRow,
} from './scrolling/positions.ts';
import type { Scroll } from './scrolling/scroll.ts';
import { firstLine, lastLine, type Selection } from './selection/selection.ts';
import type { SetPending } from './use-pending-line.ts';

interface NavigationOptions extends LinesHere {
  document: OpenDocument | null;
  range: LineRange | null;
  setRange: (range: LineRange | null) => void;
  /** Number of lines known to exist. */
  total: number;
  counted: boolean;
  /** Whether only lines that pass a filter are shown. */
  isFiltered: boolean;
  /** Whether the end is shown without line numbers, as lines are not counted yet. */
  isTail: boolean;
  openTail: () => Promise<void>;
  closeTail: () => void;
  pauseFollow: () => void;
  resumeFollow: () => void;
  setPending: SetPending;
  selectLine: (line: number) => void;
  say: (message: string) => void;
}

export function useNavigation(options: NavigationOptions) {
  const latest = useRef(options);
  latest.current = options;
  /** Whether the last destination was the end, with only scrolling since. */
  const isSentToEnd = useRef(false);

  const goToLine = useCallback((line: number | 'end', isNamed = false) => {
    const { range, setRange, closeTail, pauseFollow, setPending } = latest.current;
    isSentToEnd.current = line === 'end';
    closeTail();
    if (line !== 'end') pauseFollow();
    if (range && typeof line === 'number' && (line < range.start || line > range.end)) setRange(null);
    setPending({ line, align: 'third', px: 0, isNamed });
  }, []);

  /** Puts the line at the top of the view once it is counted. */
  const lineToTop = useCallback((line: number) => {
    const { rows, counted, isTail, closeTail, scroll, setPending } = latest.current;
    isSentToEnd.current = false;
    const row = rows.rowOf(Math.max(1, line));
    if (isTail) closeTail();
    if (!isTail && (row < rows.count || counted))
      scroll.moveTo({ row: Math.min(row, rows.count - 1), px: 0 });
    else setPending({ line, align: 'top', px: 0 });
  }, []);

  /** Selects the line and scrolls it to the middle of the view; `unless visible` scrolls only if needed. */
  const showLine = useCallback(
    (line: number, move: 'always' | 'unless visible') => {
      const { pauseFollow, setPending, selectLine } = latest.current;
      if (move === 'unless visible' && isWhollyInView(latest.current, line)) {
        isSentToEnd.current = false;
        setPending(null);
        pauseFollow();
        selectLine(line);
        return;
      }
      goToLine(line);
      setPending({ line, align: 'middle', px: 0, isNamed: true });
    },
    [goToLine],
  );

  const toStart = useCallback(() => {
    const { isTail, closeTail, pauseFollow, scroll, setPending } = latest.current;
    isSentToEnd.current = false;
    setPending(null);
    pauseFollow();
    if (isTail) {
      closeTail();
      setPending({ line: 1, align: 'top', px: 0 });
    } else scroll.moveTo({ row: 0, px: 0 });
  }, []);

  const toEnd = useCallback(() => {
    const { rows, counted, isTail, isFiltered, range, total, scroll, openTail, resumeFollow, setPending } =
      latest.current;
    isSentToEnd.current = true;
    setPending(null);
    resumeFollow();
    const endIsHere = counted || isTail || isFiltered || (range !== null && range.end <= total);
    const { height, heights } = scroll.view.get();
    if (endIsHere) scroll.moveTo(endPosition(rows.count, height, heights));
    else void openTail();
  }, []);

  const { topLine, currentLine, selectedLineInView } = useLinesHere(latest, isSentToEnd);
  const goTo = useGoTo({ latest, goToLine, toEnd, currentLine });

  /** Shows only these lines; null shows all, keeping the line at the top. */
  const showRange = useCallback((next: LineRange | null) => {
    const { rows, range, scroll, setRange, closeTail, pauseFollow, setPending } = latest.current;
    const line = rows.lineOf(scroll.view.get().position.row);
    closeTail();
    setRange(next);
    if (next) {
      pauseFollow();
      setPending({ line: next.start, align: 'top', px: 0 });
    } else if (range && line !== null) setPending({ line, align: 'top', px: 0 });
  }, []);

  return {
    goTo,
    goToLine,
    lineToTop,
    showLine,
    toStart,
    toEnd,
    showRange,
    topLine,
    currentLine,
    selectedLineInView,
  };
}

function isWhollyInView({ rows, isTail, scroll }: NavigationOptions, line: number): boolean {
  const { position, height, heights } = scroll.view.get();
  const row = rows.rowOf(line);
  const isShown = !isTail && rows.lineOf(row) === line && row < rows.count;
  return isShown && isWhollyVisible(row, position, height, heights);
}

interface Going {
  latest: RefObject<NavigationOptions>;
  /** `isNamed`: a person named this very line. */
  goToLine: (line: number | 'end', isNamed?: boolean) => void;
  toEnd: () => void;
  currentLine: () => number;
}

/** Goes where a person asked to go: to a line, a percentage, an offset. */
function useGoTo({ latest, goToLine, toEnd, currentLine }: Going): (to: Destination) => void {
  const goToOffset = useCallback(
    async (offset: number) => {
      const { document, say } = latest.current;
      if (!document) return;
      try {
        goToLine(await document.lineAt(offset, new AbortController().signal));
      } catch (error) {
        say(toSpillwayError(error).message);
      }
    },
    [latest, goToLine],
  );

  return useCallback(
    (destination: Destination) => {
      const { total, counted, say } = latest.current;
      if (destination.kind === 'offset') void goToOffset(destination.offset);
      else if (destination.kind === 'line') goToLine(destination.line, true);
      else if (destination.kind === 'end') counted ? goToLine('end') : toEnd();
      else if (counted) goToLine(lineOfDestination(destination, currentLine(), total));
      else if (destination.kind === 'relative') goToLine(Math.max(1, currentLine() + destination.lines));
      else say('A percentage needs the line count, which is not known yet');
    },
    [latest, currentLine, goToLine, goToOffset, toEnd],
  );
}

/** Tells which line is at the top of the view, and which one keys act on. */
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
