/** Lays out a JSON line, a CI's line, or the fields of a line as columns: the fragments on each screen line. */

import { useEffect, useMemo, useRef } from 'react';
import type { DocumentState, Row } from '../../../shared/api/rows.ts';
import { inOrder } from '../../../shared/text/escape.ts';
import { type LineField, lineFields } from '../../../shared/text/fields.ts';
import { type JsonLine, jsonLine } from '../../../shared/text/json-line.ts';
import type { Level } from '../../../shared/text/level-words.ts';
import { ACTIONS_LINE } from '../../../shared/text/line-time.ts';
import { createStore, type Store, sessionStores, useStore } from '../../ui/state/store.ts';
import { useSteady } from '../../ui/state/use-steady.ts';
import {
  atBreaks,
  cellFragments,
  foldedLine,
  hiddenMatchesIn,
  type LineFragment,
  rawFragments,
  textOf,
  unfoldedLines,
} from './json-lines.ts';
import type { MatchedPiece } from './pieces.ts';
import type { Column } from './text-settings.ts';
import { breakText, type Wrapping } from './wrapping.ts';

export interface JsonLayout {
  /** The screen lines of the folded fields. */
  folded: readonly (readonly LineFragment[])[];
  /** The lines below, one for each field; null while folded. */
  unfolded: readonly (readonly LineFragment[])[] | null;
  level: Level | null;
  /** Whether it has a message; then its other fields are dimmed. */
  hasMessage: boolean;
  /** The fields that are columns, drawn instead of the folded line; null without columns. */
  cells: readonly Cell[] | null;
  /** Whether it is the rest of a line that is no JSON, and does not unfold. */
  isPlain?: true;
  /** The line's fields, of a row in columns. */
  fields?: readonly LineField[];
}

/** One field in its column. A field that the line does not have is empty. */
export interface Cell {
  name: string;
  /** In characters; null for the last column, which has the rest of the line. */
  width: number | null;
  /** Whether it is a number, which stands at the right of its column. */
  isFigure: boolean;
  fragments: readonly LineFragment[];
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
    cells: null,
  };
}

/** Lays out a line of a CI's log without its job, step and time; null for other lines. */
export function messageLayout(row: Row, wrapping: Wrapping | null): JsonLayout | null {
  if (row.missing || row.piece?.start) return null;
  const [before] = ACTIONS_LINE.exec(row.text) ?? [];
  if (before === undefined) return null;
  const folded = wrapped(rawFragments(row.text, before.length), wrapping, 0);
  return { folded, unfolded: null, level: null, hasMessage: false, cells: null, isPlain: true };
}

/** Columns between two fields. */
const GAP_COLUMNS = 2;
/** Least columns of the last field in a wrapped view. */
const LEAST_LAST = 12;

/** Whether a value is a number, with its unit if it has one; a version or a time is none. */
export const isFigure = (value: string): boolean => FIGURE.test(value);

const FIGURE = /^[-+]?\d[\d,_]*(?:\.\d+)?(?:e[-+]?\d+)?\s?(?:%|[a-zµ]{1,3})?$/i;

