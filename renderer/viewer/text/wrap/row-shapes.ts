/** Computes the screen lines of each row from its text, and caches them. */
import type { Row } from '../../../../shared/api/rows.ts';
import { inOrder } from '../../../../shared/text/escape.ts';
import type { RowsView } from '../../document/rows-view.ts';
import { type Heights, UNIFORM } from '../../scrolling/heights.ts';
import { type JsonShape, jsonShape, linesOfJson, showsMatches } from '../json/json-shape.ts';
import { breakText } from './break-text.ts';
import type { Wrapping } from './measure.ts';

export interface RowShape {
  /** Start of each screen line after the first, in the text. */
  breaks: readonly number[];
  lines: number;
  /** The drawn parts of a JSON line; null if the text is drawn raw. */
  json: JsonShape | null;
}

export const ONE_LINE: RowShape = { breaks: [], lines: 1, json: null };

export interface RowShapes {
  heights: Heights;
  shapeOf(row: Row | undefined, line: number | null): RowShape;
}

export interface ShapeOptions {
  /** Returns the shown rows. Other rows of the same text keep their shapes. */
  rows: () => RowsView;
  /** Show JSON lines as message and fields. */
  json: boolean;
  unfolded: ReadonlySet<number>;
  /** Returns the matches of a search in a row, as pairs of start and end. Null without a search. */
  matchesOf: ((line: number, row: Row) => readonly number[] | null) | null;
}

/** Caches shapes for one width of the view. */
export class KnownShapes {
  readonly wrapping: Wrapping | null;
  readonly #raw = new WeakMap<Row, RowShape>();
  readonly #folded = new WeakMap<Row, RowShape | null>();
  readonly #unfolded = new WeakMap<Row, RowShape | null>();

  constructor(wrapping: Wrapping | null) {
    this.wrapping = wrapping;
  }

  raw(row: Row): RowShape {
    if (!this.wrapping) return ONE_LINE;
    return kept(this.#raw, row, () => rawShape(row, this.wrapping!));
  }

  /** Returns null for a row without a JSON object. */
  json(row: Row, isUnfolded: boolean): RowShape | null {
    return kept(isUnfolded ? this.#unfolded : this.#folded, row, () => {
      const json = jsonShape(row, isUnfolded, this.wrapping);
      const lines = json && linesOfJson(json) + restLines(row, this.wrapping !== null || isUnfolded);
      return json && lines ? { breaks: [], lines, json } : null;
    });
  }
}

export function rowShapes(known: KnownShapes, options: ShapeOptions): RowShapes {
  const { rows, json, unfolded, matchesOf } = options;
  const shapeOf = (row: Row | undefined, line: number | null): RowShape => {
    if (!row) return ONE_LINE;
    const shape = json ? known.json(row, line !== null && unfolded.has(line)) : null;
    if (!shape?.json) return known.raw(row);
    const matches = (line !== null && matchesOf?.(line, row)) || [];
    return showsMatches(shape.json, matches) ? shape : known.raw(row);
  };
  const isUniform = !known.wrapping && (!json || unfolded.size === 0);
  const linesOf = (index: number): number => {
    const line = rows().lineOf(index);
    if (!known.wrapping && (line === null || !unfolded.has(line))) return 1;
    return shapeOf(rows().row(index), line).lines;
  };
  return { heights: isUniform ? UNIFORM : { linesOf }, shapeOf };
}

function rawShape(row: Row, wrapping: Wrapping): RowShape {
  const breaks = breakText(inOrder(row.text), wrapping.columns, wrapping.columnsOf);
  const lines = breaks.length + 1 + restLines(row, true);
  return lines === 1 ? ONE_LINE : { breaks, lines, json: null };
}

/** Returns the lines of the button to the rest of a long line: it has its own if the row has several. */
function restLines({ clipped }: Row, hasSeveral: boolean): number {
  return hasSeveral && clipped ? 1 : 0;
}

function kept<T>(map: WeakMap<Row, T>, row: Row, make: () => T): T {
  let value = map.get(row);
  if (value === undefined) {
    value = make();
    map.set(row, value);
  }
  return value;
}
