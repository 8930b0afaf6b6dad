/** The time of a line: its recorded arrival, else the time it begins with. */
import type { Row } from '../../../shared/api/rows.ts';
import { lineTime } from '../../../shared/text/times/line-time.ts';

export const NO_TIMES = 'These lines have no times: none were recorded, and the text has none';

export type TimeColumn = 'off' | 'time' | 'since';

/** Returns milliseconds since the epoch; null if there is neither. A time without a zone is local. */
export function timeOf(row: Row | undefined): number | null {
  if (!row || row.missing) return null;
  return row.at ?? row.told_at ?? lineTime(row.text);
}

/** Returns the column's text for a line; null for an empty cell. */
export function timeText(column: TimeColumn, row: Row | undefined, above: Row | undefined): string | null {
  if (column === 'off') return null;
  const time = timeOf(row);
  if (time === null) return null;
  if (column === 'time') return clock(time);
  const before = timeOf(above);
  return before === null ? '' : since(time - before);
}

/** Returns local time: `10:30:00.123`. */
function clock(time: number): string {
  const date = new Date(time);
  const two = (value: number) => String(value).padStart(2, '0');
  const seconds = `${two(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, '0')}`;
  return `${two(date.getHours())}:${two(date.getMinutes())}:${seconds}`;
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
