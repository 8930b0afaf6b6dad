/**
 * Follows the text of an open document while it grows: stays at its end. Scrolling up pauses, scrolling back to the end
 * resumes. The view moves only to fetched rows: otherwise, at 100,000 lines a second, it would be blank most of the time.
 */

import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useSteady } from '../ui/state/use-steady.ts';
import type { Opened } from './document/open-document.ts';
import { isFetched, type RowSpan, type RowsView } from './document/rows-view.ts';
import {
  comparePositions,
  endPosition,
  isAtEnd,
  type Scroll,
  type ScrollPosition,
  wholeRows,
} from './scrolling/positions.ts';
import type { ShownRows } from './use-shown-rows.ts';
import {
  afterMove,
  type Following,
  followState,
  goalOf,
  isAnyUnread,
  NOTHING_READ,
  unreadSince,
} from './view-state.ts';

interface FollowingOptions {
  opened: Opened;
  shown: ShownRows;
  scroll: Scroll;
  /** Whether only lines that pass a filter are shown. */
  isFiltered: boolean;
  initially: Following | undefined;
}

const TOP: ScrollPosition = { row: 0, px: 0 };

export function useFollowing({ opened, shown, scroll, isFiltered, initially = 'off' }: FollowingOptions) {
  const { document, snapshot } = opened;
  const { state, total } = snapshot;
  const { rows, tail, pending } = shown;
  const isCounted = shown.counted && !tail;
  /** The extent of the whole text, even if only a range is shown. */
  const extent = {
    lines: isCounted ? (isFiltered ? rows.count : total) : null,
    bytes: state?.total_bytes ?? 0,
  };
  const [following, setFollowing] = useState(initially);
  /** The extent of the text when following was paused; null until it is known. */
  const [read, setRead] = useState(initially === 'paused' ? null : NOTHING_READ);
  if (read === null && extent.lines) setRead(extent);
  /** The lowest position that following scrolled to; only a reader scrolls back above it. */
  const reached = useRef(TOP);
  const latest = useRef({ extent, following, read });
  latest.current = { extent, following, read };

  // A new text: following has not scrolled yet, and nothing was read. A restarted host may number its generations anew.
  const generation = state?.generation ?? null;
  const known = useRef({ document, generation });
  useLayoutEffect(() => {
    reached.current = TOP;
    const last = known.current;
    const isNew = last.generation !== null && last.generation !== generation;
    if (last.document === document && isNew) setRead(NOTHING_READ);
    known.current = { document, generation };
  }, [document, generation]);

  const ahead = useScrollToEnd(scroll, rows, following, snapshot, reached);

  const { view } = scroll;
  useEffect(() => {
    let before = view.get();
    return view.subscribe(() => {
      const now = view.get();
      const last = before;
      before = now;
      const { following, extent, read } = latest.current;
      // The end of lines that are still being counted is not the end.
      if (read === null) return;
      const next = afterMove(following, last, now, reached.current);
      // Fewer rows: a new text, or a range of this one.
      if (now.total < last.total) reached.current = TOP;
      const isShownAnew = now.height !== last.height || now.heights !== last.heights;
      if (isShownAnew && comparePositions(now.position, reached.current) < 0) reached.current = now.position;
      if (next !== following) setFollowing(next);
      if (next !== following && next === 'paused') setRead(extent);
      // Keep the last lines in view when a bar above the text or the results below it take space. Go to the end of the
      // rows known before: newer ones may not be fetched yet.
      if (following === 'on' && isAtEnd(last) && now.height < last.height)
        scroll.moveTo(endPosition(last.total, now.height, now.heights), 'layout');
    });
  }, [scroll, view]);

  const toggle = () => {
    reached.current = TOP;
    setFollowing((now) => (now === 'on' ? 'off' : 'on'));
  };
  useFollowAtOpen({
    scroll,
    isSettled: isCounted && pending === null,
    isKnown: total > 0 || state?.total_bytes === 0,
    follow: () => state?.artifact.status === 'running' && following !== 'on' && toggle(),
  });

  const unread = following === 'paused' && read ? unreadSince(read, extent) : NOTHING_READ;
  return useSteady({
    following,
    state: followState(following, state?.artifact, isAnyUnread(unread)),
    unread,
    /** Rows to fetch before the view can move to the end. */
    ahead,
    toggle,
    /** Resumes if paused. Needed when the view is already at the end, so that no scrolling resumes. */
    resume: () => {
      if (following !== 'paused') return;
      reached.current = TOP;
      setFollowing('on');
    },
    /** Pauses when going to a line, so that the view stays there even if the end was never in view. */
    pause: () => {
      if (following !== 'on') return;
      setFollowing('paused');
      setRead(extent);
    },
  });
}

