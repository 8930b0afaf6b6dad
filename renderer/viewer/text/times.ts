/** The times of lines: recorded arrivals, else what lines begin with; and the column that shows them. */

import { useEffect, useRef, useState } from 'react';
import type { Row } from '../../../shared/api/rows.ts';
import { lineTime } from '../../../shared/text/line-time.ts';
import { useStore } from '../../ui/state/store.ts';
import { localClock } from '../../ui/text/format.ts';
import type { OpenDocument, Opened } from '../document/open-document.ts';
import type { RowsView } from '../document/rows-view.ts';
import type { Scroll } from '../scrolling/positions.ts';
import { changeTextSettings, nextTimes, type TimeColumn, textSettings } from './text-settings.ts';

export const NO_TIMES = 'These lines have no times: none were recorded, and the text has none';

/** Returns milliseconds since the epoch; null if there is neither. A time without a zone is local. */
export function timeOf(row: Row | undefined): number | null {
  if (!row || row.missing) return null;
  return row.at ?? (row.told_at === undefined ? lineTime(row.text) : row.told_at);
}

/** Returns the column's text for a line; null for an empty cell. */
export function timeText(column: TimeColumn, row: Row | undefined, above: Row | undefined): string | null {
  if (column === 'off') return null;
  const time = timeOf(row);
  if (time === null) return null;
  if (column === 'time') return localClock(new Date(time), true);
  const before = timeOf(above);
  return before === null ? '' : since(time - before);
}

/** Returns at most twelve characters: `+0.004 s`, `+12.300 s`, `+5 min 12 s`, `+3 h 20 min`. */
function since(ms: number): string {
  const sign = ms < 0 ? '−' : '+';
  const total = Math.abs(ms);
  if (total < 60_000) return `${sign}${(total / 1000).toFixed(3)} s`;
  const minutes = Math.floor(total / 60_000);
  if (minutes < 60) return `${sign}${minutes} min ${Math.floor((total % 60_000) / 1000)} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 1000 ? `${sign}${hours} h ${minutes % 60} min` : `${sign}${Math.floor(hours / 24)} days`;
}

/** Most rows below the top to search for a time. */
const MAX_LOOK_ROWS = 200;

/** Returns the time of the first row in view that has one, in milliseconds since the epoch; null if none nearby has. */
export function timeInView({ rows, scroll }: { rows: RowsView; scroll: Scroll }): number | null {
  const { row } = scroll.view.get().position;
  for (let index = row; index < Math.min(rows.count, row + MAX_LOOK_ROWS); index += 1) {
    const time = timeOf(rows.row(index));
    if (time !== null) return time;
  }
  return null;
}

/** Lines at the end of a text in which to look for a time. */
const LAST_LINES = 50;

interface TimesOptions {
  opened: Opened;
  /** Whether all lines are counted. Until then, finding a time would wait for them. */
  counted: boolean;
  say: (message: string) => void;
}

export function useTimes({ opened: { document, snapshot }, counted, say }: TimesOptions) {
  const isOn = useStore(textSettings).times !== 'off';
  /** A document known to have no times. */
  const [timeless, setTimeless] = useState<OpenDocument | null>(null);
  const isTimeless = timeless !== null && timeless === document;
  /** Whether to say that there are none: T was pressed before it was known. */
  const isAsked = useRef(false);
  const generation = snapshot.state?.generation ?? null;
  // A text that grew to twice its lines may have times now.
  const size = Math.ceil(Math.log2(snapshot.total + 1));

  // biome-ignore lint/correctness/useExhaustiveDependencies: another or a longer text may have times
  useEffect(() => {
    if (!isOn || !document || !counted) return;
    const request = new AbortController();
    hasTimes(document, request.signal).then(
      (has) => {
        setTimeless(has ? null : document);
        if (!has && isAsked.current) say(NO_TIMES);
        isAsked.current = false;
      },
      // Keep the column: without the host, nothing is known.
      () => {},
    );
    return () => request.abort();
  }, [isOn, document, counted, generation, size]);

  return {
    /** Whether to leave out the column of times, as the text has none. */
    isTimeless,
    /** Shows the next kind of times, or says that there are none. */
    nextTimes: async (): Promise<void> => {
      const isKnown = isOn && !isTimeless;
      isAsked.current = !counted;
      if (document && counted && !isKnown) {
        const has = await hasTimes(document, new AbortController().signal).catch(() => true);
        setTimeless(has ? null : document);
        if (!has) return say(NO_TIMES);
      }
      changeTextSettings({ times: nextTimes(textSettings.get().times) });
    },
  };
}

/** Whether a line near the start or the end has a time, or arrival times were recorded. */
async function hasTimes(document: OpenDocument, signal: AbortSignal): Promise<boolean> {
  if ((await document.lineAtTime(0, signal)) !== null) return true;
  const { rows } = await document.fetchTail(LAST_LINES, signal);
  return rows.some((row) => timeOf(row) !== null);
}
