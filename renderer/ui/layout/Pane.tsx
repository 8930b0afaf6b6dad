/** The header of a pane, and the line that changes its size. */

import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from 'react';
import styles from './Pane.module.css';

export function PaneHeader({ children, lined = false }: { children: ReactNode; lined?: boolean }) {
  return <header className={lined ? `${styles.header} ${styles.lined}` : styles.header}>{children}</header>;
}

/** The line between two panes: dragged with the mouse, moved with the arrow keys, closed with Enter. */
interface SplitterProps {
  label: string;
  /** Size of its pane in pixels. */
  size: number;
  min: number;
  max: number;
  onResize: (size: number) => void;
  onCollapse: () => void;
  /** The side of the splitter its pane is on. */
  pane: 'left' | 'right' | 'below';
}

const STEP_PX = 16;

export function Splitter({ label, size, min, max, onResize, onCollapse, pane }: SplitterProps) {
  const drag = useRef<{ from: number; size: number } | null>(null);
  const sign = pane === 'left' ? 1 : -1;
  const lying = pane === 'below';
  const along = (event: PointerEvent) => (lying ? event.clientY : event.clientX);
  const resize = (to: number) => onResize(Math.min(max, Math.max(min, Math.round(to))));

  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { from: along(event), size };
  };
  const onPointerMove = (event: PointerEvent) => {
    if (drag.current) resize(drag.current.size + sign * (along(event) - drag.current.from));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = {
      [lying ? 'ArrowUp' : 'ArrowLeft']: size - sign * STEP_PX,
      [lying ? 'ArrowDown' : 'ArrowRight']: size + sign * STEP_PX,
      Home: min,
      End: max,
    }[event.key];
    if (to !== undefined) resize(to);
    else if (event.key === 'Enter') onCollapse();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a focusable separator is a widget, which hr is not
    <div
      className={lying ? `${styles.splitter} ${styles.lying}` : styles.splitter}
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={lying ? 'horizontal' : 'vertical'}
      aria-valuenow={size}
      aria-valuemin={min}
      aria-valuemax={max}
      title={`${label}: drag, or arrow keys; double click or Enter closes`}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        drag.current = null;
      }}
      onDoubleClick={onCollapse}
      onKeyDown={onKeyDown}
    />
  );
}
