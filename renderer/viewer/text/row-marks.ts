/** Matches in the lines that are shown. */
import type { Row } from '../../../shared/api/rows.ts';

export interface RowMarks {
  /** Pairs of start and end in the row's text; null while unknown. */
  matchesOf(line: number, row: Row): readonly number[] | null;
  isHit(line: number): boolean;
  /** The line of the current match. */
  readonly current: number | null;
}
