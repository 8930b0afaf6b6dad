/**
 * Line numbers where lines are missing. Stored lines are numbered one after the other; people and agents see the numbers
 * the lines had when they came:
 *
 *   stored    1 2 3 │ 4 5          gap after 3 lines, of 10
 *   shown     1 2 3 │ 14 15        4 to 13 are not there, and the total is 15
 *
 * A gap whose first byte is inside a line belongs behind that line.
 */

import type { ByteSource } from '../bytes/source.ts';
import type { BlockIndex } from './block-index.ts';
import { lineAt } from './line-positions.ts';
import { lastNewline, type NewlineUnit, unitBytes } from './newlines.ts';

/** Bytes that came and are not in the text. */
export interface TextGap {
  /** Where in the text. */
  offset: number;
  bytes: number;
  /** Line ends among them. */
  lines: number;
  /** In words, to follow "because". */
  why: string;
  /** Of which part of the text, in words; empty when there is but one. */
  where: string;
}

/** A gap in lines; can be posted. */
export interface LineGap {
  /** Stored lines before it. */
  after: number;
  lines: number;
}

/** Gaps that reach no further than what is indexed. */
export function lineGaps(
  gaps: readonly TextGap[],
  source: ByteSource,
  index: BlockIndex,
  unit: NewlineUnit,
): LineGap[] {
  return gaps
    .filter(({ offset, lines }) => lines > 0 && offset <= index.indexedBytes)
    .map(({ offset, lines }) => {
      const line = lineAt(source, index, unit, offset);
      return { after: startsLine(source, unit, offset) ? line - 1 : line, lines };
    });
}

function startsLine(source: ByteSource, unit: NewlineUnit, offset: number): boolean {
  const size = unitBytes(unit);
  if (offset < size) return offset === 0;
  const before = new Uint8Array(size);
  source.read(before, offset - size);
  return lastNewline(before, 0, size, unit) === size;
}

/** The number a stored line is shown with. */
export function shownLine(gaps: readonly LineGap[], stored: number): number {
  let shown = stored;
  for (const { after, lines } of gaps) if (stored > after) shown += lines;
  return shown;
}

/** The first stored line that is shown with this number or a higher one; may be one more than there are. */
export function storedFrom(gaps: readonly LineGap[], shown: number): number {
  let missing = 0;
  for (const { after, lines } of gaps) {
    if (shown <= after + missing) break;
    // In the gap: the line behind it is the first.
    if (shown <= after + missing + lines) return after + 1;
    missing += lines;
  }
  return shown - missing;
}

/** The last stored line that is shown with this number or a lower one; 0 when there is none. */
export function storedTo(gaps: readonly LineGap[], shown: number): number {
  let missing = 0;
  for (const { after, lines } of gaps) {
    if (shown <= after + missing) break;
    if (shown <= after + missing + lines) return after;
    missing += lines;
  }
  return shown - missing;
}

/** Of the stored lines around one without a gap between: the first and the last, in stored numbers. */
export function unbroken(gaps: readonly LineGap[], stored: number): { first: number; last: number } {
  let first = 1;
  for (const { after } of gaps) {
    if (stored <= after) return { first, last: after };
    first = after + 1;
  }
  return { first, last: Number.POSITIVE_INFINITY };
}
