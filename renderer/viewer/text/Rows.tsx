// biome-ignore-all lint/a11y/useSemanticElements: rows are placed one by one, which a table's own can't be
/** The text: rows that scroll natively, the gutter with line numbers, and the two scrollbars. */

import {
  memo,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Row } from '../../../shared/api/rows.ts';
import { formatCount } from '../../../shared/text/format.ts';
import { useStore } from '../../ui/state/store.ts';
import type { RowSpan, RowsView } from '../document/rows-view.ts';
import type { Heights, Scroll } from '../scrolling/positions.ts';
import { RowsScrollbar, SidewaysScrollbar, useSideways } from '../scrolling/Scrollbar.tsx';
import { useRowWindow } from '../scrolling/use-row-window.ts';
import { columnsIn, firstLine, includesLine, lastLine, type Selection } from '../selection/selection.ts';
import { useMouseSelection } from '../selection/use-mouse-selection.ts';
import { usePalette } from './ansi.ts';
import { NONE_UNFOLDED, type Unfolding } from './json-layout.ts';
import type { RowMatches } from './pieces.ts';
import { type LineNews, type LineSeen, type ReadOn, RowLine, type SectionFold } from './RowLine.tsx';
import styles from './Rows.module.css';
import { KnownLayouts, rowLayouts } from './row-layouts.ts';
import { type Column, NO_COLUMNS, textSettings } from './text-settings.ts';
import { timeText } from './times.ts';
import { useOriginColumns, useWrapping } from './wrapping.ts';

interface RowsProps {
  label: string;
  rows: RowsView;
  /** Lines of the whole text that are counted. */
  lines: number;
  /** Changes whenever shown rows may have changed. */
  version: unknown;
  scroll: Scroll;
  scroller: RefObject<HTMLDivElement | null>;
  /** More rows to fetch besides those in view. */
  ahead: RowSpan | null;
  selection: Selection | null;
  onSelect: (selection: Selection | null) => void;
  onReadOn: ReadOn;
  matches?: RowMatches | null;
  /** Lines that a person marked. */
  marked?: readonly number[];
  /** What comparisons say of lines; null without one. */
  news?: RowNews | null;
  /** Whether to leave out the column of times. */
  timeless?: boolean;
  /** JSON lines that are unfolded. */
  unfolding?: Unfolding;
  /** Fields as columns, with their headings above the text. */
  columns?: ColumnsShown;
  /** Sections that can be folded, by their first lines. */
  sections?: SectionFolds | null;
}

export interface SectionFolds {
  /** Null for a line that begins none. */
  of(line: number): SectionFold | null;
  toggle(line: number): void;
}

export interface ColumnsShown {
  columns: readonly Column[];
  /** A person's pattern of lines whose groups are the columns. */
  pattern?: string | undefined;
  headings: ReactNode;
  /** Shows only the lines with the value that a line has in a column. */
  showOnly(line: number, field: string): void;
}

const WITHOUT_COLUMNS: ColumnsShown = { columns: NO_COLUMNS, headings: null, showOnly: () => {} };

/** What comparisons say of a line. */
export interface RowNews {
  newsOf(line: number): LineNews | null;
  /** Lines of the output beside this one that are missing above and below a line. */
  missingAbove(line: number): number;
  missingBelow(line: number): number;
  /** Whether agents got the line; null if it is not known of any. */
  seenOf?(line: number): LineSeen | null;
}

