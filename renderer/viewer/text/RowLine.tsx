// biome-ignore-all lint/a11y/useSemanticElements: rows are placed one by one, which a table's own can't be
// biome-ignore-all lint/a11y/useFocusableInteractive: the keys belong to the scroller around the rows
/** One line: its number, its coloured text, and a button if it is too long to show. */

import { memo, useContext, useMemo } from 'react';
import type { Row } from '../../../shared/api/rows.ts';
import { PIECE_BYTES } from '../../../shared/limits.ts';
import { formatBytes, plural } from '../../../shared/text/format.ts';
import type { Level } from '../../../shared/text/level-words.ts';
import { levelOf } from '../../../shared/text/levels.ts';
import { LINE_HEIGHT_PX } from '../scrolling/positions.ts';
import type { AnsiPalette } from './ansi.ts';
import type { JsonLayout } from './json-layout.ts';
import type { DeepMatch } from './pieces.ts';
import styles from './RowLine.module.css';
import { DeepMatchText, ElsewhereText, FoldButton, JsonText, RowText } from './RowText.tsx';
import { ONE_LINE, type RowLayout } from './row-layouts.ts';
import { OriginNames, originOf } from './wrapping.ts';

/** Shows the piece of a long line before or after the shown one. */
export type ReadOn = (line: number, direction: -1 | 1) => void;

export const READ_ON_KEY = '>';
export const READ_BACK_KEY = '<';
export const FOLD_KEY = '_';

/** Number of colours for merged artifacts; more artifacts reuse them. */
const PART_COLOURS = 8;

/** The colour of an artifact in a merged text, as tokens.css has it. */
export const partColour = (part: number): object => ({ '--part': `var(--part-${part % PART_COLOURS})` });

/** A line that no baseline has; one that has another value; one that only this of two outputs side by side has. */
export type LineNews = 'new' | 'changed' | 'only';
/** `shown`: it was in a reply to an agent; `searched`: only a search or a summary read it. */
export type LineSeen = 'shown' | 'searched';

interface RowLineProps {
  index: number;
  /** Null while unknown; then `label` is shown instead. */
  line: number | null;
  label: string;
  /** Undefined until fetched. */
  row: Row | undefined;
  /** Pixels from the top of the layout. */
  top: number;
  /** Its screen lines; one if absent. */
  layout?: RowLayout;
  /** Text of the time column; null without that column. */
  time?: string | null;
  /** Colour the line by its level. */
  levels?: boolean;
  /** Mark links to files. */
  links?: boolean;
  /** Whether the whole line is selected. */
  selected: boolean;
  /** Columns selected by character; `chosenTo` is infinite if the selection continues below. Null for none. */
  chosenFrom?: number | null;
  chosenTo?: number | null;
  /** The selected parts, if they are not one: pairs of start and end. */
  chosenSpans?: readonly number[] | null;
  /** Matches in the row's text: pairs of start and end. */
  matches?: readonly number[] | null;
  /** A match beyond the shown part. `deepOnly` hides that part. */
  deep?: DeepMatch | null;
  deepOnly?: boolean;
  /** Whether the line matches the search. */
  hit?: boolean;
  /** Whether it is the line of the current match. */
  current?: boolean;
  /** Whether a person marked the line. */
  marked?: boolean | undefined;
  /** What a comparison says of the line. */
  news?: LineNews | null;
  seen?: LineSeen | null;
  /** Lines of the output beside this one that are missing above the line, and below it. */
  missing?: number;
  missingBelow?: number;
  /** Columns at the start of the text that are left out, so that what was found in it is in view. */
  leftOut?: number;
  /** Whether it is a context line. */
  aside?: boolean;
  /** Whether to draw a line above, as lines of the text are left out there. */
  first?: boolean;
  id?: string | undefined;
  palette: AnsiPalette;
  /** Null where long lines are only named. */
  onReadOn: ReadOn | null;
  /** Unfolds or folds a JSON line; null if that is not offered. */
  onUnfold?: ((line: number) => void) | null;
  /** The section that the line begins. */
  section?: SectionFold | null;
}

export interface SectionFold {
  isFolded: boolean;
  /** The number of lines it stands for, if it is a folded repeat and no section. */
  repeats?: number;
  /** Such as `1,204 lines, 2 errors`. */
  words: string;
}

