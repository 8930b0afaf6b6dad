/** Maps shown rows, from 0, to the lines of the stream: all, a range, the lines that pass a filter, or the tail. */
import type { LineFilter } from '../../../shared/api/filters.ts';
import type { Row } from '../../../shared/api/rows.ts';
import type { LineRow, LongRows } from './long-rows.ts';
import type { FetchRows, RowFetcher } from './row-fetcher.ts';

/** Lines `start` to `end`, from 1, both included. */
export interface LineRange {
  start: number;
  end: number;
}

/** Rows `first` to `last`, from 0, both included. */
export interface RowSpan {
  first: number;
  last: number;
}

export interface RowsView<R extends Row = Row> {
  readonly count: number;
  /** Null until lines are counted. */
  lineOf(index: number): number | null;
  /** Returns the row of a line, or of the next shown line; `count` or more if there is none. */
  rowOf(line: number): number;
  row(index: number): R | undefined;
  /** Fetches the rows in view and those about to come into view. */
  want(first: number, last: number, ahead: RowSpan | null): void;
  /** Fetches this many rows at the end whenever the text grows, before they are drawn; 0 ends that. */
  follow(rows: number): void;
}

/** Whether the rows `first` to `last` are fetched, by those at both ends, as rows are fetched in spans. */
export function isFetched(rows: RowsView, first: number, last: number): boolean {
  if (last < 0) return true;
  return rows.row(Math.max(0, first)) !== undefined && rows.row(last) !== undefined;
}

/** Shows `count` lines from `start`; the whole stream if `start` is 1. */
export function rangeView(fetcher: RowFetcher, long: LongRows, start: number, count: number): RowsView {
  const skipped = start - 1;
  const lineOf = (index: number) => skipped + index + 1;
  return {
    count,
    lineOf,
    rowOf: (line) => Math.max(0, line - start),
    ...rowsBehind(fetcher, skipped, long, lineOf),
  };
}

/** Returns the part of a view that shows the rows behind the first `skipped` ones of a fetcher. */
function rowsBehind(
  fetcher: RowFetcher,
  skipped: number,
  long: LongRows,
  lineOf: RowsView['lineOf'],
): Pick<RowsView, 'row' | 'want' | 'follow'> {
  return {
    row: (index) => {
      const row = fetcher.row(skipped + index);
      const line = row?.clipped ? lineOf(index) : null;
      return row && line !== null ? long.rowOf(line, row) : row;
    },
    want: (first, last, ahead) => {
      fetcher.want(
        skipped + first,
        skipped + last,
        ahead && { first: skipped + ahead.first, last: skipped + ahead.last },
      );
      const clipped: LineRow[] = [];
      for (let index = first; index <= last; index += 1) {
        const row = fetcher.row(skipped + index);
        const line = row?.clipped ? lineOf(index) : null;
        if (row && line !== null) clipped.push({ line, row });
      }
      long.want(clipped);
    },
    follow: (rows) => fetcher.follow(rows),
  };
}

/** The lines of a stream known to pass a filter. */
export interface FilteredLines {
  readonly filter: LineFilter;
  readonly count: number;
  /** Whether all counted lines were filtered. */
  readonly settled: boolean;
  /** Rows by their index among these lines. */
  readonly rows: RowFetcher;
  /** Like a document's, but by the index among these lines, from 1. */
  readonly fetchRows: FetchRows;
  lineOf(row: number): number | null;
  /** Returns the index of a line, or of the next one that passes. */
  rowOf(line: number): number;
  has(line: number): boolean;
}

/** @param range limits the passing lines */
export function passingView(passing: FilteredLines, long: LongRows, range: LineRange | null): RowsView {
  const skipped = range ? passing.rowOf(range.start) : 0;
  const end = range ? passing.rowOf(range.end + 1) : passing.count;
  const lineOf = (index: number) => passing.lineOf(skipped + index);
  return {
    count: Math.max(0, end - skipped),
    lineOf,
    rowOf: (line) => Math.max(0, passing.rowOf(line) - skipped),
    ...rowsBehind(passing.rows, skipped, long, lineOf),
  };
}

/** Shows the last lines of a stream while its lines are being counted. */
export function tailView(rows: readonly Row[]): RowsView {
  return {
    count: rows.length,
    lineOf: () => null,
    rowOf: () => rows.length,
    row: (index) => rows[index],
    want: () => {},
    follow: () => {},
  };
}
