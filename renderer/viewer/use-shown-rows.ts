/** The rows that are shown of a text: all, a range, the lines that pass its filters, or the tail. */
import { useEffect, useMemo, useState } from 'react';
import { isCounted } from './document/open-document.ts';
import {
  type FilteredLines,
  type LineRange,
  passingView,
  type RowsView,
  rangeView,
  tailView,
} from './document/rows-view.ts';
import type { Opened } from './document/use-open-document.ts';
import type { Scroll } from './scrolling/scroll.ts';
import type { PendingLine } from './scrolling/use-pending-line.ts';
import { useTail } from './scrolling/use-tail.ts';
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
