/** Lays out a JSON line: the fragments on each screen line. */
import type { Row } from '../../../../shared/api/rows.ts';
import type { Level } from '../../../../shared/text/level-words.ts';
import { breakText } from '../wrap/break-text.ts';
import type { Wrapping } from '../wrap/measure.ts';
import { foldedLine } from './folded-line.ts';
import { atBreaks, hidesMatch, type LineFragment, textOf } from './fragments.ts';
import { jsonOfRow } from './json-of-row.ts';
import { unfoldedLines } from './unfolded-lines.ts';

export interface JsonLayout {
  /** The screen lines of the folded fields. */
  folded: readonly (readonly LineFragment[])[];
  /** The lines below, one for each field; null while folded. */
  unfolded: readonly (readonly LineFragment[])[] | null;
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
  const fragments = isNarrow ? folded.fragments.filter(({ look }) => look !== 'day') : folded.fragments;
  return {
    folded: wrapped(fragments, wrapping, BUTTON_COLUMNS),
    unfolded: lines?.flatMap((each) => wrapped(each, wrapping, BUTTON_COLUMNS + BLOCK_COLUMNS)) ?? null,
    level: folded.level,
    hasMessage: folded.hasMessage,
  };
}

function wrapped(
  fragments: readonly LineFragment[],
  wrapping: Wrapping | null,
  beside: number,
): LineFragment[][] {
  if (!wrapping) return [[...fragments]];
  const columns = Math.max(2, wrapping.columns - beside);
  return atBreaks(fragments, breakText(textOf(fragments), columns, wrapping.columnsOf));
}

/** Whether each of these matches, pairs of start and end, is at least partly drawn. */
export function showsMatches({ folded, unfolded }: JsonLayout, matches: readonly number[]): boolean {
  return matches.length === 0 || !hidesMatch([...folded.flat(), ...(unfolded?.flat() ?? [])], matches);
}

export function linesOfJson({ folded, unfolded }: JsonLayout): number {
  return folded.length + (unfolded?.length ?? 0);
}
