/** Lays out a JSON line: the segments on each screen line. */
import type { Row } from '../../../../shared/api/rows.ts';
import type { Level } from '../../../../shared/text/level-words.ts';
import { breakText } from '../wrap/break-text.ts';
import type { Wrapping } from '../wrap/measure.ts';
import { foldedLine } from './folded-line.ts';
import { jsonOfRow } from './json-of-row.ts';
import { atBreaks, hidesMatch, type Segment, textOf } from './segments.ts';
import { unfoldedLines } from './unfolded-lines.ts';

export interface JsonLayout {
  /** The screen lines of the folded fields. */
  folded: readonly (readonly Segment[])[];
  /** The lines below, one for each field; null while folded. */
  unfolded: readonly (readonly Segment[])[] | null;
  level: Level | null;
  /** Whether it has a message; then its other fields are dimmed. */
  hasMessage: boolean;
}

/** Columns of the button before the text. */
const BUTTON_COLUMNS = 2;
/** Columns of the line beside unfolded fields. */
const BLOCK_COLUMNS = 3;
/** With fewer columns, the date would take most of a line: it is shown only when unfolded. */
const NARROW_COLUMNS = 60;

/** Returns null for a row without a JSON object. */
export function jsonLayout(row: Row, isUnfolded: boolean, wrapping: Wrapping | null): JsonLayout | null {
  const line = jsonOfRow(row);
  if (!line) return null;
  const folded = foldedLine(line);
  const lines = isUnfolded ? unfoldedLines(line) : null;
  const isNarrow = wrapping !== null && wrapping.columns < NARROW_COLUMNS;
  const segments = isNarrow ? folded.segments.filter(({ look }) => look !== 'day') : folded.segments;
  return {
    folded: wrapped(segments, wrapping, BUTTON_COLUMNS),
    unfolded: lines?.flatMap((each) => wrapped(each, wrapping, BUTTON_COLUMNS + BLOCK_COLUMNS)) ?? null,
    level: folded.level,
    hasMessage: folded.hasMessage,
  };
}

function wrapped(segments: readonly Segment[], wrapping: Wrapping | null, beside: number): Segment[][] {
  if (!wrapping) return [[...segments]];
  const columns = Math.max(2, wrapping.columns - beside);
  return atBreaks(segments, breakText(textOf(segments), columns, wrapping.columnsOf));
}

/** Whether each of these matches, pairs of start and end, is at least partly drawn. */
export function showsMatches({ folded, unfolded }: JsonLayout, matches: readonly number[]): boolean {
  return matches.length === 0 || !hidesMatch([...folded.flat(), ...(unfolded?.flat() ?? [])], matches);
}

export function linesOfJson({ folded, unfolded }: JsonLayout): number {
  return folded.length + (unfolded?.length ?? 0);
}
