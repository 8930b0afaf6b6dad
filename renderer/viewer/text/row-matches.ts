/** The matches in the shown lines, in the shown part of each and beyond it. */
import type { Row } from '../../../shared/api/rows.ts';
import { MAX_LINE_CHARS } from '../../../shared/limits.ts';

export interface RowMatches {
  /** Pairs of start and end in the row's text; null while unknown. */
  matchesOf(line: number, row: Row): readonly number[] | null;
  /** The match beyond the shown part of a long line; null if there is none or it is unknown. */
  deepMatchOf(line: number): DeepMatch | null;
  isHit(line: number): boolean;
  /** The line of the current match. */
  readonly current: number | null;
}

/** A match beyond the part of a long line that its row shows. */
export interface DeepMatch {
  /** From 1, in the whole line. */
  column: number;
  /** Bytes from the start of the stream. */
  offset: number;
  before: string;
  match: string;
  after: string;
}

/** Characters before the match: few, so that it is in view in a narrow window. */
const BEFORE_CHARS = 16;
const AFTER_CHARS = 240;

/** Cuts the host's text around the match to the length that a row shows. */
export function deepMatch(found: { column: number; offset: number; match: string; text: string }): DeepMatch {
  const { column, offset, match, text } = found;
  const start = startOf(match, text, column);
  const end = Math.min(text.length, start + match.length);
  return {
    column,
    offset,
    before: text.slice(Math.max(0, start - BEFORE_CHARS), start),
    match: text.slice(start, end),
    after: text.slice(end, end + AFTER_CHARS),
  };
}

/** Finds the match in the text: the host puts a third of the text before it, perhaps with earlier matches. */
function startOf(match: string, text: string, column: number): number {
  const expected = Math.min(column - 1, Math.floor(MAX_LINE_CHARS / 3));
  // One less, as the host does not split a character.
  const at = text.indexOf(match, Math.max(0, expected - 1));
  return at >= 0 ? at : Math.max(0, text.lastIndexOf(match));
}
