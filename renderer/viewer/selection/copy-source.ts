/** Source of copied lines: all lines of a text, or the lines that pass a filter. */
import type { FetchRows } from '../document/row-source.ts';
import type { FilteredLines } from '../document/rows-view.ts';
import { firstLine, lastLine, outerColumns, type Selection } from './selection.ts';

export interface CopySource {
  fetchRows: FetchRows;
  /** The selection counted as `fetchRows` counts; null when none of it is shown. As it is when absent. */
  counted?(selection: Selection): Selection | null;
  /** The line of what `fetchRows` counts. The same number when absent. */
  lineOf?(row: number): number;
}

/** Copies only the passing lines of a selection. */
export function passingSource(passing: FilteredLines): CopySource {
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
      // A hidden line at an end of the selection is not copied, not even in part.
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
