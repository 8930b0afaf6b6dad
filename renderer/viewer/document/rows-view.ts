/** Maps the rows that are shown, from 0, to the lines of the stream: all of them, a range, or its tail. */
import type { Row } from '../../../shared/api/rows.ts';
import type { RowSource } from './row-source.ts';

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
  row(index: number): Row | undefined;
  /** Fetches the rows in view and those about to come into view. */
  want(first: number, last: number, ahead: RowSpan | null): void;
}

/** Lines from `start`, of which `count` exist; the whole stream when `start` is 1. */
export function linesView(source: RowSource, start: number, count: number): RowsView {
  const skipped = start - 1;
  return {
    count,
    lineOf: (index) => skipped + index + 1,
    row: (index) => source.row(skipped + index),
    want: (first, last, ahead) =>
      source.want(
        skipped + first,
        skipped + last,
        ahead && { first: skipped + ahead.first, last: skipped + ahead.last },
      ),
  };
}

/** The last lines of a stream whose lines are still being counted. */
export function tailView(rows: readonly Row[]): RowsView {
  return {
    count: rows.length,
    lineOf: () => null,
    row: (index) => rows[index],
    want: () => {},
  };
}
