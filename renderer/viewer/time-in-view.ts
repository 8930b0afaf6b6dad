/** The time of what is in view. */
import { timeOf } from './text/line-times.ts';
import type { Viewer } from './use-viewer.ts';

/** Rows below the top that are looked at for a time. */
const MAX_LOOK_ROWS = 200;

/** Milliseconds since the epoch: of the first row in view that has a time; null when none near has one. */
export function timeInView({ rows, scroll }: Pick<Viewer, 'rows' | 'scroll'>): number | null {
  const { row } = scroll.view.get().position;
  for (let index = row; index < Math.min(rows.count, row + MAX_LOOK_ROWS); index += 1) {
    const time = timeOf(rows.row(index));
    if (time !== null) return time;
  }
  return null;
}
