/** The rows that a copy counts and fetches: all lines of a text, or the lines that pass a filter. */
import type { Row } from '../../../shared/api/rows.ts';
import type { FetchRows } from '../document/row-fetcher.ts';
import type { FilteredLines } from '../document/rows-view.ts';
import type { FetchWhole } from '../document/whole-lines.ts';
import { firstLine, lastLine, outerColumns, type Selection } from './selection.ts';

/** `line`: its number, if the rows are not lines in order. */
export type RowToCopy = Row & { line?: number };

export interface RowsToCopy {
  fetchRows: FetchRows<RowToCopy>;
  /** Fetches lines that are clipped in their rows. */
  fetchWhole: FetchWhole;
  /** Converts the selection to rows of `fetchRows`; null if none of it is shown. Absent if they are the same. */
  counted?(selection: Selection): Selection | null;
  /** Converts a row of `fetchRows` to a line. Absent if they are the same. */
  lineOf?(row: number): number;
}

/** Copies only the passing lines of a selection. */
export function passingRows(passing: FilteredLines, fetchWhole: FetchWhole): RowsToCopy {
  return {
    fetchRows: passing.fetchRows,
    fetchWhole,
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
          ...selection.columns,
          anchor: passing.has(first) ? from : 0,
          focus: passing.has(last) ? to : Number.POSITIVE_INFINITY,
        },
      };
    },
  };
}
