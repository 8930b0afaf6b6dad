/** Makes blocks of rows for the window: lines with styles and offsets, by number or from the end. */
import type { Row } from '../../../shared/api/rows.ts';
import { MAX_LINE_CHARS, PIECE_BYTES } from '../../../shared/limits.ts';
import { styledLine } from '../../../shared/text/line-text.ts';
import type { Decoder } from '../bytes/encoding.ts';
import type { OpenStream } from '../bytes/open-stream.ts';
import type { BlockIndex } from '../lines/block-index.ts';
import { LineCursor, linesAt, type RawLine } from '../lines/line-cursor.ts';
import { lineStart, tailStart, totalLines } from '../lines/line-positions.ts';
import { readWindow } from './byte-window.ts';
import { LineRenderer } from './line-renderer.ts';

export interface RowsRequest {
  /** From 1; with `fromEnd`, the number of lines before the end. */
  start: number;
  count: number;
  fromEnd: boolean;
  /** As in the API: whole lines, or the piece of a long one that begins at this byte of it. */
  piece?: number | undefined;
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
  const { piece } = request;
  const renderer = rowRenderer(stream, decoder, piece === undefined ? MAX_LINE_CHARS : PIECE_BYTES);
  const rows: Row[] = [];
  for (let line = cursor.next(); line; line = cursor.next()) {
    const row = rowOf(renderer, line);
    rows.push(piece !== undefined && row.clipped ? pieceOf(line, piece, stream, index, decoder) : row);
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
  const renderer = rowRenderer(stream, decoder, MAX_LINE_CHARS);
  const rows: Row[] = [];
  for (const line of linesAt(stream, index, decoder.unit, lines)) {
    rows.push(rowOf(renderer, line));
    if (renderer.spent) break;
  }
  return rows;
}

function rowRenderer(stream: OpenStream, decoder: Decoder, maxChars: number): LineRenderer {
  return new LineRenderer(stream, decoder, { raw: false, styled: true, maxChars });
}

/** Returns the piece of a long line that begins at a byte of it, without splitting a character. */
function pieceOf(line: RawLine, from: number, stream: OpenStream, index: BlockIndex, decoder: Decoder): Row {
  const at = Math.min(from, Math.max(0, line.bytes - 1));
  const limit = Math.min(PIECE_BYTES, line.bytes - at);
  const { offset, bytes_shown, content } = readWindow(stream, index, decoder, {
    offset: line.offset + at,
    limit,
  });
  const start = offset - line.offset;
  const { text, runs } = styledLine(content);
  const piece = { start, end: start + bytes_shown };
  return { text, runs, offset: line.offset, bytes: line.bytes, clipped: true, piece };
}

function rowOf(renderer: LineRenderer, line: RawLine): Row {
  const { text, runs, clipped } = renderer.show(line);
  return { text, runs, offset: line.offset, bytes: line.bytes, clipped };
}
