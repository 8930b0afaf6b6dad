/**
 * Brings the match one went to into view: its line is there already, the match may be far to the right, or many lines
 * down where the line wraps.
 */
import { useEffect, useRef } from 'react';
import type { Viewer } from '../../viewer/use-viewer.ts';
import type { Search } from '../use-search.ts';

const MARGIN_PX = 40;

export function useMatchInView({ scroller, pending }: Viewer, { current }: Search): void {
  const shown = useRef(current);
  // Once for each: who then scrolls away is left alone. Marks and the rows they are in may come one after the other.
  useEffect(() => {
    const view = scroller.current;
    if (!current || !view || shown.current === current || pending) return;
    const mark = view.querySelector('[data-current] mark');
    const gutter = view.querySelector('[data-current] [data-gutter]');
    if (!mark || !gutter) return;
    shown.current = current;
    const box = mark.getBoundingClientRect();
    const left = gutter.getBoundingClientRect().right;
    const { right, top, bottom } = view.getBoundingClientRect();
    const down = box.top < top ? box.top - top - MARGIN_PX : Math.max(0, box.bottom - bottom + MARGIN_PX);
    if (down !== 0 && (box.top < top || box.bottom > bottom))
      view.scrollBy({ top: down, behavior: 'instant' });
    if (box.left >= left && box.right <= right) return;
    const wide = box.width > right - left - MARGIN_PX;
    const by = box.left < left || wide ? box.left - left - MARGIN_PX : box.right - right + MARGIN_PX;
    view.scrollBy({ left: by, behavior: 'instant' });
  });
}
