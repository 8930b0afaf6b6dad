/** Draws a row's text: a program's colours, matches, the selection, highlights and links. */

import { Fragment, type ReactNode, useMemo } from 'react';
import type { Row } from '../../../shared/api/rows.ts';
import { inOrder } from '../../../shared/text/escape.ts';
import { fileLinks } from '../../../shared/text/file-links.ts';
import { formatCount } from '../../../shared/text/format.ts';
import { Icon } from '../../ui/text/Icon.tsx';
import tints from '../highlight/HighlightersDialog.module.css';
import { tintOf, useHighlights } from '../highlight/text-highlights.tsx';
import { type AnsiPalette, piecesOf } from './ansi.ts';
import { type Cell, type JsonLayout, matchElsewhere, piecesOfFragment, UNFOLD_KEY } from './json-layout.ts';
import type { LineFragment } from './json-lines.ts';
import {
  choosePieces,
  type DeepMatch,
  linesOfPieces,
  linkPieces,
  type MatchedPiece,
  matchPieces,
  tintPieces,
} from './pieces.ts';
import styles from './RowText.module.css';

interface RowTextProps extends PiecesOptions {
  /** Whether it is the line of the current match. */
  current: boolean;
  /** Start of each screen line after the first. */
  breaks: readonly number[];
}

export function RowText(props: RowTextProps) {
  const { row, palette, current, breaks } = props;
  const pieces = usePieces(props);
  const lines = useMemo(() => {
    if (!pieces && breaks.length === 0) return null;
    return linesOfPieces(pieces ?? plainPieces(row, palette), breaks);
  }, [row, palette, pieces, breaks]);
  if (!lines) return inParts(inOrder(row.text));
  return lines.map((pieces, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
    <Fragment key={index}>
      {index > 0 && <br />}
      <Pieces pieces={pieces} current={current} />
    </Fragment>
  ));
}

/** The browser draws a text node as a whole, however little of it is in view: a long text is several. */
const PART_CHARS = 1000;

function inParts(text: string): ReactNode {
  if (text.length <= 2000) return text;
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += PART_CHARS) parts.push(text.slice(at, at + PART_CHARS));
  return parts;
}

/** Shows a match beyond the shown part of its line, with the text around it. */
export function DeepMatchText({ deep, current }: { deep: DeepMatch; current: boolean }) {
  return (
    <span data-deep="">
      <span className={styles.column}>column {formatCount(deep.column)}</span>
      {inOrder(deep.before)}
      <mark className={`${styles.match} ${styles.start} ${styles.end} ${current ? styles.current : ''}`}>
        {inOrder(deep.match)}
      </mark>
      {inOrder(deep.after)}
    </span>
  );
}

/** Draws the pieces of a text: matches, selection, highlights, links, and a program's colours. */
const LINK_TITLE = 'Ctrl+click opens it in the editor';

/** @param current whether it is the line of the current match */
function Pieces({ pieces, current }: { pieces: readonly MatchedPiece[]; current: boolean }) {
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
      <mark
        className={[tints.tint, ...stylesOf(piece)].join(' ')}
        style={tintOf(piece.colour)}
        data-link={link}
      >
        {piece.text}
      </mark>
    );
  }
  if (piece.classes.length === 0 && piece.style === null && link === undefined) return piece.text;
  const classes = [...stylesOf(piece), link !== undefined && styles.link];
  // One of the sixteen colours of a terminal: fg0 to fg15.
  const ansi = piece.classes.find((name) => name.startsWith('fg'))?.slice(2);
  const style = ansi === undefined ? piece.style : { color: `var(--ansi-${ansi})` };
  return (
    <span
      className={classes.filter(Boolean).join(' ')}
      data-link={link}
      title={link === undefined ? undefined : LINK_TITLE}
      {...(style ? { style } : {})}
    >
      {piece.text}
    </span>
  );
}

/** The classes of bold text and the like. Marks and highlights have colours of their own. */
const stylesOf = ({ classes }: MatchedPiece) => classes.flatMap((name) => styles[name] ?? []);

/**
 * Returns the class of a mark, which has its own colours so that any text on it is readable; bold and the like stay.
 */
function markClass(piece: MatchedPiece, current: boolean): string {
  const { start, end, chosen } = piece;
  return [
    styles.match,
    start && styles.start,
    end && styles.end,
    current && styles.current,
    chosen && styles.chosen,
    ...stylesOf(piece),
  ]
    .filter(Boolean)
    .join(' ');
}

