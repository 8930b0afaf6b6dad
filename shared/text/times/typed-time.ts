/** Understands a time that a person types: a time of day, with or without a date before it, or a date alone. */
import { momentOf, type WrittenClock, zoneOf } from './moment.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const TYPED =
  /^\s*(?:(?:(\d{4})[-/])?(\d\d)[-/](\d\d)(?:T|\s+))?(\d{1,2}):(\d\d)(?::(\d\d(?:[.,]\d{1,9})?))?\s*(Z|UTC|[+-]\d\d:?\d\d)?\s*$/i;

const TYPED_DATE = /^\s*\d{4}[-/]\d\d[-/]\d\d\s*$/;

interface TypedTime {
  /** Milliseconds since 1970. */
  time: number;
  hasDate: boolean;
  /** Whether it is a date alone. */
  isDay: boolean;
  /** Milliseconds that it stands for: a minute, or a day. */
  length: number;
}

/**
 * Returns null for other text. A missing date means the first such time after `start`. A missing year means that of
 * `start`, a missing zone local time. Pass NaN for an unknown `start`.
 */
export function typedTime(typed: string, start: number): TypedTime | null {
  const isDate = TYPED_DATE.test(typed);
  const found = TYPED.exec(isDate ? `${typed.trim()} 00:00` : typed);
  if (!found) return null;
  const [, year, month, day, hours, minutes, seconds = '0', zone] = found;
  const clock: WrittenClock = {
    hours: Number(hours),
    minutes: Number(minutes),
    seconds: Number(seconds.replace(',', '.')),
    zone: zoneOf(zone),
  };
  if (year === undefined && Number.isNaN(start)) return null;
  const first = new Date(start);
  const date =
    month === undefined
      ? { year: first.getFullYear(), month: first.getMonth() + 1, day: first.getDate() }
      : { year: Number(year ?? first.getFullYear()), month: Number(month), day: Number(day) };
  const time = momentOf({ ...date, clock }, null);
  if (time === null) return null;
  // The minute it began in is meant, too.
  const isBefore = month === undefined && time + MINUTE_MS <= start;
  return {
    time: isBefore ? time + DAY_MS : time,
    hasDate: month !== undefined,
    isDay: isDate,
    length: isDate ? DAY_MS : MINUTE_MS,
  };
}
