/** The rows that are shown of a text: all, a range, the lines that pass its filters, or the tail. */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Row } from '../../shared/api/rows.ts';
import { toSpillwayError } from '../../shared/errors.ts';
import { isCounted, type OpenDocument, type Opened } from './document/open-document.ts';
import {
  type FilteredLines,
  type LineRange,
  passingView,
  type RowsView,
  rangeView,
  tailView,
} from './document/rows-view.ts';
import {
  clampPosition,
  endPosition,
  heightBetween,
  isAtEnd,
  isInView,
  LINE_HEIGHT_PX,
  positionShowing,
  rowAt,
  type Scroll,
  type ScrollPosition,
  UNIFORM,
  type Viewport,
} from './scrolling/positions.ts';
import { isCaret, type Selection } from './selection/selection.ts';
import type { ViewState } from './view-state.ts';

/** The filter of the text; the version changes whenever more lines are filtered. */
export interface Filtered {
  passing: FilteredLines | null;
  version: unknown;
  /** Whether filters, and not folded sections alone, hide lines. */
  hasFilter: boolean;
  /** Unfolds what hides a line; returns false if nothing folded does. */
  reveal: (line: number) => boolean;
  /** Returns the line that is shown in place of a folded one; the line itself if it is not folded. */
  headingOf: (line: number) => number;
}

interface ShownRowsOptions extends Pick<Filtered, 'passing' | 'version'> {
  opened: Opened;
  initial: ViewState;
  scroll: Scroll;
  say: (message: string) => void;
}

export type ShownRows = ReturnType<typeof useShownRows>;

export function useShownRows({ opened, initial, scroll, say, passing, version }: ShownRowsOptions) {
  const { document, snapshot } = opened;
  const { total } = snapshot;
  const counted = isCounted(snapshot);
  const [range, setRange] = useState<LineRange | null>(initial.range);
  const [pending, setPending] = useState<PendingLine | null>(
    initial.line === null ? null : { align: 'top', ...placeOf(initial) },
  );
  const uncounted = useTail({
    ...{ opened, counted, scroll, say },
    // Don't override a destination the user chose meanwhile.
    onCounted: (line, px) => setPending((last) => last ?? { line, align: 'top', px }),
  });
  // The tail, which has no line numbers, can't be filtered.
  const tail = passing ? null : uncounted.tail;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version has other passing lines
  const rows: RowsView = useMemo(() => {
    if (tail) return tailView(tail.rows);
    if (!document) return tailView([]);
    if (passing) return passingView(passing, document.long, range);
    const start = range?.start ?? 1;
    const end = Math.min(range?.end ?? total, total);
    return rangeView(document.rows, document.long, start, Math.max(0, end - start + 1));
  }, [tail, document, range, total, passing, version]);
  // While a filter is on, the unfiltered rows would otherwise be fetched again after each growth.
  useEffect(() => {
    if (passing) document?.rows.rest();
  }, [passing, document]);
  const { openTail, closeTail } = uncounted;
  return { rows, range, setRange, pending, setPending, tail, openTail, closeTail, counted };
}

/** A selected line that was in view must be in view again, even if the view has become lower. */
function placeOf({ line, px, selection, selectedAt }: ViewState): Pick<PendingLine, 'line' | 'px'> {
  if (selection && selectedAt !== undefined) return { line: selection.focus, px: -selectedAt };
  return { line: line ?? 1, px };
}

/** Twenty screens of rows to scroll through meanwhile. */
const TAIL_ROWS = 1024;

interface Tail {
  document: OpenDocument;
  generation: number;
  rows: readonly Row[];
}

interface TailOptions extends Omit<ShownRowsOptions, 'passing' | 'version' | 'initial'> {
  counted: boolean;
  /** Called once numbers are known: show the text with `line` (or its end) at the top of the view. */
  onCounted: (line: number | 'end', px: number) => void;
}

/**
 * Shows the end of a stream before its lines are counted: the last rows, without numbers, which the host reads
 * backwards from the end. They get their numbers, and the rest of the text around them, after the count.
 */