/** Scrolls to the end whenever its rows are fetched. Returns the rows to fetch before the view can move there. */
function useScrollToEnd(
  scroll: Scroll,
  rows: RowsView,
  following: Following,
  version: unknown,
  reached: { current: ScrollPosition },
): RowSpan | null {
  /**
   * The number of rows at the last goal; null at the end. Decided during rendering, as a second render for each growth,
   * ten times a second, would cost as much as the rows.
   */
  const goal = useRef<number | null>(null);
  const { view, moveTo } = scroll;
  const { count } = rows;
  const decide = () => {
    const lastScreen = count - wholeRows(view.get().height) - 1;
    goal.current = goalOf(goal.current, view.get(), count, isFetched(rows, lastScreen, count - 1));
  };
  if (following === 'on') decide();
  else goal.current = null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version may hold the missing rows
  useLayoutEffect(() => {
    if (following !== 'on') return;
    // Rendering may have changed the view.
    decide();
    if (goal.current !== null) {
      const { height, heights } = view.get();
      const end = endPosition(goal.current, height, heights);
      if (isFetched(rows, end.row, goal.current - 1)) {
        reached.current = end;
        goal.current = goal.current < count ? count : null;
        moveTo(end, 'growth');
      }
    } else reached.current = view.get().position;
  }, [following, rows, count, version]);
  // Runs before the effects that fetch the rows in view, as those cancel requests for rows that are not wanted.
  useLayoutEffect(() => {
    if (following !== 'on') return;
    rows.follow(wholeRows(view.get().height) + 1);
    return () => rows.follow(0);
  }, [rows, following, view]);
  if (goal.current === null) return null;
  return { first: Math.max(0, goal.current - wholeRows(view.get().height) - 1), last: goal.current - 1 };
}

interface AtOpenOptions {
  scroll: Scroll;
  /** Whether its lines are counted, and the view is at the line it was opened at. */
  isSettled: boolean;
  /** Whether its rows are known, or that it has none yet. */
  isKnown: boolean;
  /** Follows a running command. */
  follow: () => void;
}

/** Starts following if the end is in view when a text is opened. Decides once. */
function useFollowAtOpen({ scroll, isSettled, isKnown, follow }: AtOpenOptions): void {
  const isDecided = useRef(false);
  /** Whether the end was in view at first. Many screens of lines may arrive before all are counted. */
  const beganAtEnd = useRef<boolean | null>(null);
  const latest = useRef(follow);
  latest.current = follow;
  useEffect(() => {
    if (!isKnown || isDecided.current) return;
    const decide = () => {
      const view = scroll.view.get();
      // An empty text has no height: a message is shown instead. Its end counts as in view.
      if (isDecided.current || (view.height === 0 && view.total > 0)) return;
      beganAtEnd.current ??= isAtEnd(view);
      // Nothing has arrived or been drawn yet.
      if (!isSettled || view.total === 0) return;
      isDecided.current = true;
      if (isAtEnd(view) || beganAtEnd.current) latest.current();
    };
    decide();
    return scroll.view.subscribe(decide);
  }, [scroll, isKnown, isSettled]);
}
