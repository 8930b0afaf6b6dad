/** While the end is followed, a bar that comes above the text, or results below it, must not hide the last lines. */
import { useEffect } from 'react';
import type { Scroll } from '../scrolling/scroll.ts';
import { comparePlaces, lastPlace } from '../scrolling/scroll-window.ts';
import type { Following } from './following.ts';

export function useStayAtEnd(scroll: Scroll, following: Following): void {
  const { view, moveTo } = scroll;
  useEffect(() => {
    if (following !== 'on') return;
    let before = view.get();
    return view.subscribe(() => {
      const { total, height, place } = before;
      before = view.get();
      const wasAtEnd = comparePlaces(place, lastPlace(total, height)) >= 0;
      // To the rows that there were: whether those that came meanwhile are here yet is not known.
      // The height may also be found to be another while a commit is under way, when nothing can be flushed.
      if (wasAtEnd && before.height < height) moveTo(lastPlace(total, before.height), 'layout');
    });
  }, [following, view, moveTo]);
}
