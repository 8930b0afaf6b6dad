/** A scrollbar of our own, as the native one covers only the rows that are laid out; and one to scroll sideways. */

import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { watchScroll } from '../../ui/state/page.ts';
import {
  endPosition,
  fractionOf,
  heightOf,
  movedRows,
  positionAtFraction,
  type Scroll,
  wholeRows,
} from './positions.ts';
import styles from './Scrollbar.module.css';

interface ScrollbarProps {
  orientation: 'vertical' | 'horizontal';
  label: string;
  controls: string;
  /** 0 at the start, 1 at the end. */
  at: number;
  /** The fraction of the whole in view, 0 to 1. */
  part: number;
  min: number;
  max: number;
  now: number;
  text: string;
  onFraction: (fraction: number) => void;
  /** Called to scroll by a page, or a step, back (-1) or forward (1). */
  onPage: (direction: -1 | 1) => void;
  onStep: (direction: -1 | 1) => void;
  /** Marks, drawn below the thumb. */
  children?: ReactNode;
}

const REPEAT_AFTER_MS = 300;
const REPEAT_EVERY_MS = 60;

export function Scrollbar(props: ScrollbarProps) {
  const { orientation, label, controls, at, part, min, max, now, text, children } = props;
  const vertical = orientation === 'vertical';
  const thumb = useRef<HTMLDivElement>(null);
  const grab = useRef<number | null>(null);
  const repeat = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => () => clearTimeout(repeat.current), []);

  const along = (event: { clientX: number; clientY: number }) => (vertical ? event.clientY : event.clientX);
  const extent = (element: Element) => {
    const box = element.getBoundingClientRect();
    return vertical ? { start: box.top, size: box.height } : { start: box.left, size: box.width };
  };

  const dragTo = (track: Element, position: number) => {
    if (grab.current === null || !thumb.current) return;
    const whole = extent(track);
    const room = whole.size - extent(thumb.current).size;
    if (room > 0)
      latest.current.onFraction(Math.min(1, Math.max(0, (position - grab.current - whole.start) / room)));
  };

  /** Scrolls by pages towards the pointer until the thumb is under it. */
  const pageTowards = (position: number, wait: number) => {
    if (!thumb.current) return;
    const { start, size } = extent(thumb.current);
    if (position >= start && position <= start + size) return;
    latest.current.onPage(position < start ? -1 : 1);
    repeat.current = setTimeout(() => pageTowards(position, REPEAT_EVERY_MS), wait);
  };

  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (!thumb.current || (event.button !== 0 && event.button !== 1)) return;
    event.preventDefault();
    const position = along(event);
    const { start, size } = extent(thumb.current);
    const onThumb = position >= start && position <= start + size;
    if (onThumb || event.button === 1 || event.shiftKey) {
      event.currentTarget.setPointerCapture(event.pointerId);
      grab.current = onThumb ? position - start : size / 2;
      if (!onThumb) dragTo(event.currentTarget, position);
    } else {
      event.currentTarget.setPointerCapture(event.pointerId);
      pageTowards(position, REPEAT_AFTER_MS);
    }
  };
  const onPointerUp = () => {
    grab.current = null;
    clearTimeout(repeat.current);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const { onStep, onPage, onFraction } = latest.current;
    const act = {
      [vertical ? 'ArrowUp' : 'ArrowLeft']: () => onStep(-1),
      [vertical ? 'ArrowDown' : 'ArrowRight']: () => onStep(1),
      PageUp: () => onPage(-1),
      PageDown: () => onPage(1),
      Home: () => onFraction(0),
      End: () => onFraction(1),
    }[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };

  return (
    <div
      className={`${styles.track} ${styles[orientation]}`}
      role="scrollbar"
      // The Tab key stops at the text, whose keys do the same.
      tabIndex={-1}
      aria-label={label}
      aria-controls={controls}
      aria-orientation={orientation}
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuenow={now}
      aria-valuetext={text}
      onPointerDown={onPointerDown}
      onPointerMove={(event) => dragTo(event.currentTarget, along(event))}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerUp}
      onKeyDown={onKeyDown}
    >
      {children}
      <div
        hidden={part >= 1}
        ref={thumb}
        className={styles.thumb}
        style={{ '--at': at, '--part': part } as React.CSSProperties}
      />
    </div>
  );
}

