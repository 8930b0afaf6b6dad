/** Cuts the styled pieces of a text at the edges of matches, highlights, selected columns, links and screen lines. */

import type { Row } from '../../../shared/api/rows.ts';
import { MAX_LINE_CHARS } from '../../../shared/limits.ts';
import type { Highlight } from '../highlight/text-highlights.tsx';
import type { StyledPiece } from './ansi.ts';

export interface MatchedPiece extends StyledPiece {
  match: boolean;
  /** Whether it is the first or last piece of a match, which may span several. */
  start: boolean;
  end: boolean;
  /** Whether it is selected by character. */
  chosen: boolean;
  /** Colour of its highlighter. */
  colour?: number;
  /** Start column of its link. */
  link?: number;
}

/** `matches`: pairs of start and end in the whole text, in order, without overlaps. */
export function matchPieces(pieces: readonly StyledPiece[], matches: readonly number[]): MatchedPiece[] {
  const cut: MatchedPiece[] = [];
  let next = 0;
  let at = 0;
  for (const piece of pieces) {
    const end = at + piece.text.length;
    let from = at;
    while (from < end) {
      while (next < matches.length && (matches[next + 1] ?? 0) <= from) next += 2;
      const open = matches[next] ?? Number.POSITIVE_INFINITY;
      const close = matches[next + 1] ?? Number.POSITIVE_INFINITY;
      const match = open <= from;
      const to = Math.min(end, match ? close : open);
      cut.push({
        ...piece,
        text: piece.text.slice(from - at, to - at),
        match,
        start: match && from === open,
        end: match && to === close,
        chosen: false,
      });
      from = to;
    }
    at = end;
  }
  return cut;
}

/** Cuts the pieces at columns `from` and `to` of the whole text, and marks those between as chosen. */
export function choosePieces(pieces: readonly MatchedPiece[], from: number, to: number): MatchedPiece[] {
  const cut: MatchedPiece[] = [];
  let at = 0;
  for (const piece of pieces) {
    const end = at + piece.text.length;
    const edges = [at, Math.min(Math.max(from, at), end), Math.min(Math.max(to, at), end), end];
    for (let edge = 0; edge < 3; edge += 1) {
      const [start, stop] = [edges[edge]!, edges[edge + 1]!];
      if (stop <= start) continue;
      cut.push({
        ...piece,
        text: piece.text.slice(start - at, stop - at),
        start: piece.start && start === at,
        end: piece.end && stop === end,
        chosen: piece.chosen || edge === 1,
      });
    }
    at = end;
  }
  return cut;
}

/** Cuts the pieces at the starts of screen lines; each list is one line. */
export function linesOfPieces(pieces: readonly MatchedPiece[], breaks: readonly number[]): MatchedPiece[][] {
  const lines: MatchedPiece[][] = [[]];
  let at = 0;
  let next = 0;
  for (const piece of pieces) {
    let from = at;
    const end = at + piece.text.length;
    while (next < breaks.length && breaks[next]! < end) {
      const to = breaks[next]!;
      if (to > from) lines.at(-1)!.push(part(piece, from - at, to - at));
      lines.push([]);
      next += 1;
      from = to;
    }
    lines.at(-1)!.push(part(piece, from - at, end - at));
    at = end;
  }
  return lines;
}

function part(piece: MatchedPiece, from: number, to: number): MatchedPiece {
  if (from === 0 && to === piece.text.length) return piece;
  return {
    ...piece,
    text: piece.text.slice(from, to),
    start: piece.start && from === 0,
    end: piece.end && to === piece.text.length,
  };
}

/** Cuts the pieces at the edges of links, and names the link of each. */
export function linkPieces(
  pieces: readonly MatchedPiece[],
  links: readonly { start: number; end: number }[],
): readonly MatchedPiece[] {
  if (links.length === 0) return pieces;
  const edges = links.flatMap(({ start, end }) => [start, end]);
  const cut: MatchedPiece[] = [];
  let at = 0;
  for (const piece of linesOfPieces(pieces, edges).flat()) {
    const link = links.find(({ start, end }) => at >= start && at < end);
    cut.push(link ? { ...piece, link: link.start } : piece);
    at += piece.text.length;
  }
  return cut;
}

/** Colours highlights. `highlights`: in order, without overlaps. Matches keep their own colour. */
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

/** The matches in the shown lines. */
export interface RowMatches {
  /** Pairs of start and end in the row's text; null while unknown. */
  matchesOf(line: number, row: Row): readonly number[] | null;
  isHit(line: number): boolean;
  /** The line of the current match. */
  readonly current: number | null;
}

/** A match beyond the part of a long line that its row shows. */
export interface DeepMatch {
  /** From 1, in the whole line. */
  column: number;
  /** Bytes from the start of the stream. */
  offset: number;
  before: string;
  match: string;
  after: string;
}

/** Characters before the match: few, so that it is in view in a narrow window. */
const BEFORE_CHARS = 16;
const AFTER_CHARS = 240;

/** Cuts the host's text around the match to the length that a row shows. */
export function deepMatch(found: { column: number; offset: number; match: string; text: string }): DeepMatch {
  const { column, offset, match, text } = found;
  const start = startOf(match, text, column);
  const end = Math.min(text.length, start + match.length);
  return {
    column,
    offset,
    before: text.slice(Math.max(0, start - BEFORE_CHARS), start),
    match: text.slice(start, end),
    after: text.slice(end, end + AFTER_CHARS),
  };
}

/** Finds the match in the text: the host puts a third of the text before it, perhaps with earlier matches. */
function startOf(match: string, text: string, column: number): number {
  const expected = Math.min(column - 1, Math.floor(MAX_LINE_CHARS / 3));
  // One less, as the host does not split a character.
  const at = text.indexOf(match, Math.max(0, expected - 1));
  return at >= 0 ? at : Math.max(0, text.lastIndexOf(match));
}
