/**
 * Marks a scroller with `data-sideways` while it is scrolled sideways. Only then do line numbers stick to its edge: the
 * browser draws each sticky element as a layer of its own, which cost a third of each frame of following.
 */
import { type RefObject, useEffect } from 'react';

export function useSideways(scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const mark = (isSideways: boolean) => element.toggleAttribute('data-sideways', isSideways);
    const onScroll = () => mark(element.scrollLeft > 0);
    // The browser may scroll before it says so: the numbers must not be seen to go along.
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
