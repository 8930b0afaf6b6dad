/**
 * Sets `data-sideways` on a scroller while it is scrolled sideways. Only then are line numbers sticky: the browser
 * draws each sticky element as a layer of its own, which took a third of each frame while following.
 */
import { type RefObject, useEffect } from 'react';

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
