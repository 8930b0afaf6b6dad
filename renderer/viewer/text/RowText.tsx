/** A row's text in its colours, with what a search found marked. */
import { useMemo } from 'react';
import type { Row } from '../../../shared/api/rows.ts';
import ansi from './Ansi.module.css';
import { type Palette, type Piece, piecesOf } from './ansi.ts';
import { type Marked, markPieces } from './mark-pieces.ts';
import styles from './RowText.module.css';

interface RowTextProps {
  row: Row;
  palette: Palette;
  /** Starts and ends in the text, in pairs. */
  matches: readonly number[] | null;
  /** They are of the match that the search is at. */
  current: boolean;
}

export function RowText({ row, palette, matches, current }: RowTextProps) {
  const parts = useMemo(() => {
    const marked = matches !== null && matches.length > 0;
    if (!row.runs && !marked) return null;
    return markPieces(piecesOf(row.text, row.runs ?? [], palette), matches ?? []);
  }, [row, palette, matches]);
  if (!parts) return row.text;
  return parts.map((part, index) =>
    part.mark ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity but their place
      <mark key={index} className={markClass(part, current)}>
        {part.text}
      </mark>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity but their place
      <PlainPiece key={index} piece={part} />
    ),
  );
}

function PlainPiece({ piece }: { piece: Piece }) {
  if (piece.classes.length === 0 && piece.style === null) return piece.text;
  return (
    <span
      className={piece.classes.map((name) => ansi[name]).join(' ')}
      {...(piece.style ? { style: piece.style } : {})}
    >
      {piece.text}
    </span>
  );
}

/** A mark has colours of its own, so that any text on it can be read; bold and the like stay. */
function markClass({ classes, start, end }: Marked, current: boolean): string {
  const kept = classes.filter((name) => !name.startsWith('fg')).map((name) => ansi[name]);
  return [styles.match, start && styles.start, end && styles.end, current && styles.current, ...kept]
    .filter(Boolean)
    .join(' ');
}