function useTail({ opened, counted, scroll, say, onCounted }: TailOptions) {
  const { document, snapshot } = opened;
  const { state } = snapshot;
  const [tail, setTail] = useState<Tail | null>(null);
  const request = useRef<AbortController | null>(null);
  const isShown = tail !== null && tail.document === document && tail.generation === state?.generation;
  const shown = isShown ? tail : null;

  const openTail = async (): Promise<void> => {
    if (!document) return;
    request.current?.abort();
    const mine = new AbortController();
    request.current = mine;
    try {
      const { generation, rows } = await document.fetchTail(TAIL_ROWS, mine.signal);
      if (request.current === mine) setTail({ document, generation, rows });
    } catch (error) {
      const { code, message } = toSpillwayError(error);
      if (code !== 'cancelled') say(message);
    }
  };

  // It grew while being counted, so the end moved. Don't scroll a reader who scrolled up.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only growth asks again, not opening
  useEffect(() => {
    if (isShown && !counted && isAtEnd(scroll.view.get())) void openTail();
  }, [state?.total_bytes]);

  useLayoutEffect(() => {
    if (!shown) return;
    const { height, heights } = scroll.view.get();
    scroll.moveTo(endPosition(shown.rows.length, height, heights), 'layout');
  }, [shown, scroll]);

  const latest = useRef(onCounted);
  latest.current = onCounted;
  useEffect(() => {
    if (!shown || !counted) return;
    const view = scroll.view.get();
    const top = shown.rows[view.position.row];
    const mine = new AbortController();
    const finish = (line: number | 'end') => {
      if (mine.signal.aborted) return;
      setTail(null);
      latest.current(line, line === 'end' ? 0 : view.position.px);
    };
    if (!top || isAtEnd(view)) return finish('end');
    shown.document.lineAt(top.offset, mine.signal).then(finish, () => finish('end'));
    return () => mine.abort();
  }, [shown, counted, scroll]);

  const closeTail = () => {
    request.current?.abort();
    request.current = null;
    setTail(null);
  };
  return { tail: shown, openTail, closeTail };
}

/** Goes to a line once it is known to exist, as lines far down must be counted first. */
interface PendingLine {
  line: number | 'end';
  /** Position in the view. `third` and `middle` also select the line. */
  align: 'top' | 'third' | 'middle';
  /** Pixels of the line above the view, or below its top if negative; only with `top`. */
  px: number;
  /** Whether a person named this very line, who is told if another one is shown instead. */
  isNamed?: boolean;
  /** Whether the view only stays where it is: what folds there stays folded. */
  isKept?: boolean;
}

type SetPending = (change: PendingLine | null | ((last: PendingLine | null) => PendingLine | null)) => void;

interface PendingLineOptions {
  pending: PendingLine | null;
  setPending: SetPending;
  rows: RowsView;
  /** Whether the host has reported the text, and its lines have numbers. */
  ready: boolean;
  /** Whether all lines are counted. */
  counted: boolean;
  scroll: Scroll;
  scroller: RefObject<HTMLElement | null>;
  onSelect: (line: number) => void;
  /** Called if a named line is not shown, with the line that is selected instead. */
  onMissed: (named: number, shown: number) => void;
  reveal: Filtered['reveal'];
}

export function usePendingLine(options: PendingLineOptions): void {
  const { pending, setPending, rows, ready, counted, scroll, scroller, onSelect, onMissed, reveal } = options;
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows may include the line
  useLayoutEffect(() => {
    if (!pending || !ready) return;
    const last = rows.lineOf(rows.count - 1) ?? 0;
    if (!counted && (pending.line === 'end' || pending.line > last)) return;
    // It goes there once the line is shown.
    if (typeof pending.line === 'number' && !pending.isKept && reveal(pending.line)) return;
    setPending(null);
    if (rows.count === 0) return;
    const { heights } = scroll.view.get();
    const height = scroller.current?.clientHeight ?? scroll.view.get().height;
    const row = pending.line === 'end' ? rows.count - 1 : Math.min(rows.rowOf(pending.line), rows.count - 1);
    scroll.moveTo(positionOfPending(pending, row, { total: rows.count, height, heights }), 'layout');
    // Select the next shown line if filters hide that line.
    if (pending.align === 'top') return;
    const shown = rows.lineOf(row) ?? last;
    onSelect(shown);
    if (pending.isNamed && pending.line !== 'end' && pending.line !== shown) onMissed(pending.line, shown);
  }, [pending, rows, counted, ready]);
}

