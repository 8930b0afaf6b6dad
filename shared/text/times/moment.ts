/** Turns the parts of a written time into a moment. Missing years and days are chosen by when the text was written. */

/** A time as it is written. Months count from 1. */
interface WrittenTime {
  /** Null where only month and day are written. */
  year: number | null;
  month: number;
  day: number;
  clock: WrittenClock;
}

export interface WrittenClock {
  hours: number;
  minutes: number;
  /** With a fraction. */
  seconds: number;
  /** Minutes east of UTC; null for local time. */
  zone: number | null;
}

const MINUTE_MS = 60_000;
/** Clocks of other zones, and lines written since the text was looked at, may be ahead of it. */
const AHEAD_OF_DAY_MS = 60 * MINUTE_MS;
const AHEAD_OF_YEAR_MS = 24 * 60 * MINUTE_MS;
/** Years without a February 29 that can follow one another. */
const MAX_YEARS_BACK = 8;

/**
 * Milliseconds since 1970; null for what no calendar has, such as February 30. A time without a year is the last such
 * one up to `writtenBy`, and has no moment where that is not known.
 */
export function momentOf({ year, month, day, clock }: WrittenTime, writtenBy: number | null): number | null {
  if (year !== null) return onDay(year, month, day, clock);
  if (writtenBy === null) return null;
  const last = new Date(writtenBy).getFullYear() + 1;
  for (let each = last; each >= last - MAX_YEARS_BACK; each -= 1) {
    const moment = onDay(each, month, day, clock);
    if (moment !== null && moment <= writtenBy + AHEAD_OF_YEAR_MS) return moment;
  }
  return null;
}

/** The last time the clock showed this up to `writtenBy`, in milliseconds since 1970. */
export function momentOfClock(clock: WrittenClock, writtenBy: number | null): number | null {
  if (writtenBy === null) return null;
  const day = new Date(writtenBy);
  for (const ahead of [1, 0, -1, -2]) {
    const on = new Date(day.getFullYear(), day.getMonth(), day.getDate() + ahead);
    const moment = onDay(on.getFullYear(), on.getMonth() + 1, on.getDate(), clock);
    if (moment === null || moment <= writtenBy + AHEAD_OF_DAY_MS) return moment;
  }
  return null;
}

/** Minutes east of UTC: 0 for `Z` and the like, null where no zone is written. */
export function zoneOf(written: string | undefined): number | null {
  if (written === undefined) return null;
  if (!/^[+-]/.test(written)) return 0;
  const digits = written.replace(':', '').padEnd(5, '0');
  const minutes = Number(digits.slice(1, 3)) * 60 + Number(digits.slice(3, 5));
  return written[0] === '-' ? -minutes : minutes;
}

function onDay(year: number, month: number, day: number, clock: WrittenClock): number | null {
  const { hours, minutes, seconds, zone } = clock;
  if (hours > 23 || minutes > 59 || seconds >= 61) return null;
  if (month < 1 || month > 12 || day < 1 || day > daysOf(year, month)) return null;
  const ms = Math.floor(Math.round(seconds * 1e9) / 1e6);
  if (zone === null) return new Date(year, month - 1, day, hours, minutes, 0, ms).getTime();
  return Date.UTC(year, month - 1, day, hours, minutes - zone) + ms;
}

function daysOf(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
