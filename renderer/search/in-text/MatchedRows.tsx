/** The text with what a search found in it. On its own, so that scrolling draws nothing else anew. */
import { type ComponentProps, useDeferredValue, useEffect, useRef, useState } from 'react';
import { Rows } from '../../viewer/text/Rows.tsx';
import type { Viewer } from '../../viewer/use-viewer.ts';
import { useMatchInView } from '../results/use-match-in-view.ts';
import type { Search } from '../use-search.ts';
import { useTextMatches } from './use-text-matches.ts';

/** Longest time that marks of the last search stay in the text: more than a host that is not busy takes for others. */
const LAST_STAY_MS = 500;

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
