/** Follows a running command by itself when it is opened where its end is in view. Decides once. */
import { useEffect, useRef } from 'react';
import type { Scroll } from '../scrolling/scroll.ts';
import { comparePositions, endPosition } from '../scrolling/scroll-window.ts';

export function useFollowAtOpen(options: {
  scroll: Scroll;
  isRunning: boolean;
  /** Its lines are counted, and the view is at the line it was opened at. */
  isSettled: boolean;
  isFollowing: boolean;
  follow: () => void;
}): void {
  const { scroll, isSettled } = options;
  const isDecided = useRef(false);
  const latest = useRef(options);
  latest.current = options;
  useEffect(() => {
    if (!isSettled || isDecided.current) return;
    const decide = () => {
      const { position, total, height, heights } = scroll.view.get();
      if (isDecided.current || total === 0 || height === 0) return;
      isDecided.current = true;
      const { isRunning, isFollowing, follow } = latest.current;
      const isAtEnd = comparePositions(position, endPosition(total, height, heights)) >= 0;
      if (isRunning && isAtEnd && !isFollowing) follow();
    };
    decide();
    // Nothing has come yet, or nothing is drawn yet.
    return scroll.view.subscribe(decide);
  }, [scroll, isSettled]);
}
