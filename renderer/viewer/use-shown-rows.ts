/** The rows that are shown of a text: all, a range, the lines that pass its filters, or the tail. */

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
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
import { endPosition, isAtEnd } from './scrolling/positions.ts';
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
    if (passing) return passingView(passing, range);
    const start = range?.start ?? 1;
    const end = Math.min(range?.end ?? total, total);
    return rangeView(document.rows, start, Math.max(0, end - start + 1));
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

interface TailOptions extends Omit<ShownRowsOptions, keyof Filtered | 'initial'> {
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