export const RowLine = memo(function RowLine(props: RowLineProps) {
  const { index, line, label, row, top, selected, palette, onReadOn } = props;
  const { matches = null, hit = false, current = false } = props;
  const { chosenFrom = null, chosenTo = null, chosenSpans = null, deep = null, deepOnly = false } = props;
  const { time = null, levels = false, layout = ONE_LINE, leftOut = 0 } = props;
  const isTall = layout.lines > 1;
  const tone = useMemo(() => (levels && row ? toneOf(row, layout.json) : null), [levels, row, layout]);
  const isUnfolded = layout.json?.unfolded != null;
  const origin = originOf(row, useContext(OriginNames));
  const drawn = { palette, links: props.links ?? false, matches, current, chosenFrom, chosenTo, chosenSpans };
  const note = row?.missing ? 'not kept' : null;
  return (
    <div
      id={props.id}
      className={classesOf(props, tone, note)}
      style={{
        top,
        ...(isTall ? { height: layout.lines * LINE_HEIGHT_PX } : {}),
        ...(row?.part === undefined ? {} : partColour(row.part)),
      }}
      role="row"
      aria-rowindex={line ?? undefined}
      aria-selected={selected || undefined}
      data-index={index}
      data-line={line ?? undefined}
      data-fetched={row ? '' : undefined}
      data-hit={hit ? '' : undefined}
      data-marked={props.marked ? '' : undefined}
      data-news={props.news ?? undefined}
      data-seen={props.seen ?? undefined}
      data-current={current ? '' : undefined}
      data-tone={tone ?? undefined}
      data-stream={row?.stream}
      data-part={row?.part}
      data-selected={selected ? '' : undefined}
      data-left-out={leftOut > 0 ? '' : undefined}
    >
      <span className={styles.gutter} role="rowheader" data-gutter="" aria-label={spokenOf(props)}>
        {props.news && (
          <span className={`${styles.news} ${styles[props.news]}`} aria-hidden="true">
            {NEWS[props.news].sign}
          </span>
        )}
        {props.section && (
          <button
            type="button"
            className={styles.chevron}
            // Not a tab stop, as every section would be one; a key does the same.
            tabIndex={-1}
            aria-expanded={!props.section.isFolded}
            aria-label={`${props.section.repeats ? 'Repeats' : 'Section'} at line ${label}`}
            title={`${props.section.isFolded ? 'Unfold' : 'Fold'} ${props.section.words} (${FOLD_KEY})`}
            data-section=""
          >
            <svg width="8" height="8" viewBox="0 0 8 8" aria-hidden="true">
              <path d={props.section.isFolded ? 'M2 0v8l5-4z' : 'M0 2h8L4 7z'} fill="currentColor" />
            </svg>
          </button>
        )}
        {/* A result that is not fetched has no number yet. */}
        {label === '' ? <span className="visually-hidden">not read yet</span> : label}
      </span>
      {(props.missing ?? 0) > 0 && <MissingLines count={props.missing!} />}
      {(props.missingBelow ?? 0) > 0 && <MissingLines count={props.missingBelow!} isBelow />}
      {origin && (
        <span
          className={styles.origin}
          role="cell"
          data-origin=""
          title={`${origin.name}, line ${origin.line}`}
        >
          <span className={styles.name}>{origin.name}</span>:{origin.line}
        </span>
      )}
      {time !== null && (
        <span className={styles.time} role="cell" data-time="">
          {time}
        </span>
      )}
      <span
        className={styles.text}
        style={leftOut > 0 ? { marginLeft: `${-leftOut}ch` } : undefined}
        role="cell"
        data-cell=""
      >
        {note}
        {!isTall && row && <PieceBefore row={row} line={line} onReadOn={onReadOn} />}
        {layout.json && !layout.json.isPlain && line !== null && (
          <FoldButton line={line} isUnfolded={isUnfolded} onUnfold={props.onUnfold ?? null} />
        )}
        {row && !note && !(deep && deepOnly) && (
          <span
            data-text=""
            data-length={layout.json ? row.text.length : undefined}
            className={chosenTo === Number.POSITIVE_INFINITY ? styles.goesOn : undefined}
          >
            {layout.json ? (
              <JsonText layout={layout.json} {...drawn} row={row} />
            ) : (
              <RowText breaks={layout.breaks} {...drawn} row={row} />
            )}
          </span>
        )}
        {isTall && !isUnfolded && row?.clipped && <br />}
        {deep && <DeepMatchText deep={deep} current={current} />}
        {isTall && row && <PieceBefore row={row} line={line} onReadOn={onReadOn} />}
        {row?.clipped && <PieceAfter row={row} line={line} onReadOn={onReadOn} />}
        {props.section?.isFolded && (
          <button type="button" tabIndex={-1} className={styles.more} data-section="">
            {props.section.repeats ? `×${props.section.repeats}` : `${props.section.words} folded`}
          </button>
        )}
      </span>
      {row && layout.json?.cells && matches && (
        <ElsewhereText row={row} layout={layout.json} matches={matches} current={current} />
      )}
    </div>
  );
});

