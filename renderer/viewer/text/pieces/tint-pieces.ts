/** Cuts the pieces of a text at the edges of highlights, and colours them. */
import type { Highlight } from '../../../highlight/text-highlights.ts';
import type { MatchedPiece } from './match-pieces.ts';

/** `highlights`: in order, without overlaps. Matches keep their own colour. */
export function tintPieces(
  pieces: readonly MatchedPiece[],
  highlights: readonly Highlight[],
): MatchedPiece[] {
  const cut: MatchedPiece[] = [];
  let at = 0;
  for (const piece of pieces) {
    const end = at + piece.text.length;
    const inside = piece.match ? [] : highlights.filter((each) => each.start < end && each.end > at);
    let from = at;
    const add = (to: number, colour?: number) => {
      if (to <= from) return;
      const text = piece.text.slice(from - at, to - at);
      cut.push({ ...piece, text, ...(colour === undefined ? {} : { colour }) });
      from = to;
    };
    for (const { start, end: stop, colour } of inside) {
      add(Math.max(start, at));
      add(Math.min(stop, end), colour);
    }
    // A piece without highlights stays unchanged.
    if (inside.length === 0) cut.push(piece);
    else add(end);
    at = end;
  }
  return cut;
}
