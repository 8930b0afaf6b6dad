/** Lays out text in columns, measured in terminal cells. */
import { cellWidth } from '../../../shared/text/cell-line.ts';

interface Column {
  readonly name: string;
  /** Right-aligned, for numbers. */
  readonly right?: boolean;
  /** Shortened in the middle when the table is too wide. */
  readonly shrinks?: boolean;
  /** Dropped when the table is too wide, the lowest number first. */
  readonly drops?: number;
  /** Colours a cell's text. */
  readonly paint?: (shown: string) => string;
}

/**
 * Returns the table, with two spaces between columns and a newline after each row. `width`: its limit in cells; null
 * for none.
 */
export function table(columns: readonly Column[], rows: readonly string[][], width: number | null): string {
  const all = [columns.map((column) => column.name), ...rows];
  const widths = widthsOf(columns, rows);
  const shown = columns.map((_, index) => index);
  if (width !== null) narrow(columns, widths, shown, width);
  return all
    .map((row, number) => {
      const cells = shown.map((index) => {
        const { right, paint, shrinks } = columns[index]!;
        const text = shrinks ? shortened(row[index]!, widths[index]!) : row[index]!;
        const space = ' '.repeat(Math.max(0, widths[index]! - widthOf(text)));
        const painted = number > 0 && paint ? paint(text) : text;
        return right ? space + painted : painted + space;
      });
      return `${cells.join(' '.repeat(GAP_CELLS)).trimEnd()}\n`;
    })
    .join('');
}

/** Returns the cells that a row of the table takes if nothing is shortened. */
export function tableWidth(columns: readonly Column[], rows: readonly string[][]): number {
  return widthsOf(columns, rows).reduce((sum, width) => sum + width + GAP_CELLS, -GAP_CELLS);
}

function widthsOf(columns: readonly Column[], rows: readonly string[][]): number[] {
  return columns.map(({ name }, index) =>
    Math.max(widthOf(name), ...rows.map((row) => widthOf(row[index]!))),
  );
}

/** Drops columns from `shown`, then narrows the one that shrinks. */
function narrow(columns: readonly Column[], widths: number[], shown: number[], width: number): void {
  const shrinking = columns.findIndex((column) => column.shrinks);
  const least = (index: number) =>
    index === shrinking ? Math.min(ROOMY_CELLS, widths[index]!) : widths[index]!;
  const total = (measure: (index: number) => number) =>
    shown.reduce((sum, index) => sum + measure(index) + GAP_CELLS, -GAP_CELLS);
  while (total(least) > width) {
    const dropping = shown.filter((index) => columns[index]!.drops !== undefined);
    if (dropping.length === 0) break;
    const next = dropping.reduce((a, b) => (columns[b]!.drops! < columns[a]!.drops! ? b : a));
    shown.splice(shown.indexOf(next), 1);
  }
  const over = total((index) => widths[index]!) - width;
  if (over > 0 && shrinking >= 0) widths[shrinking] = Math.max(LEAST_CELLS, widths[shrinking]! - over);
}

/** Returns the cells that a text takes on a terminal. The text must have no controls. */
export function widthOf(text: string): number {
  let width = 0;
  for (const char of text) width += cellWidth(char.codePointAt(0)!);
  return width;
}

/** Shortens the text to at most `cells` by leaving out its middle. */
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

const GAP_CELLS = 2;
/** Columns are dropped before a text is shortened to fewer cells than this. */
const ROOMY_CELLS = 24;
/** A text is never shortened to fewer cells: it would say nothing. */
const LEAST_CELLS = 8;
