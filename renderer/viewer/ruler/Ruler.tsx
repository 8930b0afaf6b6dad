/**
 * The whole text as a strip beside the scrollbar, with errors, matches, marks and the visible part. A click goes there.
 */
import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { RowsView } from '../document/rows-view.ts';
import { rowAt } from '../scrolling/heights.ts';
import { type Scroll, useViewport } from '../scrolling/scroll.ts';
import { positionShowing } from '../scrolling/scroll-window.ts';
import styles from './Ruler.module.css';

/** The lines that the ruler covers, and its height. */
export interface RulerScale {
  /** The ruler's start and extent, as fractions of the whole text. */
  from: number;
  size: number;
  /** Lines of the whole text. */
  lines: number;
  /** Pixels; 0 until measured. */
  height: number;
}

interface RulerProps {
  rows: RowsView;
  /** Lines of the whole text. */
  lines: number;
  scroll: Scroll;
  /** Called before a click scrolls. */
  onGo: () => void;
  columns: number;
  lanes: (scale: RulerScale) => ReactNode;
}

export function Ruler({ rows, lines, scroll, onGo, columns, lanes }: RulerProps) {
  const box = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(0);
  useEffect(() => {
    if (!box.current) return;
    const resized = new ResizeObserver(([entry]) => setHeight(Math.round(entry?.contentRect.height ?? 0)));
    resized.observe(box.current);
    return () => resized.disconnect();
  }, []);
  const extent = extentOf(rows);

  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    const { top, height } = event.currentTarget.getBoundingClientRect();
    const part = (event.clientY - top) / Math.max(1, height);
    const row = extent
      ? rows.rowOf(extent.first + Math.floor(part * extent.size))
      : Math.floor(part * rows.count);
    onGo();
    const { height: viewHeight, heights } = scroll.view.get();
    scroll.moveTo(positionShowing(row, rows.count, viewHeight, 1 / 2, heights));
  };

  return (
    <div
      ref={box}
      className={styles.ruler}
      style={{ '--columns': columns } as React.CSSProperties}
      aria-hidden="true"
      data-ruler=""
      onPointerDown={onPointerDown}
    >
      <VisiblePart rows={rows} extent={extent} scroll={scroll} />
      {extent && lanes({ from: (extent.first - 1) / lines, size: extent.size / lines, lines, height })}
    </div>
  );
}

/** Returns the lines between the first and the last row; a filter may hide some. Null without line numbers. */
function extentOf(rows: RowsView): Extent | null {
  const first = rows.lineOf(0);
  const last = rows.lineOf(rows.count - 1);
  return first === null || last === null || rows.count === 0 ? null : { first, size: last - first + 1 };
}

interface Extent {
  first: number;
  size: number;
}

interface VisiblePartProps {
  rows: RowsView;
  extent: Extent | null;
  scroll: Scroll;
}

function VisiblePart({ rows, extent, scroll }: VisiblePartProps) {
  const { position, height, total, heights } = useViewport(scroll);
  if (total === 0) return null;
  const last = rowAt(position.row, position.px + Math.max(0, height - 1), total, heights).row;
  const end = Math.min(total, last + 1);
  const lineAt = (row: number) => rows.lineOf(Math.max(0, Math.min(row, rows.count - 1)));
  const [top, bottom] = [lineAt(position.row), lineAt(end - 1)];
  const from = extent && top !== null ? (top - extent.first) / extent.size : position.row / total;
  const to = extent && bottom !== null ? (bottom - extent.first + 1) / extent.size : end / total;
  return (
    <div
      className={styles.view}
      style={{ '--from': from, '--size': Math.max(0, to - from) } as React.CSSProperties}
      data-mark="view"
    />
  );
}
