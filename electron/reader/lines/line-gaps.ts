/**
 * Converts line numbers where lines were dropped. Stored lines are numbered without gaps; views show the numbers that
 * the lines had when printed:
 *
 *   stored    1 2 3 │ 4 5          gap after 3 lines, of 10
 *   shown     1 2 3 │ 14 15        4 to 13 were dropped, and the total is 15
 *
 * A gap that begins inside a line counts as after that line, even if the rest of the line is missing.
 */

import type { OpenStream } from '../bytes/open-stream.ts';
import type { BlockIndex } from './block-index.ts';
import { lineAt } from './line-positions.ts';
import { lastNewline, type NewlineUnit, unitBytes } from './newlines.ts';

/** Bytes that were printed and dropped. */
export interface TextGap {
  /** Bytes into the text. */
  offset: number;
  bytes: number;
  /** Line ends among them; where the end of the stream is missing, also a last line without one. */
  lines: number;
  /** Whether the end of the stream is missing. */
  isEnd: boolean;
  /** The reason, as a clause that follows "because". */
  why: string;
  /** The part of the text, in words; empty when there is only one. */
  where: string;
}

/** A gap in lines, to post to a worker. */
export interface LineGap {
  /** Stored lines before it. */
  after: number;
  lines: number;
  /** Whether the rest of the line before it is missing, too. */
  cutsLine: boolean;
}

/** Converts gaps to lines; skips those after the indexed part. */
export function lineGaps(
  gaps: readonly TextGap[],
  stream: OpenStream,
  index: BlockIndex,
  unit: NewlineUnit,
): LineGap[] {
  return gaps
    .filter(({ offset, lines }) => lines > 0 && offset <= index.indexedBytes)
    .map(({ offset, lines, isEnd }) => {
      const line = lineAt(stream, index, unit, offset);
      const isBetween = startsLine(stream, unit, offset);
      // The first of the missing line ends is that of the stored line.
      const cutsLine = isEnd && !isBetween;
      return { after: isBetween ? line - 1 : line, lines: cutsLine ? lines - 1 : lines, cutsLine };
    });
}

function startsLine(stream: OpenStream, unit: NewlineUnit, offset: number): boolean {
  const size = unitBytes(unit);
  if (offset < size) return offset === 0;
  const before = new Uint8Array(size);
  stream.read(before, offset - size);
  return lastNewline(before, 0, size, unit) === size;
}

/** Returns the shown number of a stored line. */
export function shownLine(gaps: readonly LineGap[], stored: number): number {
  let shown = stored;
  for (const { after, lines } of gaps) if (stored > after) shown += lines;
  return shown;
}

/** Returns the first stored line whose shown number is at least `shown`; may be one past the last. */
export function storedFrom(gaps: readonly LineGap[], shown: number): number {
  let missing = 0;
  for (const { after, lines } of gaps) {
    if (shown <= after + missing) break;
    // Inside the gap: return the line after it.
    if (shown <= after + missing + lines) return after + 1;
    missing += lines;
  }
  return shown - missing;
}

/** Returns the last stored line whose shown number is at most `shown`; 0 when there is none. */
export function storedTo(gaps: readonly LineGap[], shown: number): number {
  let missing = 0;
  for (const { after, lines } of gaps) {
    if (shown <= after + missing) break;
    if (shown <= after + missing + lines) return after;
    missing += lines;
  }
  return shown - missing;
}

/** Returns the first and last stored line around `stored` without a gap in between. */
export function unbroken(gaps: readonly LineGap[], stored: number): { first: number; last: number } {
  let first = 1;
  for (const { after } of gaps) {
    if (stored <= after) return { first, last: after };
    first = after + 1;
  }
  return { first, last: Number.POSITIVE_INFINITY };
}
