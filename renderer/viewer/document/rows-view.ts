/** The rows that are shown, counted from 0, and the lines they are: all of a stream, a range, or its tail. */
import type { Row } from '../../../shared/api/rows.ts';
import type { Ahead } from '../follow/use-follow.ts';
import type { RowSource } from './row-source.ts';

export interface RowsView {
  readonly count: number;
  /** Null while it is not known. */
  lineOf(index: number): number | null;
  row(index: number): Row | undefined;
  /** What is in view, and what is about to be. */
  want(first: number, last: number, ahead: Ahead | null): void;
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
