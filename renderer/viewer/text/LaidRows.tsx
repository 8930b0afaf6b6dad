// biome-ignore-all lint/a11y/useSemanticElements: rows are placed one by one, which a table's own can't be
/** Draws the rows around the view: all of equal height, or each as high as its text. */

import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { Row } from '../../../shared/api/rows.ts';
import type { RowSpan, RowsView } from '../document/rows-view.ts';
import type { Heights } from '../scrolling/positions.ts';
import type { Scroll } from '../scrolling/scroll.ts';
import { useRowWindow } from '../scrolling/use-row-window.ts';
import styles from './Rows.module.css';

interface LaidRowsProps<R extends Row> {
  rows: RowsView<R>;
  /** Changes whenever shown rows may have changed. */
  version: unknown;
  scroll: Scroll;
  scroller: RefObject<HTMLDivElement | null>;
  heights: Heights;
  /** Pixels beyond each edge of the view in which rows are drawn. */
  overscan?: number | undefined;
  /** More rows to fetch besides those in view. */
  ahead: RowSpan | null;
  /** Pixels of the widest row; 0 if all fit. */
  width: number;
  /** Called with the rows after each render. */
  onDrawn: (rows: readonly (R | undefined)[]) => void;
  draw: (row: number, top: number, key: number) => ReactNode;
}

export function LaidRows<R extends Row>(props: LaidRowsProps<R>) {
  const { rows, version, scroller, scroll, heights, overscan, ahead, width, onDrawn, draw } = props;
  const laid = useRowWindow(rows.count, heights, scroller, scroll, overscan);
  const { visible, layoutHeight } = laid;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version may have dropped what is in view
  useEffect(() => {
    rows.want(visible?.first ?? 0, visible?.last ?? 0, ahead);
  }, [rows, version, visible?.first, visible?.last, ahead?.first, ahead?.last]);
  useLayoutEffect(() => onDrawn(laid.rows.map(({ row }) => rows.row(row))));
  const keyOf = useRowKeys(laid.rows);
  return (
    <div
      // Before the scroller's own ref is set: the first layout effects need its height.
      ref={(sizer) => {
        scroller.current ??= sizer?.parentElement as HTMLDivElement | null;
      }}
      className={styles.sizer}
      role="rowgroup"
      style={{ height: layoutHeight, minWidth: width > 0 ? width : undefined }}
    >
      {laid.rows.map(({ row, start }) => draw(row, start, keyOf(row)))}
    </div>
  );
}

/**
 * Returns a function from row to key, so that a row that comes into view reuses the elements of one that left it: while
 * following, changing a row's text costs half as much as making a new row. `drawn`: consecutive rows.
 */
export function useRowKeys(drawn: readonly { row: number }[]): (row: number) => number {
  const known = useRef<RowKeys | null>(null);
  known.current ??= new RowKeys();
  const first = drawn[0]?.row ?? 0;
  const keys = known.current.take(first, drawn.length);
  return (row) => keys[row - first] ?? -row;
}

export class RowKeys {
  #first = 0;
  #keys: readonly number[] = [];
  #unused = 0;

  /**
   * Returns the keys of `count` consecutive rows. A row drawn before keeps its key; the others reuse free keys in
   * order, so that the browser moves as few elements as possible.
   */
  take(first: number, count: number): readonly number[] {
    const end = first + count;
    const isKept = (row: number) => row >= first && row < end;
    const free = this.#keys.filter((_, index) => !isKept(this.#first + index));
    const keys: number[] = [];
    for (let row = first; row < end; row += 1)
      keys.push(this.#keys[row - this.#first] ?? free.shift() ?? this.#fresh());
    this.#first = first;
    this.#keys = keys;
    return keys;
  }

  #fresh(): number {
    this.#unused += 1;
    return this.#unused;
  }
}

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
