/** Measures how wide the rows are, for scrolling sideways. */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Row } from '../../../../shared/api/rows.ts';
import { WidthMemory } from './width-memory.ts';

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

/**
 * The same for rows of a text, which are looked at only where one may be wider than all before: looking makes the
 * browser lay the page out at once.
 * @param drawn another object when something besides the rows may have made them wider
 */
export function useWidestRow(
  scroller: RefObject<HTMLElement | null>,
  of: unknown,
  drawn: object,
): [number, (rows: Iterable<Row | undefined>) => void] {
  const [width, look] = useWidest(scroller, of);
  const memory = useRef({ drawn, seen: new WidthMemory() });
  if (memory.current.drawn !== drawn) memory.current = { drawn, seen: new WidthMemory() };
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const resized = new ResizeObserver(look);
    resized.observe(element);
    return () => resized.disconnect();
  }, [scroller, look]);
  const onDrawn = useCallback(
    (rows: Iterable<Row | undefined>) => {
      if (memory.current.seen.mayBeWider(rows)) look();
    },
    [look],
  );
  return [width, onDrawn];
}

/** The same for rows that the calling component draws. */
export function useContentWidth(scroller: RefObject<HTMLElement | null>): number {
  const [width, look] = useWidest(scroller, null);
  useLayoutEffect(look);
  return width;
}
