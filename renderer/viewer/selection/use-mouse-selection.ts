/**
 * Selects with the mouse: lines by a click or in the gutter, characters by a drag, words by a double click. A drag
 * beyond the edges scrolls, and the wheel extends it.
 */
import { type MouseEvent, type RefObject, useEffect, useRef } from 'react';
import type { RowsView } from '../document/rows-view.ts';
import { LINE_HEIGHT_PX, movedRows, rowAt, type Scroll } from '../scrolling/positions.ts';
import {
  type Caret,
  columnAtPoint,
  drawnPart,
  drawnPieces,
  extendTo,
  isSameSelection,
  type Selection,
  selectBetween,
  selectLine,
  wordAt,
} from './selection.ts';

interface MouseSelectionOptions {
  rows: RowsView;
  scroll: Scroll;
  scroller: RefObject<HTMLElement | null>;
  selection: Selection | null;
  onSelect: (selection: Selection | null) => void;
}

interface Drag {
  x: number;
  y: number;
  frame: number;
  /** Start of a selection by character; null in the gutter. */
  anchor: Caret | null;
  /** Aborted when the drag ends. */
  listening: AbortController;
}

export function useMouseSelection(options: MouseSelectionOptions) {
  const latest = useRef(options);
  latest.current = options;
  const start = useDrag(latest);
  /** Position of the last click in the text, from which Shift+click selects. */
  const clicked = useRef<Caret | null>(null);

  const onMouseDown = (event: MouseEvent<HTMLElement>): void => {
    const { rows, scroll, selection, onSelect } = latest.current;
    const scroller = event.currentTarget;
    if (event.button !== 0 || !(event.target instanceof Element) || event.target.closest('button')) return;
    // The click event follows the link.
    if ((event.ctrlKey || event.metaKey) && event.target.closest('[data-link]')) {
      event.preventDefault();
      return;
    }
    const index = rowAtY(scroller, scroll, rows, event.clientY);
    const line = index === null ? null : rows.lineOf(index);
    if (index === null || line === null) return;
    // Prevent the browser's own selection, which is lost when its rows are unmounted.
    event.preventDefault();
    window.getSelection()?.removeAllRanges();
    scroller.focus({ preventScroll: true });
    if (event.target.closest('[data-gutter]')) {
      onSelect(event.shiftKey ? extendTo(selection, line) : selectLine(line));
      start(event, null);
      return;
    }
    const point = { x: event.clientX, y: event.clientY };
    const caret = caretAt(scroller, { index, line }, point, event.target) ?? { line, column: 0 };
    if (event.shiftKey) {
      const anchor = anchorOf(selection) ?? clicked.current ?? caret;
      onSelect(between(latest.current, index, anchor, caret));
      start(event, anchor);
      return;
    }
    clicked.current = caret;
    if (event.detail === 3) onSelect(selectLine(line));
    else if (event.detail === 2) {
      const { from, to } = wordAt(rows.row(index)?.text ?? '', caret.column);
      onSelect(between(latest.current, index, { line, column: from }, { line, column: to }));
    } else {
      // A drag selects characters instead.
      onSelect(selectLine(line));
      start(event, caret);
    }
  };
  return { onMouseDown };
}

