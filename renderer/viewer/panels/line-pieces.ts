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
