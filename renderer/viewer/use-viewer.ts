/** The text of one open document: its rows, where the view is, what is selected, and how to move. */
import { useCallback, useMemo, useRef, useState } from 'react';
import { isCounted } from './document/open-document.ts';
import { type LineRange, linesView, type RowsView, tailView } from './document/rows-view.ts';
import type { Opened } from './document/use-open-document.ts';
import { followState, isAnyUnread } from './follow/following.ts';
import { useFollow } from './follow/use-follow.ts';
import { useStayAtEnd } from './follow/use-stay-at-end.ts';
import { Scroll } from './scrolling/scroll.ts';
import { type PendingLine, useKeptPosition, usePendingLine } from './scrolling/use-pending-line.ts';
import { useTail } from './scrolling/use-tail.ts';
import { clampSelection, type Selection, selectLine } from './selection/selection.ts';
import { useCopy } from './selection/use-copy.ts';
import { useCorrespondingLine } from './use-corresponding-line.ts';
import { useNavigation } from './use-navigation.ts';
import type { ViewState } from './view-state.ts';

export type Viewer = ReturnType<typeof useViewer>;

/** @param say shows a short message in the status line */
export function useViewer(opened: Opened, initial: ViewState, say: (message: string) => void) {
  const { document, snapshot } = opened;
  const { state, total } = snapshot;
  const generation = state?.generation ?? null;
  const totalBytes = state?.total_bytes ?? 0;
  const counted = isCounted(snapshot);
  const scroller = useRef<HTMLDivElement>(null);
  const [scroll] = useState(() => new Scroll());
  const [range, setRange] = useState<LineRange | null>(initial.range);
  const [selected, select] = useState<Selection | null>(initial.selection);
  const [pending, setPending] = useState<PendingLine | null>(
    initial.line === null ? null : { line: initial.line, align: 'top', px: initial.px },
  );

  const { tail, ...tailControls } = useTail({
    document,
    generation,
    totalBytes,
    counted,
    scroll,
    // Don't override a destination the user chose meanwhile.
    onCounted: (line, px) => setPending((last) => last ?? { line, align: 'top', px }),
    onProblem: say,
  });
  const rows: RowsView = useMemo(() => {
    if (tail) return tailView(tail.rows);
    if (!document) return tailView([]);
    const start = range?.start ?? 1;
    const end = Math.min(range?.end ?? total, total);
    return linesView(document.rows, start, Math.max(0, end - start + 1));
  }, [tail, document, range, total]);
  const firstLine = rows.lineOf(0);
  const selection =
    firstLine === null ? null : clampSelection(selected, firstLine, firstLine + rows.count - 1);

  const extent = { lines: counted && !tail ? total : null, bytes: totalBytes };
  const follow = useFollow(
    scroll,
    rows,
    extent,
    snapshot,
    { opening: document, generation },
    initial.following,
  );
  const { following, unread } = follow;
  useStayAtEnd(scroll, following);
  const copy = useCopy(document, say, total > 0 ? totalBytes / total : null);

  useKeptPosition(document, scroll, firstLine, setPending);
  const onSelect = useCallback((line: number) => select(selectLine(line)), []);
  const ready = state !== null && !tail;
  usePendingLine({ pending, setPending, rows, ready, counted, scroll, scroller, onSelect });
  const navigation = useNavigation({
    document,
    rows,
    scroll,
    range,
    setRange,
    total,
    counted,
    isTail: tail !== null,
    openTail: tailControls.open,
    closeTail: tailControls.close,
    pauseFollow: follow.pause,
    resumeFollow: follow.resume,
    setPending,
    selection,
    selectLine: onSelect,
    say,
  });

  const isWhereLed = useCorrespondingLine({ document, initial, scroll, setPending });

  const toggleFollow = () => {
    follow.toggle();
    if (!counted && following !== 'on') void tailControls.open();
  };

  /** Ends one thing: waiting for a line, copying, the selection, the range. */
  const cancel = (): void => {
    if (pending) setPending(null);
    else if (copy.state.step === 'copying') copy.cancel();
    else if (selection) select(null);
    else if (range) navigation.showRange(null);
  };

  return {
    ...navigation,
    opened,
    rows,
    scroll,
    scroller,
    range,
    selection,
    select,
    pending,
    stopWaiting: () => setPending(null),
    tail,
    counted,
    followState: followState(following, state?.artifact, isAnyUnread(unread)),
    unread,
    rowsAhead: follow.ahead,
    toggleFollow,
    copy,
    cancel,
    /** The present view, to return to it. */
    viewState: (): ViewState => {
      const { row, px } = scroll.view.get().position;
      const line = rows.lineOf(row);
      // Until the line it was opened at is reached, that is the one to return to.
      const waiting = typeof pending?.line === 'number' ? pending : null;
      const shown = waiting ? { line: waiting.line as number, px: waiting.px } : { line, px };
      const current = waiting ? shown.line : navigation.currentLine();
      return { ...shown, range, selection, following: following === 'on', current };
    },
    isWhereLed,
  };
}
