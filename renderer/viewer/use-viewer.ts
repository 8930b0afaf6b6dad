/** The text of one open document: its rows, scroll position, selection and navigation. */
import { type RefObject, useEffect, useRef, useState } from 'react';
import { toSpillwayError } from '../../shared/errors.ts';
import { PIECE_BYTES } from '../../shared/limits.ts';
import { formatCount } from '../../shared/text/format.ts';
import { useSteady } from '../ui/state/use-steady.ts';
import type { Opened } from './document/open-document.ts';
import type { RowsView } from './document/rows-view.ts';
import { heightBetween, Scroll, UNIFORM } from './scrolling/positions.ts';
import { extendTo, type Selection, selectLine } from './selection/selection.ts';
import { useSelection } from './selection/use-selection.ts';
import { useUnfolding } from './text/json-layout.ts';
import { useTimes } from './text/times.ts';
import { useFollowing } from './use-following.ts';
import { useNavigation } from './use-navigation.ts';
import {
  type Filtered,
  useCorrespondingLine,
  useKeptPosition,
  usePendingLine,
  useShownRows,
} from './use-shown-rows.ts';
import type { ViewState } from './view-state.ts';

export type Viewer = ReturnType<typeof useViewer>;

/** @param say shows a short message in the status line */
export function useViewer(
  opened: Opened,
  initial: ViewState,
  say: (message: string) => void,
  { passing, version, hasFilter, reveal, headingOf }: Filtered,
) {
  const { document, snapshot } = opened;
  const { state, total } = snapshot;
  const scroller = useRef<HTMLDivElement>(null);
  const [scroll] = useState(() => new Scroll());
  const shown = useShownRows({ opened, initial, scroll, say, passing, version });
  const { rows, range, pending, setPending, tail, counted } = shown;
  const isFiltered = passing !== null;
  const follow = useFollowing({ opened, shown, scroll, isFiltered, initially: initial.following });
  const { following } = follow;
  const { selection, selected, select, selectOne, selectedLines, copy } = useSelection({
    ...{ document, rows, scroll, say },
    // Folded lines are copied.
    passing: hasFilter ? passing : null,
    initial: initial.selection,
    meanLineBytes: total > 0 ? (state?.total_bytes ?? 0) / total : null,
  });
  useKeptPosition({
    ...{ document, passing, rows, scroll, selected, selectOne, headingOf, setPending },
    following: following === 'on',
  });
  usePendingLine({
    ...{ pending, setPending, rows, scroll, scroller },
    ready: state !== null && !tail,
    counted: counted && (passing?.settled ?? true),
    onSelect: selectOne,
    reveal,
    onMissed: (named, instead) => say(missedWords(named, instead, total, isFiltered)),
  });
  const navigation = useNavigation({
    ...{ document, shown, follow, scroll, selection, total, isFiltered, say },
    selectLine: selectOne,
  });
  const { showRange, selectedLineInView, topLine } = navigation;
  useTextInView({ rows, scroller }, selection);
  const unfolding = useUnfolding(state);
  const times = useTimes({ opened, counted, say });
  const isAtCorrespondingLine = useCorrespondingLine({ document, initial, scroll, setPending });

  /** Shows the piece of a long line before or after the shown one; false if there is none. */
  const readOn = (line: number, direction: -1 | 1): boolean => {
    const row = rows.row(rows.rowOf(line));
    if (!document || !row?.clipped || row.bytes <= PIECE_BYTES) return false;
    const { start, end } = row.piece ?? { start: 0, end: 0 };
    if (direction < 0 ? start === 0 : end === row.bytes) return false;
    // The keys that read on and back act on it, too.
    selectOne(line);
    document.long.show(line, row, direction < 0 ? start - PIECE_BYTES : end);
    // A person reads on from the start of the piece.
    scroller.current?.scrollTo({ left: 0, behavior: 'instant' });
    if (scroll.view.get().heights !== UNIFORM) navigation.lineToTop(line);
    return true;
  };

  /** Selects the lines of the entry around the current line, to copy or to mark them. */
  const selectEntry = async (): Promise<void> => {
    const line = navigation.currentLine();
    try {
      const entry = await document?.entryAround(line);
      if (entry) select(extendTo(selectLine(entry.first), entry.last));
    } catch (error) {
      say(toSpillwayError(error).message);
    }
  };

  return useSteady({
    selectEntry,
    ...navigation,
    readOn,
    ...times,
    ...{ opened, passing, hasFilter, rows, scroll, scroller, range, selection, select, selectedLines, copy },
    /** The selection, also where it is not shown. */
    selected,
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
    /** Ends one state: waiting for a line, copying, the selection, or the range. */
    cancel: () => {
      if (pending) setPending(null);
      else if (copy.state.step === 'copying') copy.cancel();
      else if (selection) select(null);
      else if (range) showRange(null);
    },
    /** Returns the current view, to restore it later. */
    viewState: (): ViewState => {
      const { position, heights } = scroll.view.get();
      // Until the view reaches the line it was opened at, that is the line to restore.
      const waiting = typeof pending?.line === 'number' ? { line: pending.line, px: pending.px } : null;
      const inView = selectedLineInView();
      const below = () => heightBetween(position.row, rows.rowOf(inView!), heights) - position.px;
      return {
        ...(waiting ?? { line: rows.lineOf(position.row), px: position.px }),
        range,
        // A part of a line drawn in another order would need the drawn text: restore the line.
        selection: selected?.columns?.drawn ? selectLine(selected.focus) : selected,
        ...(waiting || inView === null ? {} : { selectedAt: below() }),
        following,
        current: waiting?.line ?? inView ?? topLine(),
      };
    },
    isAtCorrespondingLine,
    /** Shows a short message in the status line. */
    say,
  });
}

/** Scrolls back to the left if the line one went to ends before the view, which would look empty. */
function useTextInView(
  { rows, scroller }: { rows: RowsView; scroller: RefObject<HTMLElement | null> },
  selection: Selection | null,
): void {
  const shown = useRef(selection?.focus);
  useEffect(() => {
    const line = selection?.focus;
    const view = scroller.current;
    if (shown.current === line) return;
    const row = view?.querySelector(
      `[data-fetched][data-index="${line === undefined ? -1 : rows.rowOf(line)}"]`,
    );
    if (line !== undefined && !row) return;
    shown.current = line;
    const [text, gutter] = ['[data-text]', '[data-gutter]'].map((part) => row?.querySelector(part));
    if (!view || !text || !gutter || view.scrollLeft === 0) return;
    if (text.getBoundingClientRect().right <= gutter.getBoundingClientRect().right) view.scrollLeft = 0;
  });
}

/** Says which line is shown instead of one that a person named. */
function missedWords(named: number, shown: number, total: number, isFiltered: boolean): string {
  const line = `line ${formatCount(shown)}`;
  if (named > total)
    return `There is no line ${formatCount(named)}; went to ${isFiltered ? `${line}, the last one shown` : 'the last one'}`;
  const hidden = `Line ${formatCount(named)} is hidden by the filters`;
  return shown > named ? `${hidden}: ${line} follows it` : `${hidden}: ${line} is the last one shown`;
}
