/** Draws the pieces of a text: matches, selection, highlights, links, and a program's colours. */
import colours from '../../../highlight/colours.module.css';
import ansi from '../Ansi.module.css';
import styles from '../RowText.module.css';
import type { MatchedPiece } from './match-pieces.ts';

const LINK_TITLE = 'Ctrl+click opens it in the editor';

/** @param current whether it is the line of the current match */
export function Pieces({ pieces, current }: { pieces: readonly MatchedPiece[]; current: boolean }) {
  return pieces.map((part, index) =>
    part.match ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity but their place
      <mark key={index} className={markClass(part, current)} data-link={part.link}>
        {part.text}
      </mark>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity but their place
      <PlainPiece key={index} piece={part} />
    ),
  );
}

function PlainPiece({ piece }: { piece: MatchedPiece }) {
  const { link } = piece;
  if (piece.chosen) {
    return (
      <span className={styles.chosen} data-link={link}>
        {piece.text}
      </span>
    );
  }
  if (piece.colour !== undefined) {
    return (
      <mark className={tintClass(piece, piece.colour)} data-link={link}>
        {piece.text}
      </mark>
    );
  }
  if (piece.classes.length === 0 && piece.style === null && link === undefined) return piece.text;
  const classes = [...piece.classes.map((name) => ansi[name]), link !== undefined && styles.link];
  return (
    <span
      className={classes.filter(Boolean).join(' ')}
      data-link={link}
      title={link === undefined ? undefined : LINK_TITLE}
      {...(piece.style ? { style: piece.style } : {})}
    >
      {piece.text}
    </span>
  );
}

/** Returns the class of a mark in the highlighter's colour. */
function tintClass({ classes }: MatchedPiece, colour: number): string {
  const kept = classes.filter((name) => !name.startsWith('fg')).map((name) => ansi[name]);
  return [colours[`colour${colour}`], ...kept].filter(Boolean).join(' ');
}

/**
 * Returns the class of a mark, which has its own colours so that any text on it is readable; bold and the like stay.
 */
function markClass({ classes, start, end, chosen }: MatchedPiece, current: boolean): string {
  const kept = classes.filter((name) => !name.startsWith('fg')).map((name) => ansi[name]);
  return [
    styles.match,
    start && styles.start,
    end && styles.end,
    current && styles.current,
    chosen && styles.chosen,
    ...kept,
  ]
    .filter(Boolean)
    .join(' ');
}
