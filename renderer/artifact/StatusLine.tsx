/** The status line: the lines in view, the selection, following, size and encoding. */

import { memo, useContext, useLayoutEffect, useRef } from 'react';
import type { DocumentState } from '../../shared/api/rows.ts';
import { type Artifact, isMergedId } from '../../shared/artifact.ts';
import { formatBytes, formatCount, formatDuration, plural } from '../../shared/text/format.ts';
import { ActionButton } from '../actions/ActionMenu.tsx';
import { type UndoContext, undoActions } from '../actions/undo.ts';
import { droppedOf } from '../library/artifact-facts.ts';
import { Button, IconButton, OneStop } from '../ui/controls/Button.tsx';
import { type Message, useNow } from '../ui/state/time.ts';
import { formatElapsed, formatPercent } from '../ui/text/format.ts';
import { isCounted } from '../viewer/document/open-document.ts';
import { bottomRow, isInView, topRow, useViewport } from '../viewer/scrolling/positions.ts';
import {
  firstLine,
  isSameSelection,
  lastLine,
  lineCount,
  outerColumns,
  type Selection,
} from '../viewer/selection/selection.ts';
import { OriginNames, originOf } from '../viewer/text/wrapping.ts';
import type { Viewer } from '../viewer/use-viewer.ts';
import { unreadWords } from '../viewer/view-state.ts';
import { viewerActions } from '../viewer/viewer-actions.ts';
import { artifactActions } from './artifact-actions.ts';
import { EncodingMenu, FormatMenu, type Reading } from './reading.tsx';
import styles from './StatusLine.module.css';

interface StatusLineProps {
  label: string;
  viewer: Viewer;
  /** Whether a message replaces the text. */
  blank: boolean;
  message: string | null;
  undoing: UndoContext;
  reading: Reading;
}

export const StatusLine = memo(function StatusLine(props: StatusLineProps) {
  const { label, viewer, blank, message, undoing, reading } = props;
  const { state } = viewer.opened.snapshot;
  const { selection, copy } = viewer;
  return (
    <section className={styles.line} aria-label={label}>
      <OneStop label="Status">
        {blank ? <span className={styles.where} /> : <Where viewer={viewer} />}
        {viewer.range && <Range viewer={viewer} />}
        {selection && !blank && <Selected viewer={viewer} selection={selection} />}
        {selection && (
          <Button
            tone="quiet"
            className={styles.action}
            shortcut={viewerActions.copy.keys[0]!}
            onClick={() => copy.copy(selection)}
          >
            Copy
          </Button>
        )}
        <Waiting viewer={viewer} />
        <span className={styles.message} role="status">
          {message}
        </span>
        {undoing.undo && (
          <ActionButton tone="quiet" className={styles.undo} action={undoActions.undo} context={undoing} />
        )}
        <FollowInfo viewer={viewer} />
        {state && (
          <>
            <Elapsed artifact={state.artifact} className={styles.spare} />
            <NotKept bytes={droppedOf(state.artifact, state.stream)} />
            <span className={styles.spare} title={`${formatCount(state.total_bytes)} bytes`}>
              {formatBytes(state.total_bytes)}
            </span>
            <FormatMenu state={state} reading={reading} />
            <EncodingMenu encoding={state.encoding} reading={reading} />
          </>
        )}
      </OneStop>
    </section>
  );
});

/** Says in every view that some lines were not kept. */
function NotKept({ bytes }: { bytes: number }) {
  if (bytes === 0) return null;
  return (
    <span
      className={`${styles.spare} ${styles.warned}`}
      title="Exceeded maxStreamBytes: lines in the middle were not kept"
    >
      {formatBytes(bytes)} not kept
    </span>
  );
}

/** Shows nothing for a single line in view, which the text at the left names. */
function Selected({ viewer, selection }: { viewer: Viewer; selection: Selection }) {
  const { position, height, heights } = useViewport(viewer.scroll);
  const isLine = lineCount(selection) === 1 && !selection.columns;
  if (isLine && isInView(viewer.rows.rowOf(selection.focus), position, height, heights)) return null;
  return (
    <span className={styles.spare} data-status="selected">
      {selectionWords(selection, viewer.selectedLines)} selected
    </span>
  );
}

/** `line 12`, `3–1,204 (1,202 lines)`, `17 characters`, `parts of 3–5 (3 lines)`. `count`: lines that are shown. */
function selectionWords(selection: Selection, count: number): string {
  const { columns } = selection;
  const first = formatCount(firstLine(selection));
  if (lineCount(selection) === 1) {
    if (!columns) return `line ${first}`;
    if (columns.drawn) return plural(columns.drawn.text.length, 'character');
    const { from, to } = outerColumns(selection);
    return Number.isFinite(to) ? plural(to - from, 'character') : `part of line ${first}`;
  }
  return `${columns ? 'parts of ' : ''}${first}–${formatCount(lastLine(selection))} (${plural(count, 'line')})`;
}

/** Says that the text is followed or complete; or how many lines wait at the end, with a button that goes there. */
function FollowInfo({ viewer }: { viewer: Viewer }) {
  const { followState, unread, toEnd } = viewer;
  if (followState === 'off') return null;
  if (followState === 'ended') return <span>Ended</span>;
  if (followState === 'on') return <span className={styles.following}>Following</span>;
  return (
    <Button
      tone="quiet"
      className={`${styles.action} ${styles.paused}`}
      icon="bottom"
      shortcut={viewerActions.end.keys[0]!}
      title="Go to the end and follow"
      data-status="paused"
      onClick={toEnd}
    >
      Paused, {unreadWords(unread)}
    </Button>
  );
}

