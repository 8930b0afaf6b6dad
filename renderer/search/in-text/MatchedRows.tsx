/** The text with what a search found in it. On its own, so that scrolling draws nothing else anew. */
import { type ComponentProps, useDeferredValue, useRef } from 'react';
import { Rows } from '../../viewer/text/Rows.tsx';
import type { Viewer } from '../../viewer/use-viewer.ts';
import { useMatchInView } from '../results/use-match-in-view.ts';
import type { Search } from '../use-search.ts';
import { useTextMatches } from './use-text-matches.ts';

interface MatchedRowsProps extends Omit<ComponentProps<typeof Rows>, 'matches'> {
  viewer: Viewer;
  search: Search;
}

export function MatchedRows({ viewer, search, ...rows }: MatchedRowsProps) {
  const matches = useBehindResults(search.search, useTextMatches(viewer, search));
  useMatchInView(viewer, search);
  return <Rows {...rows} matches={matches} />;
}

/**
 * The matches that were shown last until the results of another search are drawn: taking the marks of the last search
 * out of the text takes as long as drawing the first results.
 */
function useBehindResults<Matches>(search: Search['search'], matches: Matches): Matches {
  const shown = useRef(matches);
  const isBehind = useDeferredValue(search) !== search;
  if (!isBehind) shown.current = matches;
  return shown.current;
}