/** Lines that a wrapped row takes at most, as a guess. */
const UNKNOWN_LINES = 3;

function positionOfPending(
  pending: PendingLine,
  row: number,
  { total, height, heights }: Pick<Viewport, 'total' | 'height' | 'heights'>,
): ScrollPosition {
  if (pending.line === 'end') return endPosition(total, height, heights);
  if (pending.align === 'top') {
    if (heights === UNIFORM) {
      const px = Math.max(pending.px, Math.min(0, LINE_HEIGHT_PX - height));
      return clampPosition(rowAt(row, px, total, heights), total, height, heights);
    }
    // A row not fetched yet may take several lines. Near the bottom of the view, its end stays there.
    const isLow = -pending.px + UNKNOWN_LINES * LINE_HEIGHT_PX > height;
    return isLow && row + 1 < total ? { row: row + 1, px: -height } : { row, px: pending.px };
  }
  return positionShowing(row, total, height, pending.align === 'third' ? 1 / 3 : 1 / 2, heights);
}

/**
 * Keeps the selected line, or else the top one, where it is in the view when another filter or encoding opens the text
 * again. If the line is folded now, its heading takes its place, and the selection.
 */
export function useKeptPosition({
  document,
  passing,
  rows,
  scroll,
  selected,
  selectOne,
  headingOf,
  following,
  setPending,
}: KeptOptions): void {
  const shown = useRef({ document, rows, passing });
  const kept = useRef<PendingLine | null>(null);
  const top = useRef<PendingLine | null>(null);
  const last = shown.current;
  if (last.document !== document || last.passing !== passing) {
    const { position, height, heights } = scroll.view.get();
    const { row, px } = position;
    const caret = isCaret(selected) ? last.rows.rowOf(selected!.focus) : -1;
    const isHeld = last.rows.lineOf(caret) === selected?.focus && isInView(caret, position, height, heights);
    const line = isHeld ? selected!.focus : last.rows.lineOf(row);
    const above = isHeld ? px - heightBetween(row, caret, heights) : px;
    const isStart = line === 1 && above === 0;
    // A filter that hid every line leaves none to keep: return to the line shown before it.
    if (line !== null) top.current = isStart ? null : { line, align: 'top', px: above, isKept: true };
    if (last.document && !following) kept.current = top.current;
  }
  shown.current = { document, rows, passing };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another opening or filter is shown
  useLayoutEffect(() => {
    const position = kept.current;
    kept.current = null;
    const caret = isCaret(selected) ? selected!.focus : null;
    if (caret !== null && headingOf(caret) !== caret) selectOne(headingOf(caret));
    if (typeof position?.line !== 'number') return;
    const line = headingOf(position.line);
    setPending((pending) => pending ?? { ...position, line });
  }, [document, passing]);
}

interface KeptOptions {
  document: OpenDocument | null;
  /** The filter of the rows. */
  passing: unknown;
  rows: RowsView;
  scroll: Scroll;
  selected: Selection | null;
  selectOne: (line: number) => void;
  headingOf: Filtered['headingOf'];
  /** Whether the end is followed, where the view then stays. */
  following: boolean;
  setPending: SetPending;
}

/** After a change of stream, goes to the line that arrived together with the line shown before. */
interface CorrespondingOptions {
  document: OpenDocument | null;
  initial: ViewState;
  scroll: Scroll;
  setPending: SetPending;
}

/** Returns whether the reader is still at the corresponding line: then going back restores the earlier view. */
export function useCorrespondingLine({ document, initial, scroll, setPending }: CorrespondingOptions) {
  const { from } = initial;
  const corresponding = useRef(initial.current);
  const asked = useRef(false);

  useEffect(() => {
    if (!document || !from || asked.current) return;
    const request = new AbortController();
    document.lineLike(from, request.signal).then(
      (line) => {
        asked.current = true;
        const { row, px } = scroll.view.get().position;
        // Don't override a scroll the user made meanwhile.
        if (line === null || row > 0 || px > 0) return;
        corresponding.current = line;
        setPending((pending) => pending ?? { line, align: 'third', px: 0 });
      },
      () => {
        // The view shows the error instead of the text.
      },
    );
    return () => request.abort();
  }, [document, from, scroll, setPending]);

  return useCallback((current: number) => corresponding.current === current, []);
}