/** Returns a function that starts a drag at a caret, or in the gutter at none. */
function useDrag(
  latest: RefObject<MouseSelectionOptions>,
): (event: MouseEvent, anchor: Caret | null) => void {
  const drag = useRef<Drag | null>(null);
  const extend = (): void => {
    const { current } = drag;
    const { rows, scroll, scroller, selection, onSelect } = latest.current;
    if (!current || !scroller.current) return;
    const index = rowAtY(scroller.current, scroll, rows, current.y);
    const line = index === null ? null : rows.lineOf(index);
    if (index === null || line === null) return;
    if (!current.anchor) {
      if (line !== selection?.focus) onSelect(extendTo(selection, line));
      return;
    }
    const caret = caretAt(scroller.current, { index, line }, current);
    if (!caret) return;
    const next = between(latest.current, index, current.anchor, caret) ?? selectLine(line);
    if (!isSameSelection(next, selection)) onSelect(next);
  };

  /** Runs each frame: scrolls beyond an edge, faster further out, and follows the wheel. */
  const onFrame = (): void => {
    const { current } = drag;
    const element = latest.current.scroller.current;
    if (!current || !element) return;
    const box = element.getBoundingClientRect();
    const beyond = outside(current.y, box.top, box.bottom);
    const { moveTo, view } = latest.current.scroll;
    if (beyond !== 0) {
      const lines = Math.sign(beyond) * Math.ceil(Math.abs(beyond) / LINE_HEIGHT_PX);
      const { position, heights } = view.get();
      moveTo(movedRows(position, lines, heights));
    }
    const sideways = current.anchor ? outside(current.x, box.left, box.right) : 0;
    if (sideways !== 0) element.scrollBy({ left: sideways, behavior: 'instant' });
    extend();
    current.frame = requestAnimationFrame(onFrame);
  };

  const stop = (): void => {
    if (!drag.current) return;
    cancelAnimationFrame(drag.current.frame);
    drag.current.listening.abort();
    drag.current = null;
  };
  const onMove = (event: globalThis.MouseEvent): void => {
    if (!drag.current) return;
    drag.current.x = event.clientX;
    drag.current.y = event.clientY;
    // The button may have been released outside the window.
    if (event.buttons === 0) stop();
    else extend();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: it only reads refs
  useEffect(() => stop, []);

  return (event: MouseEvent, anchor: Caret | null): void => {
    stop();
    const listening = new AbortController();
    const { signal } = listening;
    drag.current = {
      x: event.clientX,
      y: event.clientY,
      frame: requestAnimationFrame(onFrame),
      anchor,
      listening,
    };
    window.addEventListener('mousemove', onMove, { signal });
    window.addEventListener('mouseup', stop, { signal });
  };
}

/** Returns the row, from 0, at a window coordinate, or the nearest one in view. Null without rows. */
function rowAtY(scroller: HTMLElement, scroll: Scroll, rows: RowsView, y: number): number | null {
  if (rows.count === 0) return null;
  const box = scroller.getBoundingClientRect();
  const { position, heights } = scroll.view.get();
  const below = Math.min(Math.max(y, box.top), box.bottom - 1) - box.top + position.px;
  const index = rowAt(position.row, below, rows.count, heights).row;
  return Math.min(Math.max(0, index), rows.count - 1);
}

/** @param target the pointed element: unfolded fields are drawn in the order in which they are written */
function caretAt(
  scroller: HTMLElement,
  { index, line }: { index: number; line: number },
  { x, y }: { x: number; y: number },
  target?: Element,
): Caret | null {
  const row = rowElement(scroller, index);
  if (!row) return null;
  const box = scroller.getBoundingClientRect();
  const column = columnAtPoint(row, Math.min(Math.max(x, box.left), box.right), y);
  const isDrawn = drawnPieces(row).length > 0 && !target?.closest('[data-unfolded]');
  return { line, column, isDrawn };
}

/** @param index the row of `focus` */
function between(
  { scroller, rows }: MouseSelectionOptions,
  index: number,
  anchor: Caret,
  focus: Caret,
): Selection | null {
  const row = scroller.current && rowElement(scroller.current, index);
  const raw = rows.row(index)?.text;
  const isInPiece = ({ line }: Caret) => (rows.row(rows.rowOf(line))?.piece?.start ?? 0) > 0;
  if (anchor.line === focus.line && raw !== undefined && isInPiece(focus)) {
    const [from, to] = [Math.min(anchor.column, focus.column), Math.max(anchor.column, focus.column)];
    return selectBetween(anchor, focus, { text: raw.slice(from, to), spans: [from, to] });
  }
  // Columns of a piece are not those of its line: a selection over several lines takes such a line whole.
  const whole = (caret: Caret, isUpper: boolean): Caret =>
    isInPiece(caret) ? { ...caret, column: isUpper ? 0 : Number.POSITIVE_INFINITY } : caret;
  if (anchor.line !== focus.line) {
    const isDown = anchor.line < focus.line;
    return selectBetween(whole(anchor, isDown), whole(focus, !isDown));
  }
  const isWithin = anchor.isDrawn !== false && focus.isDrawn;
  const drawn =
    row && raw !== undefined && isWithin
      ? drawnPart(drawnPieces(row), raw, [anchor.column, focus.column])
      : null;
  return selectBetween(anchor, focus, drawn);
}

function rowElement(scroller: HTMLElement, index: number): Element | null {
  return scroller.querySelector(`[data-index="${index}"]`);
}

function outside(at: number, low: number, high: number): number {
  return Math.min(0, at - low) + Math.max(0, at - high);
}

function anchorOf(selection: Selection | null): Caret | null {
  return selection?.columns ? { line: selection.anchor, column: selection.columns.anchor } : null;
}
