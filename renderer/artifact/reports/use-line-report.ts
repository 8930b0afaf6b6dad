/** Reports the top line of the view after scrolling has stopped. */
import { useEffect } from 'react';
import type { Viewer } from '../../viewer/use-viewer.ts';

/** Milliseconds without scrolling. */
const STILL_MS = 200;

export function useLineReport(viewer: Viewer, onLine: (line: number) => void): void {
  const { rows, scroll, pending } = viewer;
  useEffect(() => {
    // Until the view reaches the line it was opened at, a reload returns to that line.
    if (pending) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const report = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const line = rows.count > 0 ? rows.lineOf(scroll.view.get().position.row) : null;
        if (line !== null) onLine(line);
      }, STILL_MS);
    };
    report();
    const unsubscribe = scroll.view.subscribe(report);
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [rows, scroll.view, onLine, pending]);
}