/**
 * Shows `Line 1,200 of 50,000` for a single selected line in view, else the lines that are wholly in view: `Lines 1–750
 * of 810, 700 folded`.
 */
function Where({ viewer }: { viewer: Viewer }) {
  const { position, height, heights } = useViewport(viewer.scroll);
  const { snapshot } = viewer.opened;
  const { rows, selection, tail } = viewer;
  const names = useContext(OriginNames);
  if (!snapshot.state) return <span />;
  const total = snapshot.total;
  const counting = progressOf(snapshot.state, isCounted(snapshot));
  /** Returns the artifact of a line in a merged text. */
  const from = (line: number) => {
    const origin = originOf(rows.row(rows.rowOf(line)), names);
    return origin ? `: ${origin.name}, line ${formatCount(origin.line)}` : '';
  };
  const where = () => {
    if (tail) return `The last ${plural(rows.count, 'line')}`;
    const of = `of ${formatCount(total)}`;
    const first = rows.lineOf(0);
    // Browsers scroll to a fraction of a pixel, which cuts no line.
    const whole = { row: position.row, px: Math.round(position.px) };
    const top = rows.lineOf(topRow(whole, height, heights));
    if (rows.count === 0 || first === null || top === null) return plural(total, 'line');
    const line = selection && lineCount(selection) === 1 ? selection.focus : null;
    if (line !== null && isInView(rows.rowOf(line), position, height, heights))
      return `Line ${formatCount(line)} ${of}${from(line)}`;
    const lastRow = bottomRow(whole, rows.count, height, heights);
    const bottom = rows.lineOf(lastRow) ?? top;
    const isFiltered = viewer.hasFilter && viewer.range === null;
    const between = bottom - top - (lastRow - topRow(whole, height, heights));
    const hidden = isFiltered ? total - rows.count : between;
    const notShown = `, ${formatCount(hidden)} ${viewer.hasFilter ? 'hidden by filters' : 'folded'}`;
    return top >= bottom
      ? `Line ${formatCount(top)} ${of}`
      : `Lines ${formatCount(top)}–${formatCount(bottom)} ${of}${hidden > 0 ? notShown : ''}`;
  };
  return (
    <span className={styles.where}>
      {viewer.canGoBack() && (
        <IconButton
          className={styles.action}
          icon="back"
          label="Back to the line before the last jump"
          shortcut={viewerActions.back.keys[0]!}
          onClick={() => viewer.travel(-1)}
        />
      )}
      <span data-status="where">
        {where()}
        {counting}
      </span>
    </span>
  );
}

/** Returns what is still running before the line count is complete. */
function progressOf(state: DocumentState, counted: boolean): string {
  if (state.is_unpacking) return isMergedId(state.artifact.artifact_id) ? ', merging…' : ', unpacking…';
  return counted ? '' : `, counting… ${formatPercent(state.indexed_bytes, state.total_bytes)}`;
}

function Range({ viewer }: { viewer: Viewer }) {
  const { range, showRange } = viewer;
  if (!range) return null;
  return (
    <span className={styles.range} data-status="range">
      {range.start === range.end
        ? `Only line ${formatCount(range.start)}`
        : `Only lines ${formatCount(range.start)}–${formatCount(range.end)}`}
      <IconButton
        className={styles.action}
        icon="close"
        label="Show all lines"
        shortcut={artifactActions.cancel.keys[0]!}
        onClick={() => showRange(null)}
      />
    </span>
  );
}

/** Shows that a line is not counted yet. */
function Waiting({ viewer }: { viewer: Viewer }) {
  const { pending, counted, opened } = viewer;
  const { total, error } = opened.snapshot;
  if (!pending || counted || error || typeof pending.line !== 'number' || pending.line <= total) return null;
  return (
    <span className={styles.range}>
      Going to line {formatCount(pending.line)} when it is counted
      <IconButton
        className={styles.action}
        icon="close"
        label="Don’t wait"
        shortcut={artifactActions.cancel.keys[0]!}
        onClick={viewer.cancel}
      />
    </span>
  );
}

/** Shows how long a command has been running, updated every second, or how long it took. */
function Elapsed({ artifact, className }: { artifact: Artifact; className: string | undefined }) {
  const { status, started_at, duration_ms } = artifact;
  const running = status === 'running';
  const now = useNow(1000, running);
  if (!running)
    return duration_ms === null ? null : (
      <span className={className}>took {formatDuration(duration_ms)}</span>
    );
  const since = Date.parse(started_at ?? '');
  return (
    <span className={className} data-status="running">
      running{Number.isNaN(since) ? '' : ` ${formatElapsed(now - since)}`}
    </span>
  );
}

/**
 * Removes a message when another line or text is selected, as it would read as a statement about that. A message with an
 * undo stays, as what it reports can still be undone.
 */
export function useEndWithSelection(
  message: Message | null,
  clear: (message: Message) => void,
  { selected, pending }: Pick<Viewer, 'selected' | 'pending'>,
): void {
  const about = useRef<About>({ message: null, selected, isGoing: false });
  useLayoutEffect(() => {
    const last = about.current;
    // A message may come before the view arrives at the line that it is about.
    if (last.message !== message || last.isGoing)
      about.current = { message, selected, isGoing: pending !== null };
    else if (message && !message.undo && (pending || !isSameSelection(last.selected, selected)))
      // One that came meanwhile stays.
      clear(message);
  }, [message, selected, pending, clear]);
}

interface About {
  message: Message | null;
  selected: Selection | null;
  /** Whether the view was still going to a line. */
  isGoing: boolean;
}
