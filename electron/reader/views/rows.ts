/** Makes blocks of rows for the window: lines with styles and offsets, by number or from the end. */
import type { Row } from '../../../shared/api/rows.ts';
import { MAX_LINE_CHARS } from '../../../shared/limits.ts';
import type { Decoder } from '../bytes/encoding.ts';
import type { OpenStream } from '../bytes/open-stream.ts';
import type { BlockIndex } from '../lines/block-index.ts';
import { LineCursor, linesAt, type RawLine } from '../lines/line-cursor.ts';
import { lineStart, tailStart, totalLines } from '../lines/line-positions.ts';
import { LineRenderer } from './line-renderer.ts';

export interface RowsRequest {
  /** From 1; with `fromEnd`, the number of lines before the end. */
  start: number;
  count: number;
  fromEnd: boolean;
}

/**
 * Returns at most `count` rows; fewer if lines are costly, so continue after the last. The index must reach the first
 * row; reading from the end needs no index.
 */
export function readRows(
  stream: OpenStream,
  index: BlockIndex,
  decoder: Decoder,
  request: RowsRequest,
): { start_line: number | null; rows: Row[] } {
  const { unit } = decoder;
  const complete = index.indexedBytes >= stream.size;
  let number = 0;
  let position: number;
  if (request.fromEnd && !complete) {
    position = tailStart(stream, unit, request.start);
  } else {
    const total = complete ? totalLines(index, stream, unit) : Number.POSITIVE_INFINITY;
    number = request.fromEnd ? Math.max(1, total - request.start + 1) : request.start;
    if (number > total || number > index.newlines + 1) return { start_line: number, rows: [] };
    position = lineStart(stream, index, unit, number);
  }
  const cursor = new LineCursor(stream, unit, { position, number }, complete ? index : null);
  const renderer = rowRenderer(stream, decoder);
  const rows: Row[] = [];
  for (let line = cursor.next(); line; line = cursor.next()) {
    rows.push(rowOf(renderer, line));
    if (rows.length >= request.count || renderer.spent) break;
  }
  return { start_line: number || null, rows };
}

/**
 * Returns the rows of the given lines (rising, not necessarily consecutive); fewer if lines are costly. The index must
 * reach them.
 */
export function rowsOf(
  stream: OpenStream,
  index: BlockIndex,
  decoder: Decoder,
  lines: readonly number[],
): Row[] {
  const renderer = rowRenderer(stream, decoder);
  const rows: Row[] = [];
  for (const line of linesAt(stream, index, decoder.unit, lines)) {
    rows.push(rowOf(renderer, line));
    if (renderer.spent) break;
  }
  return rows;
}

function rowRenderer(stream: OpenStream, decoder: Decoder): LineRenderer {
  return new LineRenderer(stream, decoder, { raw: false, styled: true, maxChars: MAX_LINE_CHARS });
}

function rowOf(renderer: LineRenderer, line: RawLine): Row {
  const { text, runs, clipped } = renderer.show(line);
  return { text, runs, offset: line.offset, bytes: line.bytes, clipped };
}
