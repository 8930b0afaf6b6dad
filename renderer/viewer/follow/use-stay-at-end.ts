/** While following, keeps the last lines in view when a bar above the text or the results below it take space. */
import { useEffect } from 'react';
import type { Scroll } from '../scrolling/scroll.ts';
import { comparePositions, endPosition } from '../scrolling/scroll-window.ts';
import type { Following } from './following.ts';

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
