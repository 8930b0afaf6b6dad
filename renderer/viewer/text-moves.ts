/** Moves the caret, and extends the selection, by keys. */
import {
  comparePositions,
  endPosition,
  heightBetween,
  heightOf,
  isWhollyVisible,
  LINE_HEIGHT_PX,
  movedRows,
  positionShowing,
  rowAt,
  topRow,
  wholeRows,
} from './scrolling/positions.ts';
import { extendTo, isCaret, type Selection, selectLine } from './selection/selection.ts';
import type { Viewer } from './use-viewer.ts';

const SIDEWAYS_PX = 60;

export function scrollRows(viewer: CaretView, by: number): void {
  viewer.stopWaiting();
  const { position, heights } = viewer.scroll.view.get();
  viewer.scroll.moveTo(movedRows(position, by, heights));
}

/** The parts of the viewer that move the caret, which is the selected line. */
export type CaretView = Pick<
  Viewer,
  'rows' | 'scroll' | 'selection' | 'select' | 'stopWaiting' | 'selectedLineInView' | 'currentLine'
>;

/**
 * Moves the caret to the line above or below, and scrolls it into view. If the caret is out of view, it comes to the
 * line that keys act on. A row that is higher than the view is scrolled through first.
 */
export function moveCaret(viewer: CaretView, by: 1 | -1): void {
  const { rows, scroll } = viewer;
  // The tail has no line numbers yet.
  if (rows.lineOf(0) === null) {
    scrollRows(viewer, by);
    return;
  }
  viewer.stopWaiting();
  const caret = viewer.selectedLineInView();
  if (caret === null) {
    viewer.select(selectLine(viewer.currentLine()));
    return;
  }
  const { position, height, heights } = scroll.view.get();
  const row = rows.rowOf(caret);
  const top = heightBetween(position.row, row, heights) - position.px;
  const isCut = by < 0 ? top < 0 : top + heightOf(row, heights) > height;
  if (isCut && heightOf(row, heights) > LINE_HEIGHT_PX) {
    scrollRows(viewer, by);
    return;
  }
  const next = Math.min(Math.max(0, row + by), rows.count - 1);
  viewer.select(selectLine(rows.lineOf(next) ?? caret));
  if (isWhollyVisible(next, position, height, heights)) return;
  const isHigh = heightOf(next, heights) > height;
  scroll.moveTo(by < 0 || isHigh ? { row: next, px: 0 } : endPosition(next + 1, height, heights));
}

/** Scrolls by screen lines, and moves a caret in view along; at an end of the text, to its last line. */
export function moveCaretPage(viewer: CaretView, by: number): void {
  const { rows, scroll } = viewer;
  const caret = rows.lineOf(0) !== null && isCaret(viewer.selection) ? viewer.selectedLineInView() : null;
  const before = scroll.view.get();
  const { heights } = before;
  const below = caret === null ? 0 : heightBetween(before.position.row, rows.rowOf(caret), heights);
  scrollRows(viewer, by);
  if (caret === null) return;
  const { position, total } = scroll.view.get();
  const isMoved = comparePositions(position, before.position) !== 0;
  const at = rowAt(position.row, position.px + Math.max(0, below - before.position.px), total, heights).row;
  const row = isMoved ? at : by < 0 ? 0 : rows.count - 1;
  viewer.select(selectLine(rows.lineOf(Math.min(row, rows.count - 1)) ?? caret));
}

export function moveSideways({ scroller }: Viewer, direction: -1 | 1): void {
  scroller.current?.scrollBy({ left: direction * SIDEWAYS_PX, behavior: 'instant' });
}

/** Returns the screen lines that a page key moves by: one less than fit, so that one stays in view. */
export function pageRows({ scroll }: Viewer): number {
  return Math.max(1, wholeRows(scroll.view.get().height) - 1);
}

/** Selectable rows: the text's or the results'. */
export type SelectableRows = Pick<Viewer, 'rows' | 'scroll' | 'selection'> & {
  select: (selection: Selection | null) => void;
};

/**
 * Moves the end of the selection by `by` lines, and keeps it in view. Begins at `start`, else at the top of the view.
 */
export function extendSelection(shown: SelectableRows, by: number, start?: number): void {
  const { rows, scroll, selection, select } = shown;
  const first = rows.lineOf(0);
  if (first === null || rows.count === 0) return;
  const { position, height, total, heights } = scroll.view.get();
  const top = rows.lineOf(Math.min(topRow(position, height, heights), rows.count - 1)) ?? first;
  const from = selection?.focus ?? start ?? top;
  const row = Math.min(Math.max(0, rows.rowOf(from) + by), rows.count - 1);
  const line = rows.lineOf(row) ?? from;
  select(extendTo(selection ?? { anchor: from, focus: from }, line));
  if (isWhollyVisible(row, position, height, heights)) return;
  if (Math.abs(by) > wholeRows(height)) scroll.moveTo(positionShowing(row, total, height, 1 / 3, heights));
  // Scroll it just into view: to the top when moving up, to the bottom when moving down.
  else scroll.moveTo(by < 0 ? { row, px: 0 } : endPosition(row + 1, height, heights));
}

/** Moves the end of a selection by character within its line, unless that is drawn in another order. */
export function extendColumns({ rows, selection, select }: Viewer, by: number): void {
  const first = rows.lineOf(0);
  if (first === null || !selection?.columns || selection.columns.drawn) return;
  const length = rows.row(rows.rowOf(selection.focus))?.text.length ?? 0;
  const focus = Math.min(Math.max(0, Math.min(selection.columns.focus, length) + by), length);
  select({ ...selection, columns: { ...selection.columns, focus } });
}

export function selectAll({ rows, select }: SelectableRows): void {
  const first = rows.lineOf(0);
  const last = rows.lineOf(rows.count - 1);
  if (first !== null && last !== null) select({ anchor: first, focus: last });
}