interface PieceButtonProps {
  row: Row;
  line: number | null;
  onReadOn: ReadOn | null;
}

/** Reads back in a long line. No tab stop, as every long line would be one; a key does the same. */
function PieceBefore({ row, line, onReadOn }: PieceButtonProps) {
  if (!row.piece?.start || line === null || !onReadOn) return null;
  return (
    <button
      type="button"
      tabIndex={-1}
      className={styles.more}
      title={`Read back (${READ_BACK_KEY})`}
      onClick={() => onReadOn(line, -1)}
    >
      {formatBytes(row.piece.start)} before, read back
    </button>
  );
}

/** Reads on in a long line, or tells its length. */
function PieceAfter({ row, line, onReadOn }: PieceButtonProps) {
  const { piece, bytes } = row;
  if (piece?.end === bytes) return null;
  const rest = piece ? `… ${formatBytes(bytes - piece.end)} more` : `… ${formatBytes(bytes)} line`;
  // A shorter line is on its way as a whole.
  if (line === null || !onReadOn || bytes <= PIECE_BYTES) return <span className={styles.rest}>{rest}</span>;
  return (
    <button
      type="button"
      tabIndex={-1}
      className={styles.more}
      title={`Read on (${READ_ON_KEY})`}
      onClick={() => onReadOn(line, 1)}
    >
      {rest}, read on
    </button>
  );
}

function classesOf(
  { row, selected, hit, marked, aside, first }: RowLineProps,
  tone: ReturnType<typeof toneOf>,
  note: string | null,
): string {
  const classes = [
    styles.row,
    selected && styles.selected,
    hit && styles.hit,
    marked && styles.marked,
    aside && styles.aside,
    first && styles.first,
    note && styles.note,
    tone && styles[tone],
    row?.stream === 'stderr' && styles.stderr,
  ];
  return classes.filter(Boolean).join(' ');
}

/** Returns what a screen reader says of the line; undefined if that is its label alone. */
function spokenOf(props: RowLineProps): string | undefined {
  const { label, row, hit, marked, news, seen, missing = 0, missingBelow = 0 } = props;
  const facts = [
    news && NEWS[news].spoken,
    hit && 'matches',
    marked && 'marked',
    seen === 'shown' && 'read by an agent',
    row?.stream === 'stderr' && 'stderr',
    missing > 0 && missingWords(missing),
    missingBelow > 0 && missingWords(missingBelow, true),
  ].filter(Boolean);
  return facts.length > 0 ? [label, ...facts].join(', ') : undefined;
}

/** The sign beside the line number, and what a screen reader says. */
const NEWS: Record<LineNews, { sign: string; spoken: string }> = {
  new: { sign: '+', spoken: 'new' },
  changed: { sign: '~', spoken: 'changed' },
  only: { sign: '−', spoken: 'only in this output' },
};

function missingWords(count: number, isBelow = false): string {
  return `${plural(count, 'line')} of the other output missing ${isBelow ? 'below' : 'above'}`;
}

/** A thin mark where the output beside this one has lines that this one has not. */
function MissingLines({ count, isBelow = false }: { count: number; isBelow?: boolean }) {
  return (
    <span
      className={isBelow ? `${styles.missing} ${styles.below}` : styles.missing}
      title={missingWords(count, isBelow)}
      aria-hidden="true"
      data-missing={count}
    />
  );
}

/** The colour of a line by its level. The line also has the level's word, so colour is not the only sign. */
type LineTone = 'failed' | 'warned' | 'quiet';

/** Levels are near the start of a line. */
const LOOK_CHARS = 500;

const TONES: Partial<Record<Level, LineTone>> = {
  fatal: 'failed',
  error: 'failed',
  warn: 'warned',
  debug: 'quiet',
  trace: 'quiet',
};

/** Returns null for other lines. A JSON line's level may be anywhere in it. */
export function toneOf({ text, missing }: Row, json: JsonLayout | null = null): LineTone | null {
  if (missing || text === '') return null;
  const level = json?.level ?? levelOf(text.slice(0, LOOK_CHARS));
  return level === null ? null : (TONES[level] ?? null);
}