/** Returns null for a row that has none of the columns' fields: it is drawn as without columns. */
export function columnsLayout(
  row: Row,
  isUnfolded: boolean,
  wrapping: Wrapping | null,
  columns: readonly Column[],
  pattern: string | undefined,
): JsonLayout | null {
  if (row.missing || row.piece?.start || (row.runs && !jsonOfRow(row))) return null;
  const line = jsonOfRow(row);
  const fields = lineFields(row.text, line, pattern);
  const before = columns.slice(0, -1).reduce((sum, { width }) => sum + width + GAP_COLUMNS, 0);
  const rest = wrapping && Math.max(LEAST_LAST, wrapping.columns - BUTTON_COLUMNS - before);
  const cells = columns.map(({ field: name, width }, index): Cell => {
    const field = fields.find((one) => one.name === name);
    const figure = field !== undefined && isFigure(row.text.slice(field.from, field.to));
    const own = index === columns.length - 1 && !figure ? rest : width;
    return {
      name,
      width: own,
      isFigure: figure,
      fragments: field ? cellFragments(row.text, field, line, own) : [],
    };
  });
  if (cells.every(({ fragments }) => fragments.length === 0)) return null;
  const lines = isUnfolded ? (line ? unfoldedLines(line) : [rawFragments(row.text)]) : null;
  return {
    folded: [cells.flatMap(({ fragments }) => fragments)],
    unfolded: lines?.flatMap((each) => wrapped(each, wrapping, BUTTON_COLUMNS + BLOCK_COLUMNS)) ?? null,
    level: line && foldedLine(line).level,
    hasMessage: false,
    cells,
    fields,
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
  return matches.length === 0 || hiddenMatches({ folded, unfolded }, matches).length === 0;
}

type Drawn = Pick<JsonLayout, 'folded' | 'unfolded'>;

const hiddenMatches = ({ folded, unfolded }: Drawn, matches: readonly number[]) =>
  hiddenMatchesIn([...folded.flat(), ...(unfolded?.flat() ?? [])], matches);

/** A match of a row in columns that none of them shows. */
export interface MatchElsewhere {
  /** The field that has it; null if it is in none, such as in a name. */
  field: string | null;
  text: string;
  /** How many more there are. */
  more: number;
}

const MOST_ELSEWHERE = 40;

/** Returns the first match that no column shows; null if all are shown, or the row is not in columns. */
export function matchElsewhere(
  row: Row,
  { cells, fields, folded, unfolded }: JsonLayout,
  matches: readonly number[],
): MatchElsewhere | null {
  if (!cells || matches.length === 0) return null;
  const hidden = hiddenMatches({ folded, unfolded }, matches);
  const first = hidden[0];
  if (!first) return null;
  const { from, to } = first;
  const field = fields?.find((one) => one.from < to && one.to > from);
  const text = inOrder(row.text.slice(from, Math.min(to, from + MOST_ELSEWHERE)));
  return { field: field?.name ?? null, text, more: hidden.length - 1 };
}

export function linesOfJson({ folded, unfolded }: JsonLayout): number {
  return folded.length + (unfolded?.length ?? 0);
}

/** Parses a row that is a JSON object, once. */
const known = new WeakMap<Row, JsonLine | null>();

/**
 * Returns the row as a JSON object; null for other rows, broken JSON and coloured text. A row has at most the first
 * MAX_LINE_CHARS of its line, so this takes microseconds; a longer line's object ends there.
 */
export function jsonOfRow(row: Row): JsonLine | null {
  let line = known.get(row);
  if (line === undefined) {
    line = row.missing || row.runs || row.piece?.start ? null : jsonLine(row.text, row.clipped);
    known.set(row, line);
  }
  return line;
}

/** @param pieces of the whole raw line, in order; null if nothing in it is marked */
export function piecesOfFragment(
  fragment: LineFragment,
  pieces: readonly MatchedPiece[] | null,
): MatchedPiece[] {
  const { text, from, to, isExact } = fragment;
  const plain: MatchedPiece = { ...PLAIN, text };
  if (!pieces || from === to) return [plain];
  const inside: MatchedPiece[] = [];
  let at = 0;
  for (const piece of pieces) {
    const end = at + piece.text.length;
    const [start, stop] = [Math.max(at, from), Math.min(end, to)];
    if (start < stop) {
      inside.push({
        ...piece,
        text: text.slice(start - from, stop - from),
        start: piece.start && start === at,
        end: piece.end && stop === end,
      });
    }
    at = end;
    if (at >= to) break;
  }
  if (isExact) return inside;
  // The fragment stands for its part as a whole, so any mark inside marks all of it.
  const main = inside.find(({ match }) => match) ?? inside.find(isMarked) ?? plain;
  return [{ ...main, text, start: true, end: true, chosen: inside.some(({ chosen }) => chosen) }];
}

function isMarked({ chosen, colour, link }: MatchedPiece): boolean {
  return chosen || colour !== undefined || link !== undefined;
}

const PLAIN: MatchedPiece = {
  text: '',
  classes: [],
  style: null,
  match: false,
  start: false,
  end: false,
  chosen: false,
};

// Holds which JSON lines of the shown text are unfolded.

/** Key of the action that unfolds, for `viewer-actions.ts` and the button on a line. */
export const UNFOLD_KEY = 'u';

export interface Unfolding {
  lines: Unfolded;
  /** Unfolds the lines, or folds them if all are unfolded. */
  toggle(lines: readonly number[]): void;
  foldAll(): void;
}

/** @param state of the shown stream; null until known */
export function useUnfolding(state: DocumentState | null): Unfolding {
  const text = state && `${state.artifact.artifact_id} ${state.stream}`;
  const store = useMemo(
    () => (text === null ? createStore<Unfolded>(NONE_UNFOLDED) : unfoldedOf(text)),
    [text],
  );
  const lines = useStore(store);
  const generation = state?.generation ?? null;
  const shown = useRef({ store, generation });
  useEffect(() => {
    const last = shown.current;
    shown.current = { store, generation };
    // Another text has other lines at these numbers.
    const isReplaced = last.store === store && last.generation !== null && last.generation !== generation;
    if (isReplaced && generation !== null) store.set(NONE_UNFOLDED);
  }, [store, generation]);
  return useSteady({
    lines,
    toggle: (chosen: readonly number[]) => toggleUnfolded(store, chosen),
    foldAll: () => store.set(NONE_UNFOLDED),
  });
}

/** Most unfolded lines in one text. */
export const MAX_UNFOLDED = 1000;

type Unfolded = ReadonlySet<number>;

export const NONE_UNFOLDED: Unfolded = new Set();

/** Returns the unfolded lines of a stream: the same store for every view of it. */
const unfoldedOf = sessionStores<Unfolded>({
  item: 'spillway.unfolded',
  maxKeys: 50,
  read: (list) => new Set(list as number[]),
  write: (lines) => [...lines],
});

/** Unfolds the lines, or folds them if all are unfolded. */
function toggleUnfolded(store: Store<Unfolded>, lines: readonly number[]): void {
  const next = new Set(store.get());
  const isFolding = lines.every((line) => next.has(line));
  for (const line of lines) isFolding ? next.delete(line) : next.add(line);
  store.set(new Set([...next].slice(-MAX_UNFOLDED)));
}
