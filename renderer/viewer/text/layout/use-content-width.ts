/** Measures how wide the rows are, for scrolling sideways. */
import { type RefObject, useCallback, useLayoutEffect, useState } from 'react';

/**
 * Returns the pixels of the widest row seen so far, 0 while everything fits, and the function that looks at the rows
 * again. It never shrinks while a text is shown: else the view would jump sideways whenever the widest row leaves it.
 * @param of another value when the rows are shown in another way, and the width is another
 */
export function useWidest(scroller: RefObject<HTMLElement | null>, of: unknown): [number, () => void] {
  const [widest, setWidest] = useState({ of, width: 0 });
  const width = widest.of === of ? widest.width : 0;
  const look = useCallback(() => {
    const element = scroller.current;
    if (!element || element.scrollWidth <= element.clientWidth || element.scrollWidth <= width) return;
    setWidest({ of, width: element.scrollWidth });
  }, [scroller, of, width]);
  return [width, look];
}

/** The same for rows that the calling component draws. */
export function useContentWidth(scroller: RefObject<HTMLElement | null>): number {
  const [width, look] = useWidest(scroller, null);
  useLayoutEffect(look);
  return width;
}
