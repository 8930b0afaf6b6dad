/** Tells whether rows may be wider than all rows drawn before. */
import type { Row } from '../../../../shared/api/rows.ts';

/** Characters of one column each. */
const ONE_COLUMN_EACH = /^[\x20-\x7e]*$/;

export class WidthMemory {
  /** Columns of the longest row with only such characters. */
  #columns = -1;
  /** Other rows seen so far, whose width only the browser knows. */
  readonly #others = new WeakSet<Row>();

  /** Takes the drawn rows; returns true if one may be wider than those before. */
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
