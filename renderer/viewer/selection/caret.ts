/** Finds characters on the screen: the column under the pointer, and the word around it. */
import { LINE_HEIGHT_PX } from '../scrolling/heights.ts';

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
