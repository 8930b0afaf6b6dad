/** Reports a view's position when another artifact or stream replaces it. */
import { useLayoutEffect, useRef } from 'react';
import type { StreamName } from '../../../shared/artifact.ts';
import type { Viewer } from '../../viewer/use-viewer.ts';
import { START_OF_TEXT, type StreamChange, type ViewState } from '../../viewer/view-state.ts';

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
  const hasNoLine = following || current === null || from === null || isStart;
  return {
    from,
    moved: current === null || !viewer.isWhereLed(current),
    view: { ...START_OF_TEXT, following, ...(hasNoLine ? {} : { from: { stream: from, line: current } }) },
  };
}
