/** Selected text by line and column, which stays when its rows leave the view and are unmounted. */

import type { RowsView } from '../document/rows-view.ts';
import type { DrawnPart } from './caret.ts';

/** Columns are UTF-16 indexes into a line's text; the end is excluded. */
interface Columns {
  anchor: number;
  focus: number;
  /** Within one line that is drawn in another order: what is selected. It is then not one part of the raw line. */
  drawn?: DrawnPart;
}

/** `anchor` is its fixed line, `focus` the moving one. Without columns it covers whole lines, both included. */
export interface Selection {
  anchor: number;
  focus: number;
  columns?: Columns;
}

/** A position between two characters of a line. */
export interface Caret {
  line: number;
  column: number;
  /** Whether its line is drawn in another order than written. */
  isDrawn?: boolean;
}

export function selectLine(line: number): Selection {
  return { anchor: line, focus: line };
}

/** Moves the end to `line`, keeping its column; without a selection, selects that line. */
export function extendTo(selection: Selection | null, line: number): Selection {
  if (selection?.columns?.drawn) return { anchor: selection.anchor, focus: line };
  return selection ? { ...selection, focus: line } : selectLine(line);
}

/**
 * Returns null if both are equal. A line that is drawn in another order is selected as a whole if the selection goes on
 * in another line.
 *
 * @param drawn the selected part, within one line that is drawn in another order
 */
export function selectBetween(anchor: Caret, focus: Caret, drawn: DrawnPart | null = null): Selection | null {
  const lines = { anchor: anchor.line, focus: focus.line };
  if (anchor.line === focus.line) {
    if (anchor.column === focus.column) return null;
    const columns = { anchor: anchor.column, focus: focus.column };
    return { ...lines, columns: drawn ? { ...columns, drawn } : columns };
  }
  if (anchor.isDrawn && focus.isDrawn) return lines;
  const isDown = focus.line > anchor.line;
  const [atStart, atEnd] = [0, Number.POSITIVE_INFINITY];
  return {
    ...lines,
    columns: {
      anchor: anchor.isDrawn ? (isDown ? atStart : atEnd) : anchor.column,
      focus: focus.isDrawn ? (isDown ? atEnd : atStart) : focus.column,
    },
  };
}

export function firstLine(selection: Selection): number {
  return Math.min(selection.anchor, selection.focus);
}

export function lastLine(selection: Selection): number {
  return Math.max(selection.anchor, selection.focus);
}

export function lineCount(selection: Selection): number {
  return lastLine(selection) - firstLine(selection) + 1;
}

/** Whether the line is selected as a whole, not by character. */
export function includesLine(selection: Selection | null, line: number): boolean {
  return (
    selection !== null && !selection.columns && line >= firstLine(selection) && line <= lastLine(selection)
  );
}

/** Returns the first column in the first line and the last column in the last line: 0 and infinity for whole lines. */
export function outerColumns({ anchor, focus, columns }: Selection): { from: number; to: number } {
  if (!columns) return { from: 0, to: Number.POSITIVE_INFINITY };
  if (anchor === focus) {
    return { from: Math.min(columns.anchor, columns.focus), to: Math.max(columns.anchor, columns.focus) };
  }
  return anchor < focus
    ? { from: columns.anchor, to: columns.focus }
    : { from: columns.focus, to: columns.anchor };
}

/** Returns the part of the line selected by character; `to` is infinite if the selection continues below. */
export function columnsIn(selection: Selection | null, line: number): { from: number; to: number } | null {
  if (!selection?.columns || line < firstLine(selection) || line > lastLine(selection)) return null;
  const { from, to } = outerColumns(selection);
  return {
    from: line === firstLine(selection) ? from : 0,
    to: line === lastLine(selection) ? to : Number.POSITIVE_INFINITY,
  };
}

/** Returns the part of the selection in lines `low..high`; null if there is none. */
export function clampSelection(selection: Selection | null, low: number, high: number): Selection | null {
  if (!selection || firstLine(selection) > high || lastLine(selection) < low) return null;
  const { anchor, focus, columns } = selection;
  const clamp = (line: number) => Math.min(Math.max(line, low), high);
  const clamped = { anchor: clamp(anchor), focus: clamp(focus) };
  if (!columns) return clamped;
  const column = (line: number, column: number) => {
    if (line < low) return 0;
    return line > high ? Number.POSITIVE_INFINITY : column;
  };
  return {
    ...clamped,
    columns: { ...columns, anchor: column(anchor, columns.anchor), focus: column(focus, columns.focus) },
  };
}

export function isSameSelection(a: Selection | null, b: Selection | null): boolean {
  return (
    a?.anchor === b?.anchor &&
    a?.focus === b?.focus &&
    a?.columns?.anchor === b?.columns?.anchor &&
    a?.columns?.focus === b?.columns?.focus
  );
}

/**
 * Returns the text selected within one line. Null if nothing, several lines, several fields of a JSON line or only
 * blanks are selected, or if the line is not fetched.
 */
export function selectedText({
  selection,
  rows,
}: {
  selection: Selection | null;
  rows: RowsView;
}): string | null {
  if (!selection || lineCount(selection) !== 1 || selection.columns?.drawn) return null;
  const { from, to } = outerColumns(selection);
  const text = rows.row(rows.rowOf(selection.focus))?.text.slice(from, to) ?? '';
  const chosen = selection.columns ? text : text.trim();
  return chosen.trim() === '' ? null : chosen;
}
