/** How a row of the results is drawn: always on one line, JSON as message and fields. */
import { showsMatches } from '../../viewer/text/json/json-shape.ts';
import { KnownShapes, ONE_LINE, type RowShape } from '../../viewer/text/wrap/row-shapes.ts';
import type { ResultRow } from '../open-search.ts';

const shapes = new KnownShapes(null);

/** @param json show JSON lines as message and fields, unless that hides what was found in them */
export function resultShape(row: ResultRow | undefined, json: boolean): RowShape {
  const shape = row && json ? shapes.json(row, false) : null;
  return shape?.json && showsMatches(shape.json, row?.matches ?? []) ? shape : ONE_LINE;
}
