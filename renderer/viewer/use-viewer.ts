/** What the viewer shows and can be told to do: everything the toolbar, the keys and the status line share. */
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { toSpillwayError } from '../../shared/errors.ts';
import { isCounted } from './document/open-document.ts';
import { linesView, type RowsView, tailView } from './document/rows-view.ts';
import type { Opened } from './document/use-open-document.ts';
import { useTail } from './document/use-tail.ts';
import { followLook } from './follow/follow-look.ts';
import { useFollow } from './follow/use-follow.ts';
import { useStayAtEnd } from './follow/use-stay-at-end.ts';
import { anyNew } from './follow/waiting.ts';
import { type Destination, lineOfDestination } from './panels/go-to.ts';
import { Scroll } from './scrolling/scroll.ts';
import {
  clampPlace,
  isWhollyVisible,
  lastPlace,
  type Place,
  placeShowing,
} from './scrolling/scroll-window.ts';
import { clampSelection, type Selection, selectLine } from './selection/selection.ts';
import { useCopy } from './selection/use-copy.ts';

/** Lines from and to, both included. */
export interface LineRange {
  start: number;
  end: number;
}

/** A line to go to as soon as it is known to exist. */
export interface Pending {
  line: number | 'end';
  /** `third`: a third of the way down, and selected; `middle`: half of it. */
  align: 'top' | 'third' | 'middle';
  px: number;
}

export type Viewer = ReturnType<typeof useViewer>;

