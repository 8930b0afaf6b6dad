/** Tells which rows may be wider than all rows drawn before them. */
import type { Row } from '../../../../shared/api/rows.ts';

/** Each of these takes one column. */
const ONE_COLUMN_EACH = /^[\x20-\x7e]*$/;

export class WidthMemory {
  /** Columns of the longest row whose characters take one column each. */
  #columns = -1;
  /** Other rows that were seen: their width is known only to the browser. */
  readonly #others = new WeakSet<Row>();

  /** Takes the rows that are drawn now; true when one of them may be wider than those before. */
  mayBeWider(rows: Iterable<Row | undefined>): boolean {
    let may = false;
    for (const row of rows) if (row && this.#take(row)) may = true;
    return may;
  }

  #take(row: Row): boolean {
    const { text } = row;
    if (!row.clipped && text.length <= this.#columns && ONE_COLUMN_EACH.test(text)) return false;
    if (this.#others.has(row)) return false;
    if (!row.clipped && ONE_COLUMN_EACH.test(text)) this.#columns = text.length;
    else this.#others.add(row);
    return true;
  }
}
