/** The rows that a copy counts and fetches: all lines of a text, or the lines that pass a filter. */
import type { FetchRows } from '../document/row-fetcher.ts';
import type { FilteredLines } from '../document/rows-view.ts';
import { firstLine, lastLine, outerColumns, type Selection } from './selection.ts';

export interface RowsToCopy {
  fetchRows: FetchRows;
  /** Converts the selection to rows of `fetchRows`; null if none of it is shown. Absent if they are the same. */
  counted?(selection: Selection): Selection | null;
  /** Converts a row of `fetchRows` to a line. Absent if they are the same. */
  lineOf?(row: number): number;
}

/** Copies only the passing lines of a selection. */
export function passingRows(passing: FilteredLines): RowsToCopy {
  return {
    fetchRows: passing.fetchRows,
    lineOf: (row) => passing.lineOf(row - 1) ?? row,
    counted(selection) {
      const [first, last] = [firstLine(selection), lastLine(selection)];
      const anchor = passing.rowOf(first) + 1;
      const focus = passing.rowOf(last + 1);
      if (focus < anchor) return null;
      if (!selection.columns) return { anchor, focus };
      const { from, to } = outerColumns(selection);
      // If an end of the selection is in a hidden line, no part of that line is copied.
      return {
        anchor,
        focus,
        columns: {
          anchor: passing.has(first) ? from : 0,
          focus: passing.has(last) ? to : Number.POSITIVE_INFINITY,
        },
      };
    },
  };
}
