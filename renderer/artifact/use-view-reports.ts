/** Reports where a view is: its top line while it is shown, its position when it is replaced. */
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { StreamName } from '../../shared/artifact.ts';
import { whenStill } from '../ui/state/time.ts';
import type { Viewer } from '../viewer/use-viewer.ts';
import { START_OF_TEXT, type StreamChange, type ViewState } from '../viewer/view-state.ts';

/** Reports the view's position when another artifact or stream replaces it. */
export function useLeaveReport(viewer: Viewer, onLeave: (view: ViewState) => void): void {
  const leave = useRef(() => {});
  leave.current = () => {
    if (viewer.opened.snapshot.state) onLeave(viewer.viewState());
  };
  // A layout effect, so that it ends before its replacement begins.
  useLayoutEffect(() => () => leave.current(), []);
}

/** Returns where another stream opens: at bytes that arrived at the same time. */
export function changeFrom(viewer: Viewer, from: StreamName | null): StreamChange {
  const { current, line, px, selection, following } = viewer.viewState();
  const isStart = selection === null && line === 1 && px === 0;
  const hasNoLine = following === 'on' || current === null || from === null || isStart;
  return {
    from,
    moved: current === null || !viewer.isAtCorrespondingLine(current),
    view: { ...START_OF_TEXT, following, ...(hasNoLine ? {} : { from: { stream: from, line: current } }) },
  };
}

/** Milliseconds without scrolling. */
const STILL_MS = 200;
/** A followed text may never be still: milliseconds after which to report it nevertheless. */
const MOST_MS = 1000;

/** Reports the top line of the view after scrolling has stopped, or once a second. */
export function useLineReport(viewer: Viewer, onLine: (line: number) => void): void {
  const { rows, scroll, pending } = viewer;
  const latest = useRef(rows);
  latest.current = rows;
  useEffect(() => {
    // Until the view reaches the line it was opened at, a reload returns to that line.
    if (pending) return;
    const reports = whenStill(
      () => {
        const { current: rows } = latest;
        const line = rows.count > 0 ? rows.lineOf(scroll.view.get().position.row) : null;
        if (line !== null) onLine(line);
      },
      STILL_MS,
      MOST_MS,
    );
    reports.call();
    const unsubscribe = scroll.view.subscribe(reports.call);
    return () => {
      reports.stop();
      unsubscribe();
    };
  }, [scroll.view, onLine, pending]);
}
