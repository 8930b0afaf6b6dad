/**
 * Scrolls two panes together: whichever moves takes the other with it. By line, the distance between them stays as it
 * was when this was switched on. By time, the other shows what came when the top line did.
 */
import { useEffect } from 'react';
import type { ScrollPosition } from '../../viewer/scrolling/scroll-window.ts';
import { timeOf } from '../../viewer/text/line-times.ts';
import type { Viewer } from '../../viewer/use-viewer.ts';
import type { Together } from '../tabs/actions.ts';
import type { LiveViewer } from '../tabs/use-tabs.ts';

/** Milliseconds without scrolling before the other pane is asked for a time. */
const STILL_MS = 40;
/** Lines below the top that are looked at for a time. */
const MAX_LOOK = 200;

export function useScrollTogether(
  together: Together,
  first: LiveViewer | null,
  second: LiveViewer | null,
): void {
  useEffect(() => {
    if (together === 'off' || !first || !second) return;
    const panes = [first, second] as const;
    const distance = topLine(second.current) - topLine(first.current);
    /** Where a pane was moved to from here: that is no move of its own. */
    const led: (ScrollPosition | null)[] = [null, null];
    let timer: ReturnType<typeof setTimeout> | undefined;
    let asked = new AbortController();

    const moveTo = (index: number, line: number) => {
      const { rows, scroll } = panes[index]!.current;
      if (rows.count === 0) return;
      const row = Math.min(rows.count - 1, Math.max(0, line - (rows.lineOf(0) ?? 1)));
      led[index] = { row, px: 0 };
      scroll.moveTo({ row, px: 0 });
      led[index] = scroll.view.get().position;
    };
    const byLine = (index: number) => {
      const line = topLine(panes[index]!.current);
      moveTo(1 - index, index === 0 ? line + distance : line - distance);
    };
    const byTime = (index: number) => {
      clearTimeout(timer);
      timer = setTimeout(async () => {
        asked.abort();
        asked = new AbortController();
        const { signal } = asked;
        const time = topTime(panes[index]!.current);
        const { document } = panes[1 - index]!.current.opened;
        if (time === null || !document) return;
        const line = await document.lineAtTime(time, signal).catch(() => null);
        if (line !== null && !signal.aborted) moveTo(1 - index, line);
      }, STILL_MS);
    };
    const unsubscribe = panes.map((pane, index) =>
      pane.current.scroll.view.subscribe(() => {
        const { row, px } = pane.current.scroll.view.get().position;
        const expected = led[index];
        if (expected && expected.row === row && expected.px === px) return;
        led[index] = null;
        if (together === 'line') byLine(index);
        else byTime(index);
      }),
    );
    if (together === 'time') byTime(0);
    return () => {
      clearTimeout(timer);
      asked.abort();
      for (const each of unsubscribe) each();
    };
  }, [together, first, second]);
}

function topLine({ rows, scroll }: Viewer): number {
  return rows.lineOf(scroll.view.get().position.row) ?? 1;
}

/** Of the first line in view that has a time. */
function topTime({ rows, scroll }: Viewer): number | null {
  const { row } = scroll.view.get().position;
  for (let index = row; index < Math.min(rows.count, row + MAX_LOOK); index += 1) {
    const time = timeOf(rows.row(index));
    if (time !== null) return time;
  }
  return null;
}
