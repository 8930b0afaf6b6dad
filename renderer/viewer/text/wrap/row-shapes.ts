/** The lines of the screen that each row takes, worked out from its text and kept with it. */
import type { Row } from '../../../../shared/api/rows.ts';
import { inOrder } from '../../../../shared/text/escape.ts';
import type { RowsView } from '../../document/rows-view.ts';
import { type Heights, UNIFORM } from '../../scrolling/heights.ts';
import { breakText } from './break-text.ts';
import type { Wrapping } from './measure.ts';

export interface RowShape {
  /** Where the second and the following lines begin in the text. */
  breaks: readonly number[];
  lines: number;
}

export const ONE_LINE: RowShape = { breaks: [], lines: 1 };

export interface RowShapes {
  heights: Heights;
  shapeOf(row: Row | undefined): RowShape;
}

const UNWRAPPED: RowShapes = { heights: UNIFORM, shapeOf: () => ONE_LINE };

/** @param rows those that are shown now: other rows of the same text keep the same shapes */
export function rowShapes(wrapping: Wrapping | null, rows: () => RowsView): RowShapes {
  if (!wrapping) return UNWRAPPED;
  const known = new WeakMap<Row, RowShape>();
  const shapeOf = (row: Row | undefined): RowShape => {
    if (!row) return ONE_LINE;
    let shape = known.get(row);
    if (!shape) {
      shape = shapeFor(row, wrapping);
      known.set(row, shape);
    }
    return shape;
  };
  return { heights: { linesOf: (index) => shapeOf(rows().row(index)).lines }, shapeOf };
}

function shapeFor(row: Row, { columns, columnsOf }: Wrapping): RowShape {
  const breaks = breakText(inOrder(row.text), columns, columnsOf);
  // The way to the rest of a long line has a line of its own.
  const lines = breaks.length + 1 + (row.clipped ? 1 : 0);
  return lines === 1 ? ONE_LINE : { breaks, lines };
}
