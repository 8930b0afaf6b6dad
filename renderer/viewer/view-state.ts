/** The view of a text, to restore it after another artifact was shown, or from an address. */
import type { Artifact, StreamName } from '../../shared/artifact.ts';
import { formatBytes, plural } from '../../shared/text/format.ts';
import { canGrow } from '../library/artifact-facts.ts';
import type { StreamLine } from './document/open-document.ts';
import type { LineRange } from './document/rows-view.ts';
import {
  comparePositions,
  endPosition,
  isAtEnd,
  type ScrollPosition,
  type Viewport,
} from './scrolling/positions.ts';
import type { Selection } from './selection/selection.ts';

export interface ViewState {
  /** The line at the top of the view; null for the start of the text. */
  line: number | null;
  /** Pixels of that line above the view. */
  px: number;
  range: LineRange | null;
  selection: Selection | null;
  /** Pixels from the top of the view to the end of the selection; absent if it is out of view. */
  selectedAt?: number | undefined;
  following: Following;
  /** The reader's line: the selected one if in view, else the one at the top. */
  current: number | null;
  /** The line of another stream whose corresponding line to show. */
  from?: StreamLine;
}

/** Describes where to open another stream. */
export interface StreamChange {
  /** The stream shown before. */
  from: StreamName | null;
  /** Whether the reader moved since that stream was shown; if not, going back restores the earlier view. */
  moved: boolean;
  view: ViewState;
}

export const START_OF_TEXT: ViewState = {
  line: null,
  px: 0,
  range: null,
  selection: null,
  following: 'off',
  current: null,
};

/** Decides whether to follow the end of the text, and counts what has arrived since following was paused. */
export type Following = 'off' | 'on' | 'paused';

/**
 * Scrolling up pauses, scrolling down to the end resumes. A text that became shorter also moves the view to its end,
 * but does not resume.
 * @param reached the lowest position that following scrolled to; only a reader scrolls back above it
 */
export function afterMove(
  following: Following,
  before: Viewport,
  now: Viewport,
  reached: ScrollPosition,
): Following {
  if (following === 'off') return 'off';
  const atEnd = isAtEnd(now);
  const moved = now.total < before.total ? 0 : comparePositions(now.position, before.position);
  // A higher view shows more lines above the end, wrapped lines fewer; following scrolls to the new end anyway.
  const isShownAnew = now.height !== before.height || now.heights !== before.heights;
  if (following === 'on' && isShownAnew) return 'on';
  // Also compare with the last position, as the rows of the end may take long to arrive.
  const scrolledUp = moved < 0 || comparePositions(now.position, reached) < 0;
  if (following === 'on') return scrolledUp && !atEnd ? 'paused' : 'on';
  return atEnd && moved > 0 ? 'on' : 'paused';
}

/**
 * Returns the number of rows whose end to scroll to; null if the view is at the end.
 * @param last the previous goal. It stays until its rows are fetched, unless the view is already further down: going
 * there would scroll up.
 * @param isEndFetched whether the last screen is fetched
 */
export function goalOf(
  last: number | null,
  view: Viewport,
  count: number,
  isEndFetched: boolean,
): number | null {
  const { position, height, heights } = view;
  const from = (rows: number) => comparePositions(position, endPosition(rows, height, heights));
  if (isEndFetched) return from(count) === 0 ? null : count;
  return last !== null && last <= count && from(last) <= 0 ? last : count;
}

type FollowState = Following | 'ended';

/**
 * Returns the state to show: `ended` for a run that will print no more.
 * @param hasUnread whether unseen lines arrived: then the button to them stays
 */
export function followState(
  following: Following,
  artifact: Artifact | undefined,
  hasUnread: boolean,
): FollowState {
  if (following === 'off' || !artifact || canGrow(artifact)) return following;
  return following === 'paused' && hasUnread ? 'paused' : 'ended';
}

interface TextExtent {
  /** Null while they are being counted. */
  lines: number | null;
  bytes: number;
}

export const NOTHING_READ: TextExtent = { lines: 0, bytes: 0 };

/** Returns the part of the text after `read`; all of it if the text became shorter. */
export function unreadSince(read: TextExtent, now: TextExtent): TextExtent {
  const since = (before: number, after: number) => (after < before ? after : after - before);
  return {
    lines: read.lines === null || now.lines === null ? null : since(read.lines, now.lines),
    bytes: since(read.bytes, now.bytes),
  };
}

export function isAnyUnread({ lines, bytes }: TextExtent): boolean {
  return lines !== 0 && bytes > 0;
}

/** Returns `nothing new`, `1 new line`, `2,000 new lines`, or `1.46 MiB new`. */
export function unreadWords(extent: TextExtent): string {
  const { lines, bytes } = extent;
  if (lines !== null && lines > 0) return plural(lines, 'new line');
  return isAnyUnread(extent) ? `${formatBytes(bytes)} new` : 'nothing new';
}
