/** Keeps the last matches in view as new ones come, while the end of the list is in view. */
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { RowSpan } from '../../viewer/document/rows-view.ts';
import { comparePositions, endPosition, wholeRows } from '../../viewer/scrolling/positions.ts';
import type { Scroll } from '../../viewer/scrolling/scroll.ts';
import type { OpenSearch } from '../open-search.ts';
import type { Search } from '../use-search.ts';

/** Returns the rows to fetch before the list can move on to them. */
export function useFollowResults({ search, snapshot }: Search, scroll: Scroll): RowSpan | null {
  const { rowCount, caughtUp } = snapshot;
  const { view, moveTo } = scroll;
  /** The search whose list was at its end; null when it was not. */
  const atEnd = useRef<AtEnd | null>(null);

  useEffect(() => {
    const look = () => {
      const { position, total, height } = view.get();
      if (!search || comparePositions(position, endPosition(total, height)) < 0) return null;
      return {
        search,
        context: search.context,
        isWhole: total > 0 && comparePositions(position, START) === 0,
      };
    };
    // Until the whole text has been searched once, new matches go below the ones in view.
    const note = () => {
      atEnd.current = caughtUp ? look() : null;
    };
    note();
    let before = view.get();
    return view.subscribe(() => {
      const now = view.get();
      const isMoved = now.total === before.total && now.height === before.height;
      before = now;
      if (isMoved) note();
    });
  }, [search, caughtUp, view]);

  const { height } = view.get();
  const end = endPosition(rowCount, height);
  const rows = search?.rows;
  const isFollowing =
    search !== null && atEnd.current !== null && follows(atEnd.current, search) && rowCount > 0;
  const isHere = rows?.row(end.row) !== undefined && rows.row(rowCount - 1) !== undefined;
  useLayoutEffect(() => {
    // Drawing the rows may have shown that the reader scrolled away.
    const isStill = isFollowing && atEnd.current !== null;
    if (isStill && isHere && comparePositions(view.get().position, end) < 0) moveTo(end, 'layout');
  });
  if (!isFollowing || isHere) return null;
  return { first: Math.max(0, rowCount - wholeRows(height) - 1), last: rowCount - 1 };
}

interface AtEnd {
  search: OpenSearch;
  /** Lines around each match. */
  context: number;
  /** Whether all of the list was in view. */
  isWhole: boolean;
}

const START = { row: 0, px: 0 };

/** A list that was wholly in view stays at its start when lines around the matches make it longer. */
function follows({ search, context, isWhole }: AtEnd, now: OpenSearch): boolean {
  return search === now && (context === now.context || !isWhole);
}
