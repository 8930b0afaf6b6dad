/** Reads a long line by byte offset, in adjacent pieces, as long as its text exists. */

import { useCallback } from 'react';
import type { Connection } from '../../../shared/api/api.ts';
import type { DocumentRef, Row } from '../../../shared/api/rows.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { ByteWindow } from '../../../shared/views.ts';

export interface LongLinePages {
  document: DocumentRef;
  /** The generation of the row's text; another text has other bytes at its offset. */
  generation: number;
  line: number | null;
  row: Row;
  /** Where to begin, in bytes from the start of the stream; by default the start of the line. */
  offset?: number | undefined;
}

/** Errors: `changed` if the file was truncated or replaced, and read errors. */
export async function readPage(
  connection: Connection,
  { document, generation }: LongLinePages,
  range: { offset: number; limit: number },
  signal: AbortSignal,
): Promise<ByteWindow> {
  const page = await settled(connection.request('read', { ...document, ...range }, { signal }));
  // Generations only rise: if it is unchanged after reading the page, it was unchanged before.
  const now = await connection.request('rows', { document, start_line: 1, count: 1 }, { signal });
  if (now.generation !== generation) throw replaced();
  if ('error' in page) throw page.error;
  return page.value;
}

export function replaced(): SpillwayError {
  return new SpillwayError(
    'changed',
    'The file was truncated or replaced, and this line may no longer exist',
    'close this, and see what the file holds now',
  );
}

/** Keeps an error for later, to report a replaced file as replaced, not as too short. */
function settled<T>(promise: Promise<T>): Promise<{ value: T } | { error: unknown }> {
  return promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
}

/** Adjacent pieces of a long line: added at one end, dropped at the other. */
export interface LinePiece {
  /** Bytes from the start of the stream, `end` not included. */
  offset: number;
  end: number;
  text: string;
}

/** Bytes of a long line, from the start of the stream; `end` is not included. */
export interface LineBytes {
  start: number;
  end: number;
}

/** Bytes to read. */
export interface Span {
  offset: number;
  limit: number;
}

export const PIECE_BYTES = 16 * 1024;
/** Enough for two screens of text on either side of the view. */
export const MAX_PIECES = 5;

/** Returns the bytes to read before the first piece or after the last one; null at an end of the line. */
export function nextSpan(
  pieces: readonly LinePiece[],
  side: 'before' | 'after',
  line: LineBytes,
): Span | null {
  if (side === 'before') {
    const { offset: end } = pieces[0]!;
    const offset = Math.max(line.start, end - PIECE_BYTES);
    return end > offset ? { offset, limit: end - offset } : null;
  }
  const offset = pieces.at(-1)!.end;
  return offset < line.end ? { offset, limit: Math.min(PIECE_BYTES, line.end - offset) } : null;
}

/** Adds a piece, and drops the farthest ones beyond MAX_PIECES. */
export function withPiece(
  pieces: readonly LinePiece[],
  piece: LinePiece,
  side: 'before' | 'after',
): LinePiece[] {
  return side === 'before' ? [piece, ...pieces].slice(0, MAX_PIECES) : [...pieces, piece].slice(-MAX_PIECES);
}

/**
 * Returns the two pieces around a byte of the line. Their boundary is that byte, so that it can be found on the screen.
 */
export function spansAt(at: number, line: LineBytes): Span[] {
  const middle = Math.min(Math.max(at, line.start), line.end);
  const before = Math.max(line.start, middle - PIECE_BYTES);
  return [
    { offset: before, limit: middle - before },
    { offset: middle, limit: Math.min(PIECE_BYTES, line.end - middle) },
  ].filter(({ limit }) => limit > 0);
}

/** Returns the function that opens a clipped row in the reader for long lines. */
interface Rows {
  rows: { generation: number | null };
}

/** @param of has the rows of the document */
export function useReadOn(
  document: DocumentRef | undefined,
  of: Rows | null,
  open: (long: LongLinePages) => void,
): (line: number | null, row: Row, offset?: number) => void {
  return useCallback(
    (line, row, offset) => {
      const generation = of?.rows.generation ?? null;
      if (document && generation !== null) open({ document, generation, line, row, offset });
    },
    [document, of, open],
  );
}
