/** A row's text in its colours, with what a search found marked. */
import { Fragment, useMemo } from 'react';
import type { Row } from '../../../shared/api/rows.ts';
import { inOrder } from '../../../shared/text/escape.ts';
import { fileLinks } from '../../../shared/text/file-links.ts';
import colours from '../../highlight/colours.module.css';
import { useHighlights } from '../../highlight/use-highlights.ts';
import ansi from './Ansi.module.css';
import { type AnsiPalette, piecesOf } from './ansi.ts';
import { choosePieces, linesOfPieces, linkPieces, type Marked, markPieces } from './mark-pieces.ts';
import styles from './RowText.module.css';
import { tintPieces } from './tint-pieces.ts';

const LINK_TITLE = 'Ctrl+click opens it in the editor';

interface RowTextProps {
  row: Row;
  palette: AnsiPalette;
  /** Starts and ends in the text, in pairs. */
  matches: readonly number[] | null;
  /** The matches are of the current match's line. */
  current: boolean;
  /** Columns selected by character. */
  chosenFrom: number | null;
  chosenTo: number | null;
  /** Where the second and the following lines of the screen begin. */
  breaks: readonly number[];
  /** Mark places in files, which can be opened. */
  links: boolean;
}

export function RowText(props: RowTextProps) {
  const { row, palette, matches, current, chosenFrom, chosenTo, breaks } = props;
  const highlights = useHighlights(row.text);
  const lines = useMemo(() => {
    const isMarked = matches !== null && matches.length > 0;
    const links = props.links ? fileLinks(row.text) : [];
    const isTinted = (highlights?.length ?? 0) > 0;
    const isPlain = !row.runs && !isMarked && !isTinted && chosenFrom === null && links.length === 0;
    if (isPlain && breaks.length === 0) return null;
    const plain = markPieces(piecesOf(inOrder(row.text), row.runs ?? [], palette), matches ?? []);
    const marked = highlights?.length ? tintPieces(plain, highlights) : plain;
    const chosen = chosenFrom === null ? marked : choosePieces(marked, chosenFrom, chosenTo ?? chosenFrom);
    return linesOfPieces(linkPieces(chosen, links), breaks);
  }, [row, palette, matches, highlights, chosenFrom, chosenTo, breaks, props.links]);
  if (!lines) return inOrder(row.text);
  return lines.map((pieces, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
    <Fragment key={index}>
      {index > 0 && <br />}
      <Pieces pieces={pieces} current={current} />
    </Fragment>
  ));
}

function Pieces({ pieces, current }: { pieces: readonly Marked[]; current: boolean }) {
  return pieces.map((part, index) =>
    part.mark ? (
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

function PlainPiece({ piece }: { piece: Marked }) {
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

/** As a mark, in the highlighter's colour. */
function tintClass({ classes }: Marked, colour: number): string {
  const kept = classes.filter((name) => !name.startsWith('fg')).map((name) => ansi[name]);
  return [colours[`colour${colour}`], ...kept].filter(Boolean).join(' ');
}

/** A mark has colours of its own, so that any text on it can be read; bold and the like stay. */
function markClass({ classes, start, end, chosen }: Marked, current: boolean): string {
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
