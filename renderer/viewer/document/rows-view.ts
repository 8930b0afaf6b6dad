/** Maps the rows that are shown, from 0, to the lines of the stream: all of them, a range, some, or its tail. */
import type { LineFilter } from '../../../shared/api/filters.ts';
import type { Row } from '../../../shared/api/rows.ts';
import type { SearchQuery } from '../../../shared/search-query.ts';
import type { FetchRows, RowSource } from './row-source.ts';

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

export interface RowsView {
  readonly count: number;
  /** Null while the lines are not counted. */
  lineOf(index: number): number | null;
  /** The row of a line, or of the next line that is shown; `count` or more when there is none. */
  rowOf(line: number): number;
  row(index: number): Row | undefined;
  /** Fetches the rows in view and those about to come into view. */
  want(first: number, last: number, ahead: RowSpan | null): void;
  /** Fetches so many rows at the end whenever there are more, before they are drawn; 0 ends that. */
  follow(rows: number): void;
}

/** Lines from `start`, of which `count` exist; the whole stream when `start` is 1. */
export function linesView(source: RowSource, start: number, count: number): RowsView {
  const skipped = start - 1;
  return {
    count,
    lineOf: (index) => skipped + index + 1,
    rowOf: (line) => Math.max(0, line - start),
    row: (index) => source.row(skipped + index),
    want: (first, last, ahead) =>
      source.want(
        skipped + first,
        skipped + last,
        ahead && { first: skipped + ahead.first, last: skipped + ahead.last },
      ),
    follow: (rows) => source.follow(rows),
  };
}

/** Lines of a stream that pass a filter, as far as they are known. */
export interface FilteredLines {
  readonly filter: LineFilter;
  readonly count: number;
  /** Known of all lines that are counted. */
  readonly settled: boolean;
  /** By their place among these lines. */
  readonly rows: RowSource;
  /** As those of a document, by the place among these lines from 1; with a query, marked where it matches. */
  readonly fetchRows: (...args: [...Parameters<FetchRows>, SearchQuery?]) => ReturnType<FetchRows>;
  lineOf(row: number): number | null;
  /** The place of a line, or of the next one that passes. */
  rowOf(line: number): number;
  has(line: number): boolean;
}

/** @param range shows only those of the passing lines */
export function passingView(passing: FilteredLines, range: LineRange | null): RowsView {
  const skipped = range ? passing.rowOf(range.start) : 0;
  const end = range ? passing.rowOf(range.end + 1) : passing.count;
  const { rows } = passing;
  return {
    count: Math.max(0, end - skipped),
    lineOf: (index) => passing.lineOf(skipped + index),
    rowOf: (line) => Math.max(0, passing.rowOf(line) - skipped),
    row: (index) => rows.row(skipped + index),
    want: (first, last, ahead) =>
      rows.want(
        skipped + first,
        skipped + last,
        ahead && { first: skipped + ahead.first, last: skipped + ahead.last },
      ),
    follow: (count) => rows.follow(count),
  };
}

/** The last lines of a stream whose lines are still being counted. */
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
