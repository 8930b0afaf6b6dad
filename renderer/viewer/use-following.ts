/**
 * Follows the text of an open document while it grows: stays at its end. Scrolling up pauses, scrolling back to the end
 * resumes. The view moves only to fetched rows: otherwise, at 100,000 lines a second, it would be blank most of the time.
 */

import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Opened } from './document/open-document.ts';
import { isFetched, type RowSpan, type RowsView } from './document/rows-view.ts';
import {
  afterMove,
  type Following,
  followState,
  goalOf,
  isAnyUnread,
  NOTHING_READ,
  type TextExtent,
  unreadSince,
} from './following.ts';
import { comparePositions, endPosition, type ScrollPosition, wholeRows } from './scrolling/positions.ts';
import type { Scroll } from './scrolling/scroll.ts';
import type { ShownRows } from './use-shown-rows.ts';

interface FollowingOptions extends Pick<ShownRows, 'rows' | 'tail' | 'counted' | 'pending'> {
  opened: Opened;
  scroll: Scroll;
  /** Whether only lines that pass a filter are shown. */
  isFiltered: boolean;
  initially: Following | undefined;
}

export function useFollowing(options: FollowingOptions) {
  const { opened, scroll, rows, tail, counted, pending, isFiltered, initially } = options;
  const { document, snapshot } = opened;
  const { state, total } = snapshot;
  const isCounted = counted && !tail;
  const follow = useFollow(
    scroll,
    rows,
    { lines: isCounted ? (isFiltered ? rows.count : total) : null, bytes: state?.total_bytes ?? 0 },
    snapshot,
    { opening: document, generation: state?.generation ?? null },
    initially,
  );
  const { following, unread } = follow;
  useStayAtEnd(scroll, following);
  useFollowAtOpen({
    scroll,
    isRunning: state?.artifact.status === 'running',
    isSettled: isCounted && pending === null,
    isKnown: total > 0 || state?.total_bytes === 0,
    isFollowing: following === 'on',
    follow: follow.toggle,
  });
  return { ...follow, state: followState(following, state?.artifact, isAnyUnread(unread)) };
}

/**
 * Stays at the end while the text grows. Scrolling up pauses, scrolling back to the end resumes. The view moves only to
 * fetched rows: otherwise, at 100,000 lines a second, it would be blank most of the time.
 */
const TOP: ScrollPosition = { row: 0, px: 0 };

/**
 * @param extent of the whole text, even if only a range is shown
 * @param version changes whenever rows were fetched
 * @param text the followed text; a restarted host may number its generations anew, so it includes the opening
 */
export function useFollow(
  scroll: Scroll,
  rows: RowsView,
  extent: TextExtent,
  version: unknown,
  text: { opening: unknown; generation: number | null },
  initially: Following = 'off',
) {
  const [following, setFollowing] = useState(initially);
  /** The extent of the text when following was paused; null until it is known. */
  const [read, setRead] = useState(initially === 'paused' ? null : NOTHING_READ);
  if (read === null && extent.lines) setRead(extent);
  /** The lowest position that following scrolled to; only a reader scrolls back above it. */
  const reached = useRef(TOP);
  const latest = useRef({ extent, following, read });
  latest.current = { extent, following, read };

  // A new text: following has not scrolled yet, and nothing was read.
  const { opening, generation } = text;
  const known = useRef(text);
  useLayoutEffect(() => {
    reached.current = TOP;
    const last = known.current;
    const isNew = last.generation !== null && last.generation !== generation;
    if (last.opening === opening && isNew) setRead(NOTHING_READ);
    known.current = { opening, generation };
  }, [opening, generation]);

  const ahead = useScrollToEnd(scroll, rows, following, version, reached);

  const { view } = scroll;
  useEffect(() => {
    let before = view.get();
    return view.subscribe(() => {
      const now = view.get();
      const { following, extent, read } = latest.current;
      // The end of lines that are still being counted is not the end.
      if (read === null) {
        before = now;
        return;
      }
      const next = afterMove(following, before, now, reached.current);
      // Fewer rows: a new text, or a range of this one.
      if (now.total < before.total) reached.current = TOP;
      const isShownAnew = now.height !== before.height || now.heights !== before.heights;
      if (isShownAnew && comparePositions(now.position, reached.current) < 0) reached.current = now.position;
      before = now;
      if (next === following) return;
      setFollowing(next);
      if (next === 'paused') setRead(extent);
    });
  }, [view]);

  const toggle = useCallback(() => {
    reached.current = TOP;
    setFollowing((now) => (now === 'on' ? 'off' : 'on'));
  }, []);
  /** Resumes if paused. Needed when the view is already at the end, so that no scrolling resumes. */
  const resume = useCallback(() => {
    if (latest.current.following !== 'paused') return;
    reached.current = TOP;
    setFollowing('on');
  }, []);
  /** Pauses when going to a line, so that the view stays there even if the end was never in view. */
  const pause = useCallback(() => {
    if (latest.current.following !== 'on') return;
    setFollowing('paused');
    setRead(latest.current.extent);
  }, []);
  const unread = following === 'paused' && read ? unreadSince(read, extent) : NOTHING_READ;
  return { following, unread, toggle, resume, pause, ahead };
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

/** Starts following a running command if its end is in view when it is opened. Decides once. */
export function useFollowAtOpen(options: {
  scroll: Scroll;
  isRunning: boolean;
  /** Whether its lines are counted, and the view is at the line it was opened at. */
  isSettled: boolean;
  /** Whether its rows are known, or that it has none yet. */
  isKnown: boolean;
  isFollowing: boolean;
  follow: () => void;
}): void {
  const { scroll, isSettled, isKnown } = options;
  const isDecided = useRef(false);
  /** Whether the end was in view at first. Many screens of lines may arrive before all are counted. */
  const beganAtEnd = useRef<boolean | null>(null);
  const latest = useRef(options);
  latest.current = options;
  useEffect(() => {
    if (!isKnown || beganAtEnd.current !== null) return;
    const look = () => {
      const { position, total, height, heights } = scroll.view.get();
      if (beganAtEnd.current !== null || height === 0) return;
      beganAtEnd.current = comparePositions(position, endPosition(total, height, heights)) >= 0;
    };
    look();
    return scroll.view.subscribe(look);
  }, [scroll, isKnown]);
  useEffect(() => {
    if (!isSettled || isDecided.current) return;
    const decide = () => {
      const { position, total, height, heights } = scroll.view.get();
      if (isDecided.current || total === 0 || height === 0) return;
      isDecided.current = true;
      const { isRunning, isFollowing, follow } = latest.current;
      const isAtEnd = comparePositions(position, endPosition(total, height, heights)) >= 0;
      if (isRunning && (isAtEnd || beganAtEnd.current) && !isFollowing) follow();
    };
    decide();
    // Nothing has arrived or been drawn yet.
    return scroll.view.subscribe(decide);
  }, [scroll, isSettled]);
}

/** While following, keeps the last lines in view when a bar above the text or the results below it take space. */
export function useStayAtEnd(scroll: Scroll, following: Following): void {
  const { view } = scroll;
  useEffect(() => {
    if (following !== 'on') return;
    let before = view.get();
    return view.subscribe(() => {
      const { total, height, position, heights } = before;
      before = view.get();
      const wasAtEnd = comparePositions(position, endPosition(total, height, heights)) >= 0;
      // Go to the end of the rows known before: newer ones may not be fetched yet.
      if (wasAtEnd && before.height < height)
        scroll.moveTo(endPosition(total, before.height, before.heights), 'layout');
    });
  }, [following, scroll, view]);
}
