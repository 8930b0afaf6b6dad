/** Text in columns, measured in terminal cells. */
import { cellWidth } from '../../../shared/text/cell-width.ts';

export interface Column {
  readonly name: string;
  /** Numbers stand at the right of their column. */
  readonly right?: boolean;
  /** Its texts are shortened in the middle where the table would be too wide. */
  readonly shrinks?: boolean;
}

/** Two spaces between columns, a newline after every row. `width`: cells there are; null for as many as it takes. */
export function table(columns: readonly Column[], rows: readonly string[][], width: number | null): string {
  const all = [columns.map((column) => column.name), ...rows];
  const widths = columns.map((_, index) => Math.max(...all.map((row) => widthOf(row[index]!))));
  const over = width === null ? 0 : widths.reduce((sum, cells) => sum + cells + GAP, -GAP) - width;
  const shrinking = columns.findIndex((column) => column.shrinks);
  if (over > 0 && shrinking >= 0) widths[shrinking] = Math.max(LEAST, widths[shrinking]! - over);
  return all
    .map((row) => {
      const cells = row.map((text, index) => {
        const shown = index === shrinking ? shortened(text, widths[index]!) : text;
        const space = ' '.repeat(Math.max(0, widths[index]! - widthOf(shown)));
        return columns[index]!.right ? space + shown : shown + space;
      });
      return `${cells.join(' '.repeat(GAP)).trimEnd()}\n`;
    })
    .join('');
}

/** Cells a text takes on a terminal; it holds no control characters. */
export function widthOf(text: string): number {
  let width = 0;
  for (const char of text) width += cellWidth(char.codePointAt(0)!);
  return width;
}

/** At most `cells` wide, its middle left out. */
export function shortened(text: string, cells: number): string {
  if (widthOf(text) <= cells) return text;
  const chars = [...text];
  const left = take(chars, Math.ceil((cells - 1) / 2));
  const right = take(chars.toReversed(), Math.floor((cells - 1) / 2));
  return `${left.join('')}…${right.toReversed().join('')}`;
}

function take(chars: readonly string[], cells: number): string[] {
  let width = 0;
  return chars.slice(
    0,
    chars.findIndex((char) => {
      width += cellWidth(char.codePointAt(0)!);
      return width > cells;
    }),
  );
}

const GAP = 2;
/** Narrower than this a shortened text says nothing. */
const LEAST = 8;
