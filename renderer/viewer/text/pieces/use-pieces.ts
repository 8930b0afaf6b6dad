/** Cuts a row's text into pieces: colours, matches, highlights, selection and links. */
import { useMemo } from 'react';
import type { Row } from '../../../../shared/api/rows.ts';
import { inOrder } from '../../../../shared/text/escape.ts';
import { fileLinks } from '../../../../shared/text/file-links.ts';
import { useHighlights } from '../../../highlight/use-highlights.ts';
import { type AnsiPalette, piecesOf } from '../ansi.ts';
import { choosePieces, linkPieces, type MatchedPiece, matchPieces, tintPieces } from './match-pieces.ts';

export interface PiecesOptions {
  row: Row;
  palette: AnsiPalette;
  /** Pairs of start and end in the text. */
  matches: readonly number[] | null;
  /** Columns selected by character. */
  chosenFrom: number | null;
  chosenTo: number | null;
  /** The selected parts, if they are not one: pairs of start and end. */
  chosenSpans: readonly number[] | null;
  /** Mark links to files. */
  links: boolean;
}

/** Returns the pieces of the whole text, in order; null if nothing in it is marked. */
export function usePieces(options: PiecesOptions): readonly MatchedPiece[] | null {
  const { row, palette, matches, chosenFrom, chosenTo, chosenSpans } = options;
  const highlights = useHighlights(row.text);
  return useMemo(() => {
    const isMarked = matches !== null && matches.length > 0;
    const links = options.links ? fileLinks(row.text) : [];
    const isTinted = (highlights?.length ?? 0) > 0;
    const isPlain = !row.runs && !isMarked && !isTinted && chosenFrom === null && links.length === 0;
    if (isPlain) return null;
    const plain = plainPieces(row, palette, matches ?? []);
    const tinted = highlights?.length ? tintPieces(plain, highlights) : plain;
    const spans = chosenSpans ?? (chosenFrom === null ? [] : [chosenFrom, chosenTo ?? chosenFrom]);
    let chosen: readonly MatchedPiece[] = tinted;
    for (let at = 0; at < spans.length; at += 2) chosen = choosePieces(chosen, spans[at]!, spans[at + 1]!);
    return linkPieces(chosen, links);
  }, [row, palette, matches, highlights, chosenFrom, chosenTo, chosenSpans, options.links]);
}

export function plainPieces(row: Row, palette: AnsiPalette, matches: readonly number[] = []): MatchedPiece[] {
  return matchPieces(piecesOf(inOrder(row.text), row.runs ?? [], palette), matches);
}