/** Cuts a row's text into pieces: colours, matches, highlights, selection and links. */
interface PiecesOptions {
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
function usePieces(options: PiecesOptions): readonly MatchedPiece[] | null {
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

function plainPieces(row: Row, palette: AnsiPalette, matches: readonly number[] = []): MatchedPiece[] {
  return matchPieces(piecesOf(inOrder(row.text), row.runs ?? [], palette), matches);
}

interface JsonTextProps extends PiecesOptions {
  layout: JsonLayout;
  /** Whether it is the line of the current match. */
  current: boolean;
}

/** Draws a JSON line as its message and fields, and its unfolded fields below. */
export function JsonText(props: JsonTextProps) {
  const { layout, current } = props;
  const pieces = usePieces(props);
  return (
    <>
      {layout.cells ? (
        layout.cells.map((cell) => <CellText key={cell.name} cell={cell} pieces={pieces} current={current} />)
      ) : (
        <span className={layout.hasMessage ? styles.folded : undefined}>
          <Lines lines={layout.folded} pieces={pieces} current={current} />
        </span>
      )}
      {layout.unfolded && (
        <span className={styles.block} data-unfolded="">
          <Lines lines={layout.unfolded} pieces={pieces} current={current} />
        </span>
      )}
    </>
  );
}

/** Names the field and the match that no column of the row shows, at the right of the view. */
export function ElsewhereText({ row, layout, matches, current }: ElsewhereProps) {
  const found = useMemo(() => matchElsewhere(row, layout, matches), [row, layout, matches]);
  if (!found) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows are placed one by one, which a table's own can't be
    <span className={styles.elsewhere} role="cell" data-elsewhere="">
      <span className={styles.elsewhereWords} title="A match that no column shows: unfold the line to see it">
        {found.field ?? 'in the line'}{' '}
        <mark className={`${styles.match} ${styles.start} ${styles.end} ${current ? styles.current : ''}`}>
          {found.text}
        </mark>
        {found.more > 0 && ` +${found.more}`}
      </span>
    </span>
  );
}

interface ElsewhereProps {
  row: Row;
  layout: JsonLayout;
  matches: readonly number[];
  current: boolean;
}

/** A field in its column, with a button that shows only the lines with its value. */
function CellText({ cell: { name, width, isFigure, fragments }, ...drawn }: CellTextProps) {
  return (
    <span
      className={isFigure ? `${styles.cell} ${styles.figure}` : styles.cell}
      data-column={name}
      style={width === null ? undefined : { width: `${width}ch` }}
    >
      <Lines lines={[fragments]} {...drawn} />
      {fragments.length > 0 && (
        <button
          type="button"
          className={styles.only}
          // Not a tab stop, as every value would be one; the palette does the same.
          tabIndex={-1}
          aria-label={`Show only lines with this ${name}`}
          title={`Show only lines with this ${name}`}
          data-only={name}
        >
          <Icon name="filter" />
        </button>
      )}
    </span>
  );
}

interface CellTextProps extends Omit<LinesProps, 'lines'> {
  cell: Cell;
}

interface LinesProps {
  lines: readonly (readonly LineFragment[])[];
  pieces: readonly MatchedPiece[] | null;
  current: boolean;
}

function Lines({ lines, pieces, current }: LinesProps): ReactNode {
  return lines.map((fragments, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
    <Fragment key={index}>
      {index > 0 && <br />}
      {fragments.map((fragment, place) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: fragments have no identity but their place
          key={place}
          className={styles[fragment.look]}
          data-from={fragment.from}
          data-to={fragment.to}
          data-exact={fragment.isExact ? '' : undefined}
        >
          <Pieces pieces={piecesOfFragment(fragment, pieces)} current={current} />
        </span>
      ))}
    </Fragment>
  ));
}

/** Unfolds a JSON line below it, or folds it again. */
interface FoldButtonProps {
  line: number;
  isUnfolded: boolean;
  /** Null for a button that only shows the state. */
  onUnfold: ((line: number) => void) | null;
}

export function FoldButton({ line, isUnfolded, onUnfold }: FoldButtonProps) {
  if (!onUnfold) return null;
  const does = isUnfolded ? 'Fold' : 'Unfold';
  return (
    <button
      type="button"
      className={styles.fold}
      // Not a tab stop, as every row would be one; a key does the same.
      tabIndex={-1}
      aria-expanded={isUnfolded}
      aria-label={`${does} line ${line}`}
      title={`${does} (${UNFOLD_KEY})`}
      onClick={() => onUnfold(line)}
    >
      <svg width="8" height="8" viewBox="0 0 8 8" aria-hidden="true">
        <path d={isUnfolded ? 'M0 2h8L4 7z' : 'M2 0v8l5-4z'} fill="currentColor" />
      </svg>
    </button>
  );
}
