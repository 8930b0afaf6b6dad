/** The whole text as one strip beside the scrollbar: errors, matches, marks and the visible part. A click goes there. */
import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { RowsView } from '../document/rows-view.ts';
import { type Scroll, useViewport } from '../scrolling/scroll.ts';
import { positionShowing, ROW_HEIGHT_PX } from '../scrolling/scroll-window.ts';
import styles from './Ruler.module.css';

/** The lines that the ruler stands for, and its height. */
export interface RulerScale {
  /** Of all lines of the text, where the ruler begins and how much it covers, 0 to 1. */
  from: number;
  size: number;
  /** Lines of the whole text. */
  lines: number;
  /** Pixels; 0 until it is measured. */
  height: number;
}

interface RulerProps {
  rows: RowsView;
  /** Lines of the whole text. */
  lines: number;
  scroll: Scroll;
  /** Called before a click scrolls. */
  onGo: () => void;
  lanes: (scale: RulerScale) => ReactNode;
}

export function Ruler({ rows, lines, scroll, onGo, lanes }: RulerProps) {
  const box = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(0);
  useEffect(() => {
    if (!box.current) return;
    const resized = new ResizeObserver(([entry]) => setHeight(Math.round(entry?.contentRect.height ?? 0)));
    resized.observe(box.current);
    return () => resized.disconnect();
  }, []);
  const first = rows.lineOf(0);

  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    const { top, height } = event.currentTarget.getBoundingClientRect();
    const row = Math.floor(((event.clientY - top) / Math.max(1, height)) * rows.count);
    onGo();
    scroll.moveTo(positionShowing(row, rows.count, scroll.view.get().height, 1 / 2));
  };

  return (
    <div ref={box} className={styles.ruler} aria-hidden="true" data-ruler="" onPointerDown={onPointerDown}>
      <VisiblePart scroll={scroll} />
      {first !== null &&
        lines > 0 &&
        lanes({ from: (first - 1) / lines, size: rows.count / lines, lines, height })}
    </div>
  );
}

function VisiblePart({ scroll }: { scroll: Scroll }) {
  const { position, height, total } = useViewport(scroll);
  if (total === 0) return null;
  const size = Math.min(1, height / (total * ROW_HEIGHT_PX));
  return (
    <div
      className={styles.view}
      style={{ '--from': position.row / total, '--size': size } as React.CSSProperties}
      data-mark="view"
    />
  );
}
