/**
 * Goes to the first line that arrived at a time or later. If it is not shown, goes to the nearest shown line and says
 * so.
 */
import type { OpenDocument } from '../viewer/document/open-document.ts';
import { NO_TIMES, timeOf } from '../viewer/text/line-times.ts';
import type { Viewer } from '../viewer/use-viewer.ts';

/** Lines before the found one in which to look for a time. */
const LOOK_LINES = 50;

interface Wanted {
  /** Milliseconds since 1970. */
  time: number;
  words: string;
  /** Milliseconds that it stands for, such as a minute: lines that much later count as at that time. */
  length: number;
}

export async function goToTime(
  viewer: Pick<Viewer, 'passing' | 'goToLine'>,
  document: Pick<OpenDocument, 'lineAtTime' | 'fetchRows'>,
  { time, words, length }: Wanted,
  say: (text: string) => void,
): Promise<void> {
  const { signal } = new AbortController();
  const found = await document.lineAtTime(time, signal);
  if (found === null) return say(NO_TIMES);
  const from = Math.max(1, found - LOOK_LINES);
  const { rows } = await document.fetchRows(from, found - from + 1, signal);
  const times = rows.map(timeOf);
  const came = times.findLast((each) => each !== null) ?? null;
  const isLate = came !== null && came < time;
  const isFirst = from === 1 && times.slice(0, -1).every((each) => each === null);
  const isEarly = isFirst && came !== null && came >= time + length;

  const { passing } = viewer;
  if (passing?.settled && passing.count > 0) {
    const [first, last] = [passing.lineOf(0), passing.lineOf(passing.count - 1)];
    if (last !== null && (found > last || (isLate && found === last))) {
      viewer.goToLine(last);
      return say(`All lines shown are before ${words}; went to the last one`);
    }
    if (first !== null && (found < first || (isEarly && found === first))) {
      viewer.goToLine(first);
      // If the first line shown has that time, there is nothing to report.
      const [row] = (await document.fetchRows(first, 1, signal)).rows;
      const begins = timeOf(row);
      if (begins === null || begins >= time + length)
        say(`All lines shown are after ${words}; went to the first one`);
      return;
    }
  }
  viewer.goToLine(found);
  if (isLate) say(`All lines are before ${words}; went to the last one`);
  else if (isEarly) say(`All lines are after ${words}; went to the first one`);
}
