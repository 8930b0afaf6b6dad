/**
 * Finds what a drag covers in a line whose parts are drawn in another order than they are written, as the fields of a
 * folded JSON line are.
 */

/** The covered text as drawn, and the parts of the raw line behind it. */
export interface DrawnPart {
  text: string;
  /** Pairs of start and end, as columns of the raw line, in the order in which they are drawn. */
  spans: readonly number[];
}

/** A drawn piece, and the columns that it shows: character by character if exact, else as a whole. */
export interface DrawnPiece {
  text: string;
  from: number;
  to: number;
  isExact: boolean;
}

/** Returns the pieces of a row in the order in which they are drawn, without unfolded ones; none for other rows. */
export function drawnPieces(row: Element): DrawnPiece[] {
  return [...row.querySelectorAll<HTMLElement>('[data-text] [data-from]')]
    .filter((piece) => !piece.closest('[data-unfolded]'))
    .map(({ textContent, dataset }) => ({
      text: textContent ?? '',
      from: Number(dataset.from),
      to: Number(dataset.to),
      isExact: dataset.exact !== undefined,
    }));
}

/** Returns null if the drawn part is also one part of the raw line, so that columns alone describe it. */
export function drawnPart(
  pieces: readonly DrawnPiece[],
  raw: string,
  columns: readonly [number, number],
): DrawnPart | null {
  const places = columns.map((column) => placeOf(pieces, column));
  const [start, end] = places.sort((a, b) => a.piece - b.piece || a.chars - b.chars) as [Place, Place];
  let text = '';
  const spans: number[] = [];
  for (const [index, piece] of pieces.entries()) {
    if (index < start.piece || index > end.piece) continue;
    const first = index === start.piece ? start.chars : 0;
    const last = index === end.piece ? end.chars : piece.text.length;
    if (last <= first) continue;
    const { from, to, isExact } = piece;
    const [open, close] = isExact ? [from + first, from + last] : [from, to];
    text += isExact ? raw.slice(open, close) : piece.text.slice(first, last);
    if (close > open) spans.push(open, close);
  }
  return isInRawOrder(spans, raw) ? null : { text, spans };
}

interface Place {
  piece: number;
  chars: number;
}

/** Returns the place of a raw column among the pieces; one before or behind all of them is at that end. */
function placeOf(pieces: readonly DrawnPiece[], column: number): Place {
  const index = pieces.findIndex(({ from, to }) => from < to && from <= column && column <= to);
  const piece = pieces[index];
  if (piece) return { piece: index, chars: piece.isExact ? column - piece.from : wholeChars(piece, column) };
  const isBefore = pieces.every(({ from }) => column <= from);
  return isBefore
    ? { piece: 0, chars: 0 }
    : { piece: pieces.length - 1, chars: pieces.at(-1)?.text.length ?? 0 };
}

function wholeChars({ text, to }: DrawnPiece, column: number): number {
  return column >= to ? text.length : 0;
}

const SIGNS_ONLY = /^[\s",:{}[\]]*$/;

/** Whether the spans rise, with only JSON's own signs between them. */
function isInRawOrder(spans: readonly number[], raw: string): boolean {
  for (let at = 2; at < spans.length; at += 2) {
    const [before, next] = [spans[at - 1]!, spans[at]!];
    if (next < before || !SIGNS_ONLY.test(raw.slice(before, next))) return false;
  }
  return true;
}
