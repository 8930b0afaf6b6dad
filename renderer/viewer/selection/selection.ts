/** Selected text by line and column, which stays when its rows leave the view and are unmounted. */
import type { RowsView } from '../document/rows-view.ts';
import { LINE_HEIGHT_PX } from '../scrolling/positions.ts';

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

/** Whether it is one whole line: the caret, which keys move. */
export function isCaret(selection: Selection | null): boolean {
  return selection !== null && !selection.columns && selection.anchor === selection.focus;
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

// Finds characters on the screen: the column under the pointer, the word around it, and what a drag covers.

/** Returns the column of `row`'s text nearest to a point in window pixels. */
export function columnAtPoint(row: Element, x: number, y: number): number {
  const text = row.querySelector('[data-text]');
  if (!text) return 0;
  const length = lengthOf(text);
  const box = text.getBoundingClientRect();
  if (length === 0) return 0;
  // A wrapped line has several screen lines: look in the middle of the one at that height.
  const below = Math.min(Math.max(y, box.top), box.bottom - 1) - box.top;
  const middle = box.top + (Math.floor(below / LINE_HEIGHT_PX) + 0.5) * LINE_HEIGHT_PX;
  const isFirst = below < LINE_HEIGHT_PX;
  const isLast = box.height - below <= LINE_HEIGHT_PX;
  if (x <= box.left && isFirst) return 0;
  if (x >= box.right && isLast) return length;
  const inside = Math.min(Math.max(x, box.left + 0.5), box.right - 0.5);
  const range = document.caretRangeFromPoint(inside, middle);
  if (!range || !text.contains(range.startContainer)) return length;
  return columnOf(text, range.startContainer, range.startOffset);
}

/** Returns the length of a row's text. A row that draws its text differently states the length itself. */
function lengthOf(text: Element): number {
  return Number((text as HTMLElement).dataset.length ?? text.textContent?.length ?? 0);
}

/** Returns the code units of the line before an offset in one of its nodes. */
function columnOf(text: Element, node: Node, offset: number): number {
  const element = node instanceof Element ? node : node.parentElement;
  const part = element?.closest<HTMLElement>('[data-from]');
  if (!part || !text.contains(part)) return charsBefore(text, node, offset);
  const from = Number(part.dataset.from);
  const chars = charsBefore(part, node, offset);
  if (part.dataset.exact !== undefined) return from + chars;
  // The element stands for a part of the line as a whole.
  return chars * 2 < (part.textContent?.length ?? 0) ? from : Number(part.dataset.to);
}

function charsBefore(text: Element, node: Node, offset: number): number {
  const before = document.createRange();
  before.selectNodeContents(text);
  before.setEnd(node, offset);
  return before.toString().length;
}

const WORD = /[\p{L}\p{N}_]/u;
const SPACE = /\s/;

/** Returns the word, the blanks or the other characters around the column. */
export function wordAt(text: string, column: number): { from: number; to: number } {
  const wanted = kind(text[column]) === 'end' ? kind(text[column - 1]) : kind(text[column]);
  let from = Math.min(column, text.length);
  let to = from;
  while (from > 0 && kind(text[from - 1]) === wanted) from -= 1;
  while (to < text.length && kind(text[to]) === wanted) to += 1;
  return { from, to };
}

function kind(char: string | undefined): 'end' | 'word' | 'space' | 'other' {
  if (char === undefined) return 'end';
  if (WORD.test(char)) return 'word';
  return SPACE.test(char) ? 'space' : 'other';
}

/**
 * The part of a row that a drag covers, in a row whose columns are not those of the line: a folded JSON line, whose fields
 * are drawn in another order, or a piece of a long line.
 */
interface DrawnPart {
  text: string;
  /** Pairs of start and end, as columns of the row's text, in the order in which they are drawn. */
  spans: readonly number[];
}

/** A drawn piece, and the columns that it shows: character by character if exact, else as a whole. */
interface DrawnPiece {
  text: string;
  from: number;
  to: number;
  isExact: boolean;
}

/** Returns the pieces of a row in the order in which they are drawn, without unfolded ones; none for other rows. */
export function drawnPieces(row: Element): DrawnPiece[] {
  return [...row.querySelectorAll<HTMLElement>('[data-text] [data-from]')]
    .filter((piece) => !piece.closest('[data-unfolded]'))
    .map(({ textContent, dataset }) => ({
      text: textContent ?? '',
      from: Number(dataset.from),
      to: Number(dataset.to),
      isExact: dataset.exact !== undefined,
    }));
}

/** Returns null if the drawn part is also one part of the raw line, so that columns alone describe it. */
export function drawnPart(
  pieces: readonly DrawnPiece[],
  raw: string,
  columns: readonly [number, number],
): DrawnPart | null {
  const places = columns.map((column) => placeOf(pieces, column));
  const [start, end] = places.sort((a, b) => a.piece - b.piece || a.chars - b.chars) as [Place, Place];
  let text = '';
  const spans: number[] = [];
  for (const [index, piece] of pieces.entries()) {
    if (index < start.piece || index > end.piece) continue;
    const first = index === start.piece ? start.chars : 0;
    const last = index === end.piece ? end.chars : piece.text.length;
    if (last <= first) continue;
    const { from, to, isExact } = piece;
    const [open, close] = isExact ? [from + first, from + last] : [from, to];
    text += isExact ? raw.slice(open, close) : piece.text.slice(first, last);
    if (close > open) spans.push(open, close);
  }
  return isInRawOrder(spans, raw) ? null : { text, spans };
}

interface Place {
  piece: number;
  chars: number;
}

/** Returns the place of a raw column among the pieces; one before or behind all of them is at that end. */
function placeOf(pieces: readonly DrawnPiece[], column: number): Place {
  const index = pieces.findIndex(({ from, to }) => from < to && from <= column && column <= to);
  const piece = pieces[index];
  if (piece) return { piece: index, chars: piece.isExact ? column - piece.from : wholeChars(piece, column) };
  const isBefore = pieces.every(({ from }) => column <= from);
  return isBefore
    ? { piece: 0, chars: 0 }
    : { piece: pieces.length - 1, chars: pieces.at(-1)?.text.length ?? 0 };
}

function wholeChars({ text, to }: DrawnPiece, column: number): number {
  return column >= to ? text.length : 0;
}

const SIGNS_ONLY = /^[\s",:{}[\]]*$/;

/** Whether the spans rise, with only JSON's own signs between them. */
function isInRawOrder(spans: readonly number[], raw: string): boolean {
  for (let at = 2; at < spans.length; at += 2) {
    const [before, next] = [spans[at - 1]!, spans[at]!];
    if (next < before || !SIGNS_ONLY.test(raw.slice(before, next))) return false;
  }
  return true;
}
