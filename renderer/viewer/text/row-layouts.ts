/** Computes the screen lines of each row from its text, and caches them. */

import type { Row } from '../../../shared/api/rows.ts';
import { inOrder } from '../../../shared/text/escape.ts';
import type { RowsView } from '../document/rows-view.ts';
import { type Heights, UNIFORM } from '../scrolling/positions.ts';
import {
  columnsLayout,
  type JsonLayout,
  jsonLayout,
  linesOfJson,
  messageLayout,
  showsMatches,
} from './json-layout.ts';
import { type Column, NO_COLUMNS } from './text-settings.ts';
import { breakText, type Wrapping } from './wrapping.ts';

export interface RowLayout {
  /** Start of each screen line after the first, in the text. */
  breaks: readonly number[];
  lines: number;
  /** The drawn parts of a JSON line; null if the text is drawn raw. */
  json: JsonLayout | null;
}

export const ONE_LINE: RowLayout = { breaks: [], lines: 1, json: null };

interface RowLayouts {
  heights: Heights;
  layoutOf(row: Row | undefined, line: number | null): RowLayout;
}

interface LayoutOptions {
  /** Returns the shown rows. Other rows of the same text keep their layouts. */
  rows: () => RowsView;
  /** Show JSON lines as message and fields, and a CI's without job, step and time. Columns are shown nevertheless. */
  json: boolean;
  unfolded: ReadonlySet<number>;
  /** Returns the matches of a search in a row, as pairs of start and end. Null without a search. */
  matchesOf: ((line: number, row: Row) => readonly number[] | null) | null;
}

/** Caches layouts for one width of the view, and one choice of columns. */
export class KnownLayouts {
  readonly wrapping: Wrapping | null;
  readonly columns: readonly Column[];
  /** A person's pattern of lines whose groups are the columns. */
  readonly #pattern: string | undefined;
  readonly #raw = new WeakMap<Row, RowLayout>();
  readonly #folded = new WeakMap<Row, RowLayout | null>();
  readonly #unfolded = new WeakMap<Row, RowLayout | null>();

  constructor(wrapping: Wrapping | null, columns: readonly Column[] = NO_COLUMNS, pattern?: string) {
    this.wrapping = wrapping;
    this.#pattern = pattern;
    this.columns = columns;
  }

  raw(row: Row): RowLayout {
    if (!this.wrapping) return ONE_LINE;
    return kept(this.#raw, row, () => rawLayout(row, this.wrapping!));
  }

  /** Returns null for a row that is drawn as it is written. */
  json(row: Row, isUnfolded: boolean): RowLayout | null {
    return kept(isUnfolded ? this.#unfolded : this.#folded, row, () => {
      const { wrapping, columns } = this;
      const inColumns =
        columns.length > 0 ? columnsLayout(row, isUnfolded, wrapping, columns, this.#pattern) : null;
      const json = inColumns ?? jsonLayout(row, isUnfolded, wrapping) ?? messageLayout(row, wrapping);
      const lines = json && linesOfJson(json) + restLines(row, this.wrapping !== null || isUnfolded);
      return json && lines ? { breaks: [], lines, json } : null;
    });
  }
}

export function rowLayouts(known: KnownLayouts, options: LayoutOptions): RowLayouts {
  const { rows, unfolded, matchesOf } = options;
  const json = options.json || known.columns.length > 0;
  const layoutOf = (row: Row | undefined, line: number | null): RowLayout => {
    if (!row) return ONE_LINE;
    const layout = json ? known.json(row, line !== null && unfolded.has(line)) : null;
    if (!layout?.json) return known.raw(row);
    const matches = (line !== null && matchesOf?.(line, row)) || [];
    // A row in columns stays there, with a mark for a match elsewhere: raw, it would stand below headings of others.
    return layout.json.cells || showsMatches(layout.json, matches) ? layout : known.raw(row);
  };
  const isUniform = !known.wrapping && (!json || unfolded.size === 0);
  const linesOf = (index: number): number => {
    const line = rows().lineOf(index);
    if (!known.wrapping && (line === null || !unfolded.has(line))) return 1;
    return layoutOf(rows().row(index), line).lines;
  };
  const columns = known.wrapping ? { columns: known.wrapping.columns } : {};
  return { heights: isUniform ? UNIFORM : { linesOf, ...columns }, layoutOf };
}

function rawLayout(row: Row, wrapping: Wrapping): RowLayout {
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
