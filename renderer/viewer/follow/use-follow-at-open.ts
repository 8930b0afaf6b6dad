/** Follows a running command by itself when its end is in view as it is opened. Decides once. */
import { useEffect, useRef } from 'react';
import type { Scroll } from '../scrolling/scroll.ts';
import { comparePositions, endPosition } from '../scrolling/scroll-window.ts';

export function useFollowAtOpen(options: {
  scroll: Scroll;
  isRunning: boolean;
  /** Its lines are counted, and the view is at the line it was opened at. */
  isSettled: boolean;
  /** Something is known of it: its rows, or that it has none yet. */
  isKnown: boolean;
  isFollowing: boolean;
  follow: () => void;
}): void {
  const { scroll, isSettled, isKnown } = options;
  const isDecided = useRef(false);
  /** True when the first look saw the end. More lines may come before all are counted, many screens at once. */
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
    // Nothing has come yet, or nothing is drawn yet.
    return scroll.view.subscribe(decide);
  }, [scroll, isSettled]);
}