/** Memoised: a key in the search field leaves the text as it is until the search has found something. */
export const Rows = memo(function Rows(props: RowsProps) {
  const { label, rows, version, scroll, scroller, ahead, selection, onSelect, onReadOn } = props;
  const { matches = null, news = null } = props;
  const { columns, pattern, headings, showOnly } = props.columns ?? WITHOUT_COLUMNS;
  const { sections = null } = props;
  const id = useId();
  const palette = usePalette();
  const look = useStore(textSettings);
  const times = props.timeless ? 'off' : look.times;
  const digits = useDigits(Math.max(props.lines, rows.count));
  const origin = useOriginColumns(digits);
  const wrapping = useWrapping({ on: look.wrap, scroller, digits, origin, times: times !== 'off' });
  const shown = useRef(rows);
  shown.current = rows;
  const known = useMemo(() => new KnownLayouts(wrapping, columns, pattern), [wrapping, columns, pattern]);
  const unfolded = props.unfolding?.lines ?? NONE_UNFOLDED;
  const layouts = useMemo(
    () =>
      rowLayouts(known, {
        rows: () => shown.current,
        json: look.json,
        unfolded,
        matchesOf: matches && ((line, row) => matches.matchesOf(line, row)),
      }),
    [known, look.json, unfolded, matches],
  );
  const toggle = props.unfolding?.toggle;
  const onUnfold = useCallback((line: number) => toggle?.([line]), [toggle]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of these may change the width of rows
  const drawn = useMemo(() => ({}), [known, digits, times, look.json, unfolded, matches]);
  const [width, onDrawn] = useWidestRow(scroller, known, drawn);
  useSideways(scroller);
  const mouse = useMouseSelection({ rows, scroll, scroller, selection, onSelect });
  const caret = `${id}-caret`;
  /** Screen readers read the row of the caret, as long as it is drawn. */
  const nameCaret = (rows: Iterable<Row | undefined>) => {
    onDrawn(rows);
    if (document.getElementById(caret)) scroller.current?.setAttribute('aria-activedescendant', caret);
    else scroller.current?.removeAttribute('aria-activedescendant');
  };

  const draw = (index: number, top: number, key: number) => {
    const line = rows.lineOf(index);
    const row = rows.row(index);
    const time = timeText(times, row, row && index > 0 ? rows.row(index - 1) : undefined);
    const chosen = line === null ? null : columnsIn(selection, line);
    return (
      <RowLine
        key={key}
        id={line !== null && line === selection?.focus ? caret : undefined}
        index={index}
        line={line}
        label={line === null ? `−${rows.count - index}` : String(line)}
        row={row}
        top={top}
        layout={layouts.layoutOf(row, line)}
        time={times === 'off' ? null : (time ?? '')}
        levels={look.levels}
        links
        selected={line !== null && includesLine(selection, line)}
        chosenFrom={chosen?.from ?? null}
        chosenTo={chosen?.to ?? null}
        chosenSpans={chosen && (selection?.columns?.drawn?.spans ?? null)}
        matches={matches && row && line !== null ? matches.matchesOf(line, row) : null}
        hit={matches !== null && line !== null && matches.isHit(line)}
        current={matches !== null && line !== null && matches.current === line}
        marked={line !== null && props.marked?.includes(line)}
        news={line === null || !news ? null : news.newsOf(line)}
        seen={line === null ? null : (news?.seenOf?.(line) ?? null)}
        missing={line === null || !news ? 0 : news.missingAbove(line)}
        missingBelow={line === null || !news ? 0 : news.missingBelow(line)}
        palette={palette}
        onReadOn={onReadOn}
        onUnfold={onUnfold}
        section={line === null ? null : (sections?.of(line) ?? null)}
      />
    );
  };

  const onClick = (event: React.MouseEvent) => {
    const { only } = (event.target as Element).closest<HTMLElement>('[data-only]')?.dataset ?? {};
    const line = (event.target as Element).closest<HTMLElement>('[data-line]')?.dataset.line;
    if ((event.target as Element).closest('[data-section]')) sections?.toggle(Number(line));
    if (only !== undefined && line !== undefined) showOnly(Number(line), only);
  };

  return (
    <div
      className={`${styles.pane} ${headings ? styles.tabled : ''}`}
      style={{ '--digits': digits, '--origin': origin } as React.CSSProperties}
    >
      {headings && (
        <Headings scroller={scroller} hasTimes={times !== 'off'}>
          {headings}
        </Headings>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the palette does what the buttons within do */}
      <div
        ref={scroller}
        id={id}
        className={styles.scroller}
        role="grid"
        aria-multiselectable
        aria-readonly
        aria-label={label}
        aria-rowcount={rows.count}
        data-wrapped={wrapping ? '' : undefined}
        tabIndex={0}
        data-viewer=""
        onClick={onClick}
        {...mouse}
      >
        <LaidRows
          rows={rows}
          version={version}
          scroll={scroll}
          scroller={scroller}
          heights={layouts.heights}
          ahead={ahead}
          width={width}
          onDrawn={nameCaret}
          draw={draw}
        />
      </div>
      <TextScrollbar rows={rows} scroll={scroll} controls={id} selection={selection} />
      <SidewaysScrollbar scroller={scroller} controls={id} width={width} />
    </div>
  );
});

interface HeadingsProps {
  scroller: RefObject<HTMLDivElement | null>;
  hasTimes: boolean;
  children: ReactNode;
}

/** The headings of columns, which move sideways with the text. */
function Headings({ scroller, hasTimes, children }: HeadingsProps) {
  const moved = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const move = () => {
      if (moved.current) moved.current.style.transform = `translateX(${-element.scrollLeft}px)`;
    };
    move();
    element.addEventListener('scroll', move, { passive: true });
    return () => element.removeEventListener('scroll', move);
  }, [scroller]);
  return (
    <div className={styles.headings} data-times={hasTimes ? '' : undefined}>
      <div ref={moved} className={styles.moved}>
        {children}
      </div>
    </div>
  );
}

/**
 * Returns the digits of the gutter: those of the largest line number, at least four. They never become fewer while a
 * text is shown: it would jump sideways when its lines are counted again.
 */
export function useDigits(lines: number): number {
  const most = useRef(4);
  most.current = Math.max(most.current, String(lines).length);
  return most.current;
}

/** Shows the position of the view and of the selected lines in the whole text. */
function TextScrollbar({ rows, scroll, controls, selection }: TextScrollbarProps) {
  const first = rows.lineOf(0);
  const last = rows.lineOf(rows.count - 1) ?? rows.count;
  const words = (row: number) =>
    `line ${formatCount(rows.lineOf(row) ?? row + 1)} of ${formatCount(Math.max(1, last))}`;
  return (
    <RowsScrollbar
      label="Scroll through the lines"
      controls={controls}
      scroll={scroll}
      total={rows.count}
      first={first ?? 1}
      words={words}
    >
      {selection && first !== null && (
        <Mark
          from={rows.rowOf(firstLine(selection))}
          to={rows.rowOf(lastLine(selection) + 1) - 1}
          total={rows.count}
        />
      )}
    </RowsScrollbar>
  );
}

type TextScrollbarProps = Pick<RowsProps, 'rows' | 'scroll' | 'selection'> & { controls: string };

function Mark({ from, to, total }: { from: number; to: number; total: number }) {
  if (to < from || from >= total) return null;
  const top = Math.max(0, from) / total;
  const size = (Math.min(total - 1, to) + 1) / total - top;
  return (
    <div
      className={styles.mark}
      style={{ '--from': top, '--size': size, '--lines': size * total } as React.CSSProperties}
      data-mark="selection"
    />
  );
}

// Draws the rows around the view: all of equal height, or each as high as its text.

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
function useRowKeys(drawn: readonly { row: number }[]): (row: number) => number {
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
