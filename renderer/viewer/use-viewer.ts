/** The text of one open document: its rows, scroll position, selection and navigation. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSteady } from '../ui/state/use-steady.ts';
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
import { followState, isAnyUnread } from './follow/following.ts';
import { useFollowAtOpen, useStayAtEnd } from './follow/use-end-in-view.ts';
import { useFollow } from './follow/use-follow.ts';
import { Scroll } from './scrolling/scroll.ts';
import { type PendingLine, useKeptPosition, usePendingLine } from './scrolling/use-pending-line.ts';
import { useTail } from './scrolling/use-tail.ts';
import { passingRows, type RowsToCopy } from './selection/rows-to-copy.ts';
import { clampSelection, lineCount, type Selection, selectLine } from './selection/selection.ts';
import { useCopy } from './selection/use-copy.ts';
import { useKeepSelectionInView } from './selection/use-keep-selection-in-view.ts';
import { useUnfolding } from './text/json/use-unfolding.ts';
import { useCorrespondingLine } from './use-corresponding-line.ts';
import { useNavigation } from './use-navigation.ts';
import type { ViewState } from './view-state.ts';

export type Viewer = ReturnType<typeof useViewer>;

/** The filter of the text; the version changes whenever more lines are filtered. */
export interface Filtered {
  passing: FilteredLines | null;
  version: unknown;
}

/** @param say shows a short message in the status line */
export function useViewer(
  opened: Opened,
  initial: ViewState,
  say: (message: string) => void,
  { passing, version }: Filtered,
) {
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

  const { tail: uncounted, ...tailControls } = useTail({
    document,
    generation,
    totalBytes,
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
  const firstLine = rows.lineOf(0);
  const lastLine = rows.lineOf(rows.count - 1);
  const selection =
    firstLine === null || lastLine === null ? null : clampSelection(selected, firstLine, lastLine);

  const shownLines = passing ? rows.count : total;
  const extent = { lines: counted && !tail ? shownLines : null, bytes: totalBytes };
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
  useKeepSelectionInView(scroll, rows, selection);
  useFollowAtOpen({
    scroll,
    isRunning: state?.artifact.status === 'running',
    isSettled: counted && !tail && pending === null,
    isKnown: total > 0 || state?.total_bytes === 0,
    isFollowing: following === 'on',
    follow: follow.toggle,
  });
  const toCopy: RowsToCopy | null = useMemo(
    () => (passing ? passingRows(passing) : document),
    [passing, document],
  );
  const shownPart = selection && toCopy?.counted ? toCopy.counted(selection) : selection;
  const copy = useCopy(toCopy, say, total > 0 ? totalBytes / total : null);

  useKeptPosition({ document, passing, rows, scroll, following: following === 'on', setPending });
  const onSelect = useCallback((line: number) => select(selectLine(line)), []);
  const ready = state !== null && !tail;
  const known = counted && (passing?.settled ?? true);
  usePendingLine({ pending, setPending, rows, ready, counted: known, scroll, scroller, onSelect });
  const navigation = useNavigation({
    document,
    rows,
    scroll,
    range,
    setRange,
    total,
    counted,
    isTail: tail !== null,
    isFiltered: passing !== null,
    openTail: tailControls.open,
    closeTail: tailControls.close,
    pauseFollow: follow.pause,
    resumeFollow: follow.resume,
    setPending,
    selection,
    selectLine: onSelect,
    say,
  });

  const unfolding = useUnfolding(state);
  const isWhereLed = useCorrespondingLine({ document, initial, scroll, setPending });

  const toggleFollow = () => {
    follow.toggle();
    if (!counted && !passing && following !== 'on') void tailControls.open();
  };

  /** Ends one state: waiting for a line, copying, the selection, or the range. */
  const cancel = (): void => {
    if (pending) setPending(null);
    else if (copy.state.step === 'copying') copy.cancel();
    else if (selection) select(null);
    else if (range) navigation.showRange(null);
  };

  return useSteady({
    ...navigation,
    opened,
    passing,
    rows,
    scroll,
    scroller,
    range,
    selection,
    select,
    /** Number of shown selected lines; filters may hide some in between. */
    selectedLines: shownPart ? lineCount(shownPart) : 0,
    unfolding,
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
    /** Returns the current view, to restore it later. */
    viewState: (): ViewState => {
      const { row, px } = scroll.view.get().position;
      const line = rows.lineOf(row);
      // Until the view reaches the line it was opened at, that is the line to restore.
      const waiting = typeof pending?.line === 'number' ? pending : null;
      const shown = waiting ? { line: waiting.line as number, px: waiting.px } : { line, px };
      const current = waiting ? shown.line : (navigation.selectedLineInView() ?? navigation.topLine());
      // Not the clamped one, which is null until the text's lines are known.
      return { ...shown, range, selection: selected, following: following === 'on', current };
    },
    isWhereLed,
    /** Shows a short message in the status line. */
    say,
  });
}
