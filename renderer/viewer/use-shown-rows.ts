/** The rows that are shown of a text: all, a range, the lines that pass its filters, or the tail. */

import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
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
import { comparePositions, endPosition } from './scrolling/positions.ts';
import type { Scroll } from './scrolling/scroll.ts';
import type { PendingLine } from './use-pending-line.ts';
import type { ViewState } from './view-state.ts';

/** The filter of the text; the version changes whenever more lines are filtered. */
export interface Filtered {
  passing: FilteredLines | null;
  version: unknown;
}

interface ShownRowsOptions extends Filtered {
  opened: Opened;
  initial: ViewState;
  scroll: Scroll;
  say: (message: string) => void;
}

export type ShownRows = ReturnType<typeof useShownRows>;

export function useShownRows({ opened, initial, scroll, say, passing, version }: ShownRowsOptions) {
  const { document, snapshot } = opened;
  const { state, total } = snapshot;
  const counted = isCounted(snapshot);
  const [range, setRange] = useState<LineRange | null>(initial.range);
  const [pending, setPending] = useState<PendingLine | null>(
    initial.line === null ? null : { align: 'top', ...placeOf(initial) },
  );
  const {
    tail: uncounted,
    open: openTail,
    close: closeTail,
  } = useTail({
    document,
    generation: state?.generation ?? null,
    totalBytes: state?.total_bytes ?? 0,
    counted,
    scroll,
    // Don't override a destination the user chose meanwhile.
    onCounted: (line, px) => setPending((last) => last ?? { line, align: 'top', px }),
    onProblem: say,
  });
  // The tail, which has no line numbers, can't be filtered.
  const tail = passing ? null : uncounted;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version has other passing lines
  const rows: RowsView = useMemo(() => {
    if (tail) return tailView(tail.rows);
    if (!document) return tailView([]);
    if (passing) return passingView(passing, range);
    const start = range?.start ?? 1;
    const end = Math.min(range?.end ?? total, total);
    return rangeView(document.rows, start, Math.max(0, end - start + 1));
  }, [tail, document, range, total, passing, version]);
  // While a filter is on, the unfiltered rows would otherwise be fetched again after each growth.
  useEffect(() => {
    if (passing) document?.rows.rest();
  }, [passing, document]);
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

interface TailOptions {
  document: OpenDocument | null;
  generation: number | null;
  totalBytes: number;
  counted: boolean;
  scroll: Scroll;
  /** Called once numbers are known: show the text with `line` (or its end) at the top of the view. */
  onCounted: (line: number | 'end', px: number) => void;
  onProblem: (message: string) => void;
}

/**
 * Shows the end of a stream before its lines are counted: the last rows, without numbers, which the host reads
 * backwards from the end. They get their numbers, and the rest of the text around them, after the count.
 */
export function useTail(options: TailOptions) {
  const { document, generation, totalBytes, counted } = options;
  const latest = useRef(options);
  latest.current = options;
  const [tail, setTail] = useState<Tail | null>(null);
  const request = useRef<AbortController | null>(null);
  const shown = tail && tail.document === document && tail.generation === generation ? tail : null;

  const open = useCallback(async () => {
    const { document } = latest.current;
    if (!document) return;
    request.current?.abort();
    const mine = new AbortController();
    request.current = mine;
    try {
      const result = await document.fetchTail(TAIL_ROWS, mine.signal);
      if (request.current !== mine) return;
      setTail({ document, generation: result.generation, rows: result.rows });
    } catch (error) {
      const { code, message } = toSpillwayError(error);
      if (code !== 'cancelled') latest.current.onProblem(message);
    }
  }, []);

  const close = useCallback(() => {
    request.current?.abort();
    request.current = null;
    setTail(null);
  }, []);

  const isOpen = shown !== null;
  // It grew while being counted, so the end moved.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only growth asks again, not opening
  useEffect(() => {
    if (!isOpen || counted) return;
    const { position, height, total, heights } = latest.current.scroll.view.get();
    // Don't scroll a reader who scrolled up.
    if (comparePositions(position, endPosition(total, height, heights)) >= 0) void open();
  }, [totalBytes]);

  useLayoutEffect(() => {
    if (!shown) return;
    const { moveTo, view } = latest.current.scroll;
    const { height, heights } = view.get();
    moveTo(endPosition(shown.rows.length, height, heights), 'layout');
  }, [shown]);

  useEffect(() => {
    if (!shown || !counted) return;
    const { position, height, total, heights } = latest.current.scroll.view.get();
    const top = shown.rows[position.row];
    const mine = new AbortController();
    const finish = (line: number | 'end') => {
      if (mine.signal.aborted) return;
      setTail(null);
      latest.current.onCounted(line, line === 'end' ? 0 : position.px);
    };
    if (!top || comparePositions(position, endPosition(total, height, heights)) >= 0) return finish('end');
    shown.document.lineAt(top.offset, mine.signal).then(finish, () => finish('end'));
    return () => mine.abort();
  }, [shown, counted]);

  return { tail: shown, open, close };
}
