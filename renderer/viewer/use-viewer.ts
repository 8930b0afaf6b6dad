/** The text of one open document: its rows, scroll position, selection and navigation. */
import { useRef, useState } from 'react';
import { formatCount } from '../../shared/text/format.ts';
import { useSteady } from '../ui/state/use-steady.ts';
import type { Opened } from './document/open-document.ts';
import type { Following } from './following.ts';
import { heightBetween } from './scrolling/positions.ts';
import { Scroll } from './scrolling/scroll.ts';
import type { Copying } from './selection/CopyDialog.tsx';
import { type Selection, selectLine } from './selection/selection.ts';
import { useSelection } from './selection/use-selection.ts';
import { useTimes } from './text/times.ts';
import { useUnfolding } from './text/unfolding.ts';
import { useFollowing } from './use-following.ts';
import { useNavigation } from './use-navigation.ts';
import { useCorrespondingLine, useKeptPosition, usePendingLine } from './use-pending-line.ts';
import { type Filtered, type ShownRows, useShownRows } from './use-shown-rows.ts';
import type { ViewState } from './view-state.ts';

export type Viewer = ReturnType<typeof useViewer>;

/** @param say shows a short message in the status line */
export function useViewer(
  opened: Opened,
  initial: ViewState,
  say: (message: string) => void,
  { passing, version }: Filtered,
) {
  const { document, snapshot } = opened;
  const { state, total } = snapshot;
  const totalBytes = state?.total_bytes ?? 0;
  const scroller = useRef<HTMLDivElement>(null);
  const [scroll] = useState(() => new Scroll());
  const shown = useShownRows({ opened, initial, scroll, say, passing, version });
  const { rows, range, setRange, pending, setPending, tail, counted } = shown;

  const follow = useFollowing({
    ...{ opened, scroll, rows, tail, counted, pending },
    isFiltered: passing !== null,
    initially: initial.following,
  });
  const { following } = follow;
  const { selection, selected, select, selectOne, selectedLines, copy } = useSelection({
    initial: initial.selection,
    document,
    passing,
    rows,
    scroll,
    meanLineBytes: total > 0 ? totalBytes / total : null,
    say,
  });
  useKeptPosition({ document, passing, rows, scroll, following: following === 'on', setPending });
  usePendingLine({
    pending,
    setPending,
    rows,
    ready: state !== null && !tail,
    counted: counted && (passing?.settled ?? true),
    scroll,
    scroller,
    onSelect: selectOne,
    onMissed: (named, shown) => say(missedWords(named, shown, { total, isFiltered: passing !== null })),
  });
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
    openTail: shown.openTail,
    closeTail: shown.closeTail,
    pauseFollow: follow.pause,
    resumeFollow: follow.resume,
    setPending,
    selection,
    selectLine: selectOne,
    say,
  });
  const unfolding = useUnfolding(state);
  const times = useTimes({ opened, counted, say });
  const isAtCorrespondingLine = useCorrespondingLine({ document, initial, scroll, setPending });

  return useSteady({
    ...navigation,
    ...times,
    opened,
    passing,
    rows,
    scroll,
    scroller,
    range,
    selection,
    /** The selection, also where it is not shown. */
    selected,
    select,
    selectedLines,
    unfolding,
    pending,
    stopWaiting: () => setPending(null),
    tail,
    counted,
    followState: follow.state,
    unread: follow.unread,
    rowsAhead: follow.ahead,
    toggleFollow: () => {
      follow.toggle();
      if (!counted && !passing && following !== 'on') void shown.openTail();
    },
    copy,
    /** Ends one state: waiting for a line, copying, the selection, or the range. */
    cancel: () =>
      cancelOne({ pending, setPending, copy, selection, select, range, showRange: navigation.showRange }),
    /** Returns the current view, to restore it later. */
    viewState: () => viewNow({ scroll, rows, range, pending, selected, following, navigation }),
    isAtCorrespondingLine,
    /** Shows a short message in the status line. */
    say,
  });
}

/** Says which line is shown instead of one that a person named. */
function missedWords(
  named: number,
  shown: number,
  { total, isFiltered }: { total: number; isFiltered: boolean },
): string {
  const line = `line ${formatCount(shown)}`;
  if (named > total)
    return `There is no line ${formatCount(named)}; went to ${isFiltered ? `${line}, the last one shown` : 'the last one'}`;
  const hidden = `Line ${formatCount(named)} is hidden by the filters`;
  return shown > named ? `${hidden}: ${line} follows it` : `${hidden}: ${line} is the last one shown`;
}

interface Cancellable extends Pick<ShownRows, 'pending' | 'setPending' | 'range'> {
  copy: Copying;
  selection: Selection | null;
  select: (selection: null) => void;
  showRange: (range: null) => void;
}

function cancelOne(now: Cancellable): void {
  if (now.pending) now.setPending(null);
  else if (now.copy.state.step === 'copying') now.copy.cancel();
  else if (now.selection) now.select(null);
  else if (now.range) now.showRange(null);
}

interface View extends Pick<ShownRows, 'rows' | 'range' | 'pending'> {
  scroll: Scroll;
  /** Not clamped to the text, as its lines may not be known yet. */
  selected: Selection | null;
  following: Following;
  navigation: Pick<ReturnType<typeof useNavigation>, 'selectedLineInView' | 'topLine'>;
}

function viewNow({ scroll, rows, range, pending, selected, following, navigation }: View): ViewState {
  const { position, heights } = scroll.view.get();
  // Until the view reaches the line it was opened at, that is the line to restore.
  const waiting = typeof pending?.line === 'number' ? { line: pending.line, px: pending.px } : null;
  const inView = navigation.selectedLineInView();
  const selectedAt =
    waiting || inView === null
      ? null
      : heightBetween(position.row, rows.rowOf(inView), heights) - position.px;
  return {
    ...(waiting ?? { line: rows.lineOf(position.row), px: position.px }),
    range,
    // A part of a line drawn in another order would need the drawn text: restore the line.
    selection: selected?.columns?.drawn ? selectLine(selected.focus) : selected,
    ...(selectedAt === null ? {} : { selectedAt }),
    following,
    current: waiting?.line ?? inView ?? navigation.topLine(),
  };
}
