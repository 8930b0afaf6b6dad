/** Declares the matches in the shown lines. */
import type { Row } from '../../../shared/api/rows.ts';
import type { DeepMatch } from './deep-match.ts';

export interface RowMatches {
  /** Pairs of start and end in the row's text; null while unknown. */
  matchesOf(line: number, row: Row): readonly number[] | null;
  /** The match beyond the shown part of a long line; null if there is none or it is unknown. */
  deepMatchOf(line: number): DeepMatch | null;
  isHit(line: number): boolean;
  /** The line of the current match. */
  readonly current: number | null;
}
