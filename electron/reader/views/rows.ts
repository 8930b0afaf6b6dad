/** Blocks of rows for the window: lines with their styles and places, by number or from the end. */
import type { Row } from '../../../shared/api/rows.ts';
import { MAX_LINE_CHARS } from '../../../shared/limits.ts';
import type { ByteSource } from '../bytes/source.ts';
import type { BlockIndex } from '../lines/block-index.ts';
import { CURSOR_BYTES, LineCursor, type RawLine } from '../lines/line-cursor.ts';
import { lineStart, tailStart, totalLines } from '../lines/line-positions.ts';
import type { Decoder } from '../text/encoding.ts';
import { LineRenderer } from './line-renderer.ts';

export interface RowsRequest {
  /** From 1; with `fromEnd`, how many lines before the end to begin. */
  start: number;
  count: number;
  fromEnd: boolean;
}

/**
 * Rows of the stream, at most `count`. The index need only reach the first row; from the end it is not needed.
 * A block whose lines are costly ends early: ask on from there.
 */
export function readRows(
  source: ByteSource,
  index: BlockIndex,
  decoder: Decoder,
  request: RowsRequest,
): { start_line: number | null; rows: Row[] } {
  const { unit } = decoder;
  const complete = index.indexedBytes >= source.size;
  let number = 0;
  let position: number;
  if (request.fromEnd && !complete) {
    position = tailStart(source, unit, request.start);
  } else {
    const total = complete ? totalLines(index, source, unit) : Number.POSITIVE_INFINITY;
    number = request.fromEnd ? Math.max(1, total - request.start + 1) : request.start;
    if (number > total || number > index.newlines + 1) return { start_line: number, rows: [] };
    position = lineStart(source, index, unit, number);
  }
  const cursor = new LineCursor(source, unit, { position, number }, complete ? index : null);
  const renderer = rowRenderer(source, decoder);
  const rows: Row[] = [];
  for (let line = cursor.next(); line; line = cursor.next()) {
    rows.push(rowOf(renderer, line));
    if (rows.length >= request.count || renderer.spent) break;
  }
  return { start_line: number || null, rows };
}

/** Rows of lines that need not be neighbours, in rising order; the index must reach them. Costly ones end it early. */
export function rowsOf(
  source: ByteSource,
  index: BlockIndex,
  decoder: Decoder,
  lines: readonly number[],
): Row[] {
  const renderer = rowRenderer(source, decoder);
  const buffer = Buffer.allocUnsafeSlow(CURSOR_BYTES);
  const rows: Row[] = [];
  let cursor: LineCursor | null = null;
  let next = 0;
  for (const number of lines) {
    // Near the one before, reading on is cheaper than looking up.
    if (!cursor || number - next > NEAR) {
      const position = lineStart(source, index, decoder.unit, number);
      cursor = new LineCursor(source, decoder.unit, { position, number }, index, buffer);
    }
    let line = cursor.next();
    while (line && line.number < number) line = cursor.next();
    if (!line) break;
    next = number + 1;
    rows.push(rowOf(renderer, line));
    if (renderer.spent) break;
  }
  return rows;
}

const NEAR = 50;

function rowRenderer(source: ByteSource, decoder: Decoder): LineRenderer {
  return new LineRenderer(source, decoder, { raw: false, styled: true, maxChars: MAX_LINE_CHARS });
}

function rowOf(renderer: LineRenderer, line: RawLine): Row {
  const { text, runs, clipped } = renderer.show(line);
  return { text, runs, offset: line.offset, bytes: line.bytes, clipped };
}
