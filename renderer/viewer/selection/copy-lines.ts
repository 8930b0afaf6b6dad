/** Fetches the text of the selection in parts, as selected lines may be off the screen, in the form to copy. */

import type { Row } from '../../../shared/api/rows.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { ROWS_PER_BLOCK } from '../../../shared/limits.ts';
import type { FetchWhole } from '../document/open-document.ts';
import type { FetchRows } from '../document/row-fetcher.ts';
import type { FilteredLines } from '../document/rows-view.ts';
import { firstLine, lastLine, outerColumns, type Selection } from './selection.ts';

/** Ask before copying more lines than this. */
export const CONFIRM_LINES = 100_000;
/** Ask before copying more bytes than this, estimated from the mean line length. */
export const CONFIRM_BYTES = 8 * 1024 * 1024;
/** UTF-16 code units. A string ends at 512 Mi, and every program struggles with pasting this much. */
const MAX_CHARS = 256 * 1024 * 1024;

/** The results return no more at once. */
const LINES_PER_REQUEST = ROWS_PER_BLOCK * 2;

export interface FetchedLines {
  text: string;
  lines: number;
  /** Number of lines of which a selected part is missing in `text`. */
  clipped: number;
}

/**
 * Returns the selected text, lines joined by newlines. Rejects with `changed` if the text was replaced meanwhile or
 * ends before `last`, and with `out_of_range` if it is too long; never returns less.
 */
export async function copyLines(
  fetch: FetchRows<RowToCopy>,
  selection: Selection,
  options: {
    signal: AbortSignal;
    onProgress?: (done: number) => void;
    maxChars?: number;
    form?: CopyForm;
    /** Converts a row of `fetch` to a line number, if they differ. */
    lineOf?: ((row: number) => number) | undefined;
    /** Fetches lines of which the rows have only the beginning. */
    fetchWhole?: FetchWhole;
  },
): Promise<FetchedLines> {
  const [first, last] = [firstLine(selection), lastLine(selection)];
  const { from, to } = outerColumns(selection);
  const maxChars = options.maxChars ?? MAX_CHARS;
  const form = options.form ?? AS_TEXT;
  const lineOf = options.lineOf ?? ((row: number) => row);
  const width = String(lineOf(last)).length;
  const drawn = selection.columns?.drawn;
  if (drawn) {
    const text = form.line?.(drawn.text, lineOf(first), width) ?? drawn.text;
    return { text: form.whole?.(text) ?? text, lines: 1, clipped: 0 };
  }
  const pieces: string[] = [];
  let generation: number | null = null;
  let chars = 0;
  let clipped = 0;
  for (let line = first; line <= last; line += LINES_PER_REQUEST) {
    const count = Math.min(LINES_PER_REQUEST, last - line + 1);
    const result = await fetch(line, count, options.signal);
    generation ??= result.generation;
    if (result.generation !== generation || result.rows.length !== count) throw changed();
    const endOf = (index: number) => (line + index === last ? to : Number.POSITIVE_INFINITY);
    const numberOf = (index: number) => result.rows[index]?.line ?? lineOf(line + index);
    const cut = result.rows.flatMap((row, index) =>
      row.clipped && endOf(index) > row.text.length ? [numberOf(index)] : [],
    );
    const whole = cut.length > 0 ? await options.fetchWhole?.(cut, options.signal) : undefined;
    if (whole && whole.generation !== generation) throw changed();
    for (const [index, row] of result.rows.entries()) {
      if (row.missing) continue;
      const end = endOf(index);
      const { text: all, clipped: isCut } = whole?.lines.get(numberOf(index)) ?? row;
      const text = all.slice(line + index === first ? from : 0, end);
      const piece = form.line?.(text, lineOf(line + index), width) ?? text;
      pieces.push(piece);
      chars += piece.length + 1;
      if (isCut && end > all.length) clipped += 1;
    }
    if (chars > maxChars) {
      throw new SpillwayError(
        'out_of_range',
        'The selected lines are too large for the clipboard',
        'select fewer lines, or use spillway inspect --mode range in a terminal',
      );
    }
    options.onProgress?.(line + count - first);
  }
  const text = pieces.join('\n');
  return { text: form.whole?.(text) ?? text, lines: pieces.length, clipped };
}

function changed(): SpillwayError {
  return new SpillwayError('changed', 'The text changed while it was copied', 'select and copy again');
}

/** The forms of copied lines: plain, or with line numbers. */
export interface CopyForm {
  /** Returns the copied text of a line. `width`: digits of the last number. */
  line?(text: string, number: number, width: number): string;
  /** Adds text around the copied lines. */
  whole?(text: string): string;
}

export const AS_TEXT: CopyForm = {};

export const WITH_NUMBERS: CopyForm = {
  line: (text, number, width) => `${String(number).padStart(width)}  ${text}`,
};

/** `line`: its number, if the rows are not lines in order. */
export type RowToCopy = Row & { line?: number };

export interface RowsToCopy {
  fetchRows: FetchRows<RowToCopy>;
  /** Fetches lines that are clipped in their rows. */
  fetchWhole: FetchWhole;
  /** Converts the selection to rows of `fetchRows`; null if none of it is shown. Absent if they are the same. */
  counted?(selection: Selection): Selection | null;
  /** Converts a row of `fetchRows` to a line. Absent if they are the same. */
  lineOf?(row: number): number;
}

/** Copies only the passing lines of a selection. */
export function passingRows(passing: FilteredLines, fetchWhole: FetchWhole): RowsToCopy {
  return {
    fetchRows: passing.fetchRows,
    fetchWhole,
    lineOf: (row) => passing.lineOf(row - 1) ?? row,
    counted(selection) {
      const [first, last] = [firstLine(selection), lastLine(selection)];
      const anchor = passing.rowOf(first) + 1;
      const focus = passing.rowOf(last + 1);
      if (focus < anchor) return null;
      if (!selection.columns) return { anchor, focus };
      const { from, to } = outerColumns(selection);
      // If an end of the selection is in a hidden line, no part of that line is copied.
      return {
        anchor,
        focus,
        columns: {
          ...selection.columns,
          anchor: passing.has(first) ? from : 0,
          focus: passing.has(last) ? to : Number.POSITIVE_INFINITY,
        },
      };
    },
  };
}
