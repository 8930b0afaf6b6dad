/** Scrolls sideways through lines wider than the view. */
import { type RefObject, useEffect, useState } from 'react';
import { watchScroll } from '../../ui/state/watch-scroll.ts';
import { Scrollbar } from './Scrollbar.tsx';

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
    element.addEventListener('scroll', onScroll, { passive: true });
    element.addEventListener('wheel', onWheel, { passive: true });
    return () => {
      element.removeEventListener('scroll', onScroll);
      element.removeEventListener('wheel', onWheel);
    };
  }, [scroller]);
}
