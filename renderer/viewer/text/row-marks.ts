/** What a search found in the lines that are shown. */
import type { Row } from '../../../shared/api/rows.ts';

export interface RowMarks {
  /** Starts and ends in the row's text, in pairs; null when nothing is known (yet). */
  matchesOf(line: number, row: Row): readonly number[] | null;
  isHit(line: number): boolean;
  /** The line of the match that the search is at. */
  readonly current: number | null;
}
