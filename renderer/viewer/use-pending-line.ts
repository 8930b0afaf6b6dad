/** Goes to a line once it is known to exist, as lines far down must be counted first. */

import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import type { OpenDocument } from './document/open-document.ts';
import type { RowsView } from './document/rows-view.ts';
import {
  clampPosition,
  endPosition,
  LINE_HEIGHT_PX,
  positionShowing,
  rowAt,
  type ScrollPosition,
  UNIFORM,
  type Viewport,
} from './scrolling/positions.ts';
import type { Scroll } from './scrolling/scroll.ts';
import type { ViewState } from './view-state.ts';

export interface PendingLine {
  line: number | 'end';
  /** Position in the view. `third` and `middle` also select the line. */
  align: 'top' | 'third' | 'middle';
  /** Pixels of the line above the view, or below its top if negative; only with `top`. */
  px: number;
  /** Whether a person named this very line, who is told if another one is shown instead. */
  isNamed?: boolean;
}

export type SetPending = (
  change: PendingLine | null | ((last: PendingLine | null) => PendingLine | null),
) => void;

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
}

export function usePendingLine(options: PendingLineOptions): void {
  const { pending, setPending, rows, ready, counted, scroll, scroller, onSelect, onMissed } = options;
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows may include the line
  useLayoutEffect(() => {
    if (!pending || !ready) return;
    const last = rows.lineOf(rows.count - 1) ?? 0;
    if (!counted && (pending.line === 'end' || pending.line > last)) return;
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
      return clampPosition(rowAt(row, px, total, heights), total, height);
    }
    // A row not fetched yet may take several lines. Near the bottom of the view, its end stays there.
    const isLow = -pending.px + UNKNOWN_LINES * LINE_HEIGHT_PX > height;
    return isLow && row + 1 < total ? { row: row + 1, px: -height } : { row, px: pending.px };
  }
  return positionShowing(row, total, height, pending.align === 'third' ? 1 / 3 : 1 / 2, heights);
}

/** Keeps the line at the top when the same text is opened again, such as with another encoding or filter. */
export function useKeptPosition({
  document,
  passing,
  rows,
  scroll,
  following,
  setPending,
}: KeptOptions): void {
  const shown = useRef({ document, rows, passing });
  const kept = useRef<PendingLine | null>(null);
  const top = useRef<PendingLine | null>(null);
  const last = shown.current;
  if (last.document !== document || last.passing !== passing) {
    const { row, px } = scroll.view.get().position;
    const line = last.rows.lineOf(row);
    const isStart = line === 1 && px === 0;
    // A filter that hid every line leaves none to keep: return to the line shown before it.
    if (line !== null) top.current = isStart ? null : { line, align: 'top', px };
    if (last.document && !following) kept.current = top.current;
  }
  shown.current = { document, rows, passing };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another opening or filter is shown
  useLayoutEffect(() => {
    const position = kept.current;
    kept.current = null;
    if (position) setPending((pending) => pending ?? position);
  }, [document, passing]);
}

interface KeptOptions {
  document: OpenDocument | null;
  /** The filter of the rows. */
  passing: unknown;
  rows: RowsView;
  scroll: Scroll;
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
