/** Starts following if the end is in view when a command is opened, and keeps the end in view while following. */
import { useEffect, useRef } from 'react';
import type { Scroll } from '../scrolling/scroll.ts';
import { comparePositions, endPosition } from '../scrolling/scroll-window.ts';
import type { Following } from './following.ts';

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
