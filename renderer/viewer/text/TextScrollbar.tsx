/** Shows the position of the view and of the selected lines in the whole text. */
import { formatCount } from '../../../shared/text/format.ts';
import type { RowsView } from '../document/rows-view.ts';
import { type Heights, heightOf } from '../scrolling/heights.ts';
import { Scrollbar } from '../scrolling/Scrollbar.tsx';
import { type Scroll, useViewport } from '../scrolling/scroll.ts';
import {
  endPosition,
  fractionOf,
  movedRows,
  positionAtFraction,
  type ScrollPosition,
  wholeRows,
} from '../scrolling/scroll-window.ts';
import { firstLine, lastLine, type Selection } from '../selection/selection.ts';
import styles from './TextScrollbar.module.css';

interface TextScrollbarProps {
  rows: RowsView;
  scroll: Scroll;
  controls: string;
  selection: Selection | null;
}

export function TextScrollbar({ rows, scroll, controls, selection }: TextScrollbarProps) {
  const { position, height, total, heights } = useViewport(scroll);
  const move = (by: number) => scroll.moveTo(movedRows(scroll.view.get().position, by, heights));
  const end = endPosition(total, height, heights);
  const first = rows.lineOf(0) ?? 1;
  const now = first + position.row;
  return (
    <Scrollbar
      orientation="vertical"
      label="Scroll through the lines"
      controls={controls}
      at={fractionOf(position, total, height, heights)}
      part={total === 0 ? 1 : Math.min(1, 1 - fullRows(end, heights) / total)}
      min={first}
      max={first + end.row}
      now={now}
      text={`line ${formatCount(now)} of ${formatCount(first + Math.max(0, total - 1))}`}
      onFraction={(fraction) => scroll.moveTo(positionAtFraction(fraction, total, height, heights))}
      onPage={(direction) => move(direction * Math.max(1, wholeRows(height) - 1))}
      onStep={move}
    >
      {selection && rows.lineOf(0) !== null && (
        <Mark from={firstLine(selection) - first} to={lastLine(selection) - first} total={total} />
      )}
    </Scrollbar>
  );
}

/** Returns the rows above the last position, with a fraction for a partial row; the view shows the rest. */
function fullRows({ row, px }: ScrollPosition, heights: Heights): number {
  return row + px / heightOf(row, heights);
}

function Mark({ from, to, total }: { from: number; to: number; total: number }) {
  if (to < 0 || from >= total) return null;
  const top = Math.max(0, from) / total;
  const size = (Math.min(total - 1, to) + 1) / total - top;
  return (
    <div
      className={styles.mark}
      style={{ '--from': top, '--size': size } as React.CSSProperties}
      data-mark="selection"
    />
  );
}
