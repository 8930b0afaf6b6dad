/** The scrollbar of the results. */
import { useSyncExternalStore } from 'react';
import { formatCount } from '../../../shared/text/format.ts';
import { Scrollbar } from '../../viewer/scrolling/Scrollbar.tsx';
import type { Scroll } from '../../viewer/scrolling/scroll.ts';
import {
  endPosition,
  fractionOf,
  movedRows,
  positionAtFraction,
  ROW_HEIGHT_PX,
  wholeRows,
} from '../../viewer/scrolling/scroll-window.ts';
import type { Search } from '../use-search.ts';
import { nearestMatch } from './chosen-match.ts';

interface ResultsScrollbarProps {
  scroll: Scroll;
  controls: string;
  search: Search;
}

export function ResultsScrollbar({ scroll, controls, search }: ResultsScrollbarProps) {
  // Not the number of rows, which is told only after they are drawn: the bar would be drawn twice.
  const { subscribe, get } = scroll.view;
  const position = useSyncExternalStore(subscribe, () => get().position);
  const height = useSyncExternalStore(subscribe, () => get().height);
  const total = search.snapshot.rowCount;
  const rows = search.search?.rows;
  const move = (by: number) => scroll.moveTo(movedRows(scroll.view.get().position, by));
  const match = rows && nearestMatch(rows, position.row, 1, total)?.match;
  return (
    <Scrollbar
      orientation="vertical"
      label="Scroll through the results"
      controls={controls}
      at={fractionOf(position, total, height)}
      part={total === 0 ? 1 : Math.min(1, height / (total * ROW_HEIGHT_PX))}
      min={1}
      max={endPosition(total, height).row + 1}
      now={position.row + 1}
      text={
        match === undefined || match === null
          ? `row ${formatCount(position.row + 1)} of ${formatCount(total)}`
          : `match ${formatCount(match + 1)} of ${formatCount(search.snapshot.total)}`
      }
      onFraction={(fraction) => scroll.moveTo(positionAtFraction(fraction, total, height))}
      onPage={(direction) => move(direction * Math.max(1, wholeRows(height) - 1))}
      onStep={move}
    />
  );
}
