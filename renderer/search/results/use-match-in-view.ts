/** Brings the match one went to into view sideways: its line is there already, the match may be far to the right. */
import { useEffect, useRef } from 'react';
import type { RowMarks } from '../../viewer/text/row-marks.ts';
import type { Viewer } from '../../viewer/use-viewer.ts';
import type { Search } from '../use-search.ts';

const MARGIN_PX = 40;

export function useMatchInView(
  { scroller, pending }: Viewer,
  { current }: Search,
  marks: RowMarks | null,
): void {
  const shown = useRef(current);
  // Once for each: who then scrolls away is left alone.
  // biome-ignore lint/correctness/useExhaustiveDependencies: new marks may include the current match
  useEffect(() => {
    const view = scroller.current;
    if (!current || !view || shown.current === current || pending) return;
    const mark = view.querySelector('[data-current] mark');
    const gutter = view.querySelector('[data-current] [data-gutter]');
    if (!mark || !gutter) return;
    shown.current = current;
    const box = mark.getBoundingClientRect();
    const left = gutter.getBoundingClientRect().right;
    const { right } = view.getBoundingClientRect();
    if (box.left >= left && box.right <= right) return;
    const wide = box.width > right - left - MARGIN_PX;
    const by = box.left < left || wide ? box.left - left - MARGIN_PX : box.right - right + MARGIN_PX;
    view.scrollBy({ left: by, behavior: 'instant' });
  }, [scroller, current, pending, marks]);
}
