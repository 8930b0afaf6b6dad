/** Finds characters on the screen: the column under the pointer, and the word around it. */

/** The column of `row`'s text that is nearest to `x`, in pixels of the window. */
export function columnAtX(row: Element, x: number): number {
  const text = row.querySelector('[data-text]');
  if (!text) return 0;
  const length = text.textContent?.length ?? 0;
  const box = text.getBoundingClientRect();
  if (x <= box.left || length === 0) return 0;
  if (x >= box.right) return length;
  const range = document.caretRangeFromPoint(x, (box.top + box.bottom) / 2);
  if (!range || !text.contains(range.startContainer)) return length;
  return columnOf(text, range.startContainer, range.startOffset);
}

/** Code units of the text before the offset in one of its nodes. */
function columnOf(text: Element, node: Node, offset: number): number {
  const before = document.createRange();
  before.selectNodeContents(text);
  before.setEnd(node, offset);
  return before.toString().length;
}

const WORD = /[\p{L}\p{N}_]/u;
const SPACE = /\s/;

/** The word, the blanks or the other characters around the column. */
export function wordAt(text: string, column: number): { from: number; to: number } {
  const kind = (char: string | undefined) =>
    char === undefined ? 'end' : WORD.test(char) ? 'word' : SPACE.test(char) ? 'space' : 'other';
  const wanted = kind(text[column]) === 'end' ? kind(text[column - 1]) : kind(text[column]);
  let from = Math.min(column, text.length);
  let to = from;
  while (from > 0 && kind(text[from - 1]) === wanted) from -= 1;
  while (to < text.length && kind(text[to]) === wanted) to += 1;
  return { from, to };
}
