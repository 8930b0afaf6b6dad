/** Transfers marks, selection and links of a raw line to the fragments that show its parts. */
import type { MatchedPiece } from '../pieces/match-pieces.ts';
import type { LineFragment } from './fragments.ts';

/** @param pieces of the whole raw line, in order; null if nothing in it is marked */
export function piecesOfFragment(
  fragment: LineFragment,
  pieces: readonly MatchedPiece[] | null,
): MatchedPiece[] {
  const { text, from, to, isExact } = fragment;
  const plain: MatchedPiece = { ...PLAIN, text };
  if (!pieces || from === to) return [plain];
  const inside: MatchedPiece[] = [];
  let at = 0;
  for (const piece of pieces) {
    const end = at + piece.text.length;
    const [start, stop] = [Math.max(at, from), Math.min(end, to)];
    if (start < stop) {
      inside.push({
        ...piece,
        text: text.slice(start - from, stop - from),
        start: piece.start && start === at,
        end: piece.end && stop === end,
      });
    }
    at = end;
    if (at >= to) break;
  }
  if (isExact) return inside;
  // The fragment stands for its part as a whole, so any mark inside marks all of it.
  const told = inside.find(({ match }) => match) ?? inside.find(isTold) ?? plain;
  return [{ ...told, text, start: true, end: true, chosen: inside.some(({ chosen }) => chosen) }];
}

function isTold({ chosen, colour, link }: MatchedPiece): boolean {
  return chosen || colour !== undefined || link !== undefined;
}

const PLAIN: MatchedPiece = {
  text: '',
  classes: [],
  style: null,
  match: false,
  start: false,
  end: false,
  chosen: false,
};