interface RowsScrollbarProps {
  label: string;
  controls: string;
  scroll: Scroll;
  total: number;
  /** The number of the first row. */
  first: number;
  /** Says where the view is; gets its top row, from 0. */
  words: (row: number) => string;
  /** Marks, drawn below the thumb. */
  children?: ReactNode;
}

/** Scrolls through the rows that share a scroll position. */
export function RowsScrollbar({
  label,
  controls,
  scroll,
  total,
  first,
  words,
  children,
}: RowsScrollbarProps) {
  // Not the view's own number of rows, which is known only after they are drawn: the bar would be drawn twice.
  const { subscribe, get } = scroll.view;
  const position = useSyncExternalStore(subscribe, () => get().position);
  const height = useSyncExternalStore(subscribe, () => get().height);
  const heights = useSyncExternalStore(subscribe, () => get().heights);
  const end = endPosition(total, height, heights);
  /** The rows above the last position, with a fraction for a partial row; the view shows the rest. */
  const above = end.row + end.px / heightOf(end.row, heights);
  const move = (by: number) => scroll.moveTo(movedRows(get().position, by, heights));
  return (
    <Scrollbar
      orientation="vertical"
      label={label}
      controls={controls}
      at={fractionOf(position, total, height, heights)}
      part={total === 0 ? 1 : Math.min(1, 1 - above / total)}
      min={first}
      max={first + end.row}
      now={first + position.row}
      text={words(position.row)}
      onFraction={(fraction) => scroll.moveTo(positionAtFraction(fraction, total, height, heights))}
      onPage={(direction) => move(direction * Math.max(1, wholeRows(height) - 1))}
      onStep={move}
    >
      {children}
    </Scrollbar>
  );
}

// Scrolls sideways through lines wider than the view.

interface SidewaysScrollbarProps {
  scroller: RefObject<HTMLDivElement | null>;
  controls: string;
  /** Pixels of the widest row; 0 if all fit. */
  width: number;
}

const STEP_PX = 60;

/** Hidden if all lines fit. */
export function SidewaysScrollbar({ scroller, controls, width }: SidewaysScrollbarProps) {
  const [position, setPosition] = useState({ left: 0, view: 0 });
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const update = () => {
      const next = { left: element.scrollLeft, view: element.clientWidth };
      setPosition((last) => (last.left === next.left && last.view === next.view ? last : next));
    };
    update();
    return watchScroll(element, update);
  }, [scroller]);

  const room = width - position.view;
  if (room <= 0) return null;
  const moveTo = (left: number) => scroller.current?.scrollTo({ left, behavior: 'instant' });
  return (
    <Scrollbar
      orientation="horizontal"
      label="Scroll sideways"
      controls={controls}
      at={Math.min(1, position.left / room)}
      part={position.view / width}
      min={0}
      max={Math.round(room)}
      now={Math.round(position.left)}
      text={`${Math.round((position.left / room) * 100)} %`}
      onFraction={(fraction) => moveTo(fraction * room)}
      onPage={(direction) => moveTo(position.left + direction * position.view * 0.9)}
      onStep={(direction) => moveTo(position.left + direction * STEP_PX)}
    />
  );
}

/**
 * Sets `data-sideways` on a scroller while it is scrolled sideways. Only then are line numbers sticky: the browser
 * draws each sticky element as a layer of its own, which took a third of each frame while following.
 */
export function useSideways(scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const mark = (isSideways: boolean) => element.toggleAttribute('data-sideways', isSideways);
    const onScroll = () => mark(element.scrollLeft > 0);
    // The browser may scroll before the event, and the numbers would visibly move along.
    const onWheel = ({ deltaX, shiftKey }: WheelEvent) => {
      if (deltaX !== 0 || shiftKey) mark(true);
    };
    onScroll();
    const stop = watchScroll(element, onScroll);
    element.addEventListener('wheel', onWheel, { passive: true });
    return () => {
      stop();
      element.removeEventListener('wheel', onWheel);
    };
  }, [scroller]);
}
