/** Cuts a row's text where something in it is marked: coloured, found, highlighted, selected, or a link. */
import { useMemo } from 'react';
import type { Row } from '../../../../shared/api/rows.ts';
import { inOrder } from '../../../../shared/text/escape.ts';
import { fileLinks } from '../../../../shared/text/file-links.ts';
import { useHighlights } from '../../../highlight/use-highlights.ts';
import { type AnsiPalette, piecesOf } from '../ansi.ts';
import { choosePieces, linkPieces, type MatchedPiece, matchPieces } from './match-pieces.ts';
import { tintPieces } from './tint-pieces.ts';

export interface PiecesOptions {
  row: Row;
  palette: AnsiPalette;
  /** Starts and ends in the text, in pairs. */
  matches: readonly number[] | null;
  /** Columns selected by character. */
  chosenFrom: number | null;
  chosenTo: number | null;
  /** Mark places in files, which can be opened. */
  links: boolean;
}

/** The pieces of the whole text, in order; null where nothing in it is marked. */
export function usePieces(options: PiecesOptions): readonly MatchedPiece[] | null {
  const { row, palette, matches, chosenFrom, chosenTo } = options;
  const highlights = useHighlights(row.text);
  return useMemo(() => {
    const isMarked = matches !== null && matches.length > 0;
    const links = options.links ? fileLinks(row.text) : [];
    const isTinted = (highlights?.length ?? 0) > 0;
    const isPlain = !row.runs && !isMarked && !isTinted && chosenFrom === null && links.length === 0;
    if (isPlain) return null;
    const plain = plainPieces(row, palette, matches ?? []);
    const tinted = highlights?.length ? tintPieces(plain, highlights) : plain;
    const chosen = chosenFrom === null ? tinted : choosePieces(tinted, chosenFrom, chosenTo ?? chosenFrom);
    return linkPieces(chosen, links);
  }, [row, palette, matches, highlights, chosenFrom, chosenTo, options.links]);
}

export function plainPieces(row: Row, palette: AnsiPalette, matches: readonly number[] = []): MatchedPiece[] {
  return matchPieces(piecesOf(inOrder(row.text), row.runs ?? [], palette), matches);
}