export function useViewer(
  opened: Opened,
  initialLine: number | null,
  initialRange: LineRange | null,
  say: (message: string) => void,
) {
  const { document, snapshot } = opened;
  const { state, total } = snapshot;
  const counted = isCounted(snapshot);
  const scroller = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState<LineRange | null>(initialRange);
  const [selected, select] = useState<Selection | null>(null);
  const [pending, setPending] = useState<Pending | null>(
    initialLine === null ? null : { line: initialLine, align: 'top', px: 0 },
  );
  const [scroll] = useState(() => new Scroll());

  const {
    tail,
    open: openTail,
    close: closeTail,
  } = useTail({
    document,
    generation: state?.generation ?? null,
    totalBytes: state?.total_bytes ?? 0,
    counted,
    scroll,
    // Whoever has gone elsewhere meanwhile is not taken back.
    onCounted: (line, px) => setPending((waiting) => waiting ?? { line, align: 'top', px }),
    onProblem: say,
  });

  const rows: RowsView = useMemo(() => {
    if (tail) return tailView(tail.rows);
    if (!document) return tailView([]);
    const start = range?.start ?? 1;
    const end = Math.min(range?.end ?? total, total);
    return linesView(document.rows, start, Math.max(0, end - start + 1));
  }, [tail, document, range, total]);

  const {
    following,
    waiting,
    toggle: toggleFollow,
    resume: resumeFollow,
    pause: pauseFollow,
    ahead,
  } = useFollow(
    scroll,
    rows,
    { lines: counted && !tail ? total : null, bytes: state?.total_bytes ?? 0 },
    snapshot,
    { opening: document, generation: state?.generation ?? null },
  );
  useStayAtEnd(scroll, following);
  const look = followLook(following, state?.artifact, anyNew(waiting));
  const copy = useCopy(document, say);
  const first = rows.lineOf(0);
  const selection = first === null ? null : clampSelection(selected, first, first + rows.count - 1);

  const latest = useRef({ rows, range, total, counted, tail, selection });
  latest.current = { rows, range, total, counted, tail, selection };

  // Another opening of the same text (a new encoding, a host that came back) is shown where the last one was.
  const shown = useRef(document);
  const carried = useRef<Place | null>(null);
  if (shown.current !== document) {
    if (shown.current && !tail) carried.current = scroll.view.get().place;
    shown.current = document;
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the document is what carries over
  useLayoutEffect(() => {
    const place = carried.current;
    carried.current = null;
    if (place && (place.row > 0 || place.px > 0)) {
      setPending(
        (waiting) => waiting ?? { line: place.row + (range?.start ?? 1), align: 'top', px: place.px },
      );
    }
  }, [document]);

  const ready = state !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows may have the line that is waited for
  useLayoutEffect(() => {
    if (!pending || !ready || tail) return;
    const rowsNow = latest.current.rows;
    const start = rowsNow.lineOf(0) ?? 1;
    const last = start + rowsNow.count - 1;
    if (!counted && (pending.line === 'end' || pending.line > last)) return;
    setPending(null);
    if (rowsNow.count === 0) return;
    const height = scroller.current?.clientHeight ?? scroll.view.get().height;
    const line = pending.line === 'end' ? last : Math.min(pending.line, last);
    const row = Math.max(0, line - start);
    if (pending.line === 'end') scroll.moveTo(lastPlace(rowsNow.count, height), 'layout');
    else if (pending.align !== 'top') {
      const part = pending.align === 'third' ? 1 / 3 : 1 / 2;
      scroll.moveTo(placeShowing(row, rowsNow.count, height, part), 'layout');
    } else scroll.moveTo(clampPlace({ row, px: pending.px }, rowsNow.count, height), 'layout');
    if (pending.align !== 'top') select(selectLine(line));
  }, [pending, rows, counted, ready, tail]);

  const goToLine = useCallback(
    (line: number | 'end') => {
      const { range } = latest.current;
      closeTail();
      if (line !== 'end') pauseFollow();
      if (range && typeof line === 'number' && (line < range.start || line > range.end)) setRange(null);
      setPending({ line, align: 'third', px: 0 });
    },
    [closeTail, pauseFollow],
  );

  /** Selects the line, in the middle of the view; where it is when it can be seen, if that will do. */
  const showLine = useCallback(
    (line: number, move: 'always' | 'unless visible') => {
      const { rows, tail } = latest.current;
      const { place, height } = scroll.view.get();
      const row = line - (rows.lineOf(0) ?? 1);
      if (move === 'unless visible' && !tail && row < rows.count && isWhollyVisible(row, place, height)) {
        setPending(null);
        pauseFollow();
        select(selectLine(line));
        return;
      }
      goToLine(line);
      setPending({ line, align: 'middle', px: 0 });
    },
    [goToLine, pauseFollow, scroll.view.get],
  );

  const toStart = useCallback(() => {
    setPending(null);
    pauseFollow();
    if (latest.current.tail) {
      closeTail();
      setPending({ line: 1, align: 'top', px: 0 });
    } else scroll.moveTo({ row: 0, px: 0 });
  }, [closeTail, pauseFollow, scroll.moveTo]);

  const toEnd = useCallback(() => {
    const { rows, counted, tail, range, total } = latest.current;
    setPending(null);
    resumeFollow();
    const endIsHere = counted || tail !== null || (range !== null && range.end <= total);
    if (endIsHere) scroll.moveTo(lastPlace(rows.count, scroll.view.get().height));
    else void openTail();
  }, [openTail, resumeFollow, scroll.moveTo, scroll.view.get]);

  /** The line that "from here" means: where the selection ends, else the top of the view. */
  const currentLine = useCallback((): number => {
    const { selection, rows } = latest.current;
    return selection?.focus ?? rows.lineOf(scroll.view.get().place.row) ?? 1;
  }, [scroll.view.get]);

  const goTo = useCallback(
    async (destination: Destination) => {
      const { total, counted } = latest.current;
      if (destination.kind === 'offset') {
        if (!document) return;
        try {
          goToLine(await document.lineAt(destination.offset, new AbortController().signal));
        } catch (error) {
          say(toSpillwayError(error).message);
        }
      } else if (destination.kind === 'end') {
        if (counted) goToLine('end');
        else toEnd();
      } else if (destination.kind === 'line') goToLine(destination.line);
      else if (counted) goToLine(lineOfDestination(destination, currentLine(), total));
      else if (destination.kind === 'relative') goToLine(Math.max(1, currentLine() + destination.lines));
      else say('A percentage needs the line count, which is not known yet');
    },
    [currentLine, document, goToLine, say, toEnd],
  );

  const showRange = useCallback(
    (next: LineRange | null) => {
      const line = latest.current.rows.lineOf(scroll.view.get().place.row);
      const from = latest.current.range;
      closeTail();
      setRange(next);
      if (next) {
        pauseFollow();
        setPending({ line: next.start, align: 'top', px: 0 });
      } else if (from && line !== null) setPending({ line, align: 'top', px: 0 });
    },
    [closeTail, pauseFollow, scroll.view.get],
  );

  const follow = useCallback(() => {
    toggleFollow();
    if (!latest.current.counted && following !== 'on') void openTail();
  }, [following, openTail, toggleFollow]);

  /** One thing at a time: a wait, a copy, the selection, the range. True when there was something. */
  const cancel = useCallback((): void => {
    if (pending) setPending(null);
    else if (copy.state.step === 'copying') copy.cancel();
    else if (selection) select(null);
    else if (range) showRange(null);
  }, [copy, pending, range, selection, showRange]);

  return {
    opened,
    rows,
    scroll,
    scroller,
    range,
    selection,
    pending,
    tail,
    counted,
    following,
    followLook: look,
    waiting,
    ahead,
    copy,
    select,
    goTo,
    goToLine,
    showLine,
    toStart,
    toEnd,
    showRange,
    follow,
    cancel,
    currentLine,
    stopWaiting: () => setPending(null),
  };
}
