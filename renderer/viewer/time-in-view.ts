/** Finds the time of the lines in view. */
import { timeOf } from './text/line-times.ts';
import type { Viewer } from './use-viewer.ts';

/** Most rows below the top to search for a time. */
const MAX_LOOK_ROWS = 200;

/** Returns the time of the first row in view that has one, in milliseconds since the epoch; null if none nearby has. */
export function timeInView({ rows, scroll }: Pick<Viewer, 'rows' | 'scroll'>): number | null {
  const { row } = scroll.view.get().position;
  for (let index = row; index < Math.min(rows.count, row + MAX_LOOK_ROWS); index += 1) {
    const time = timeOf(rows.row(index));
    if (time !== null) return time;
  }
  return null;
}
