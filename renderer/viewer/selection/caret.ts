/** Finds characters on the screen: the column under the pointer, the word around it, and what a drag covers. */

import { LINE_HEIGHT_PX } from '../scrolling/positions.ts';

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
 * What a drag covers in a line whose parts are drawn in another order than they are written, as the fields of a folded
 * JSON line are: the text as drawn, and the parts of the raw line behind it.
 */
export interface DrawnPart {
  text: string;
  /** Pairs of start and end, as columns of the raw line, in the order in which they are drawn. */
  spans: readonly number[];
}

/** A drawn piece, and the columns that it shows: character by character if exact, else as a whole. */
export interface DrawnPiece {
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
