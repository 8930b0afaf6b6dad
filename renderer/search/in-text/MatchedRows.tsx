/** The text with what a search found in it. On its own, so that scrolling draws nothing else anew. */
import { type ComponentProps, useDeferredValue, useEffect, useRef, useState } from 'react';
import { Rows } from '../../viewer/text/Rows.tsx';
import type { Viewer } from '../../viewer/use-viewer.ts';
import type { Search } from '../use-search.ts';
import { useTextMatches } from './use-text-matches.ts';

/** Longest time that marks of the last search stay in the text: more than a host on a busy machine takes for others. */
const LAST_STAY_MS = 2000;

interface MatchedRowsProps extends Omit<ComponentProps<typeof Rows>, 'matches'> {
  viewer: Viewer;
  search: Search;
}

export function MatchedRows({ viewer, search, ...rows }: MatchedRowsProps) {
  const { matches, areKnown } = useTextMatches(viewer, search);
  const shown = useUntilKnown(search.search, matches, areKnown);
  useMatchInView(viewer, search);
  return <Rows {...rows} matches={shown} />;
}

/**
 * The matches that were shown last, until those of another search are known: while a pattern is typed, no key takes the
 * marks out of the text only to draw others. They stay for a moment at most, and until the results are drawn, which
 * removing the marks would delay.
 */
function useUntilKnown<Matches>(search: Search['search'], matches: Matches, areKnown: boolean): Matches {
  const shown = useRef(matches);
  const isBehind = useDeferredValue(search) !== search;
  const [late, setLate] = useState<Search['search']>(null);
  useEffect(() => {
    if (areKnown) return;
    const timer = setTimeout(() => setLate(search), LAST_STAY_MS);
    return () => clearTimeout(timer);
  }, [search, areKnown]);
  if (!isBehind && (areKnown || late === search)) shown.current = matches;
  return shown.current;
}

const MARGIN_PX = 40;

/**
 * Brings the match one went to into view: its line is there already, the match may be far to the right, or many lines
 * down where the line wraps.
 */
function useMatchInView({ scroller, pending }: Viewer, { current }: Search): void {
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
