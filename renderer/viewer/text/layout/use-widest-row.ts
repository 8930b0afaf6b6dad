/** Measures how wide the rows are, for scrolling sideways. */
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { Row } from '../../../../shared/api/rows.ts';

/**
 * Returns the pixels of the widest row so far, 0 while all fit, and a function to call with the rows after each render.
 * It measures only if a row may be wider than all before, as measuring forces a layout. The width never shrinks while a
 * text is shown: otherwise the view would jump sideways whenever the widest row leaves it.
 * @param of changes when the rows' layout, and so the width, changes
 * @param drawn a new object when something else may have made rows wider
 */
export function useWidestRow(
  scroller: RefObject<HTMLElement | null>,
  of: unknown,
  drawn: object,
): [number, (rows: Iterable<Row | undefined>) => void] {
  const [widest, setWidest] = useState({ of, width: 0 });
  const width = widest.of === of ? widest.width : 0;
  const look = useCallback(() => {
    const element = scroller.current;
    if (!element || element.scrollWidth <= element.clientWidth || element.scrollWidth <= width) return;
    setWidest({ of, width: element.scrollWidth });
  }, [scroller, of, width]);
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

/** Characters of one column each. */
const ONE_COLUMN_EACH = /^[\x20-\x7e]*$/;

/** Tells whether rows may be wider than all rows drawn before. */
export class WidthMemory {
  /** Columns of the longest row with only such characters. */
  #columns = -1;
  /** Other rows seen so far, whose width only the browser knows. */
  readonly #others = new WeakSet<Row>();

  /** Takes the drawn rows; returns true if one may be wider than those before. */
  mayBeWider(rows: Iterable<Row | undefined>): boolean {
    let may = false;
    for (const row of rows) if (row && this.#take(row)) may = true;
    return may;
  }

  #take(row: Row): boolean {
    const { text } = row;
    if (!row.clipped && text.length <= this.#columns && ONE_COLUMN_EACH.test(text)) return false;
    if (this.#others.has(row)) return false;
    if (!row.clipped && ONE_COLUMN_EACH.test(text)) this.#columns = text.length;
    else this.#others.add(row);
    return true;
  }
}
