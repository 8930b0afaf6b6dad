/** Learns from many lines of a log how its times are meant where a single one does not tell. */
import { lineTime, NO_FACTS, type TimeForm } from './line-time.ts';

/** Lines that begin with a whole number of seconds must be most lines. */
const MOST = 0.9;

const SLASHES = /(?<![\d/])(\d\d?)\/(\d\d?)\/(?:\d{4}|\d\d(?=,))(?:,?[ \t-]|,)\d/;
/** With a clock of twelve hours, as in the United States. Others who have one write `am` and `pm` in small letters. */
const TWELVE_HOURS = /\d\/(?:\d{4}|\d\d),?[ \t-]{1,2}\d\d?(?::\d\d){1,2}(?:[.,]\d+)? ?[AP]\.?M\b/;
/** A day and a month without a year. */
const POINTS = /(?<![\d.])(\d\d)\.(\d\d) \d\d:\d\d:\d\d/;
/** DB2's times, Chromium's, Unreal Engine's and Zabbix's: without a clock that the summary's scanner looks for. */
const CLOCKLESS =
  /^(?:\d{4}-\d\d-\d\d-\d\d\.\d\d\.\d\d\.|\[(?:\d+:\d+:)?\d{4}\/\d{6}\.\d|\[\d{4}\.\d\d\.\d\d-\d\d\.\d\d\.|[ \d]*\d:\d{8}:\d{6}\.\d)/;
/** IIS and CloudFront, among others, write times in UTC, in columns that this header names. */
const W3C_HEADER =
  /^#Fields:(?:.*\s)?(?:date\s+time|time\s+date|date-time)\b|^#(?:Version|Software):[\s\S]*^#Fields:/m;
/** When its rows begin, in UTC. */
const W3C_DATE = /^#Date: +(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)/m;
/** As Windows' firewall says. */
const LOCAL_HEADER = /^#Time Format: Local/m;
const HEADER_LINES = 10;
const EPOCH = /^1(?:\d{9}|\d{12}|\d{15}|\d{18})(?=[ \t,;:|]|$)/;
/** Seconds since the start, behind a priority; or a clock that counts from it (GStreamer). */
const FROM_START = /^(?:(?:<\d{1,3}>)?\[ *\d{1,8}\.\d{3}(?:\d{3})?s?\]|\d{1,3}:\d\d:\d\d\.\d{9} +\d+ +0x)/;
/** Of ids that begin alike, the span would be larger. */
const MOST_YEARS_MS = 10 * 365 * 24 * 3600 * 1000;

/** Whether the line alone does not tell its time. */
export function dependsOnForm(line: string): boolean {
  return SLASHES.test(line) || POINTS.test(line) || EPOCH.test(line) || FROM_START.test(line);
}

const HEADER_CHARS = 1024;

/** Whether a text, or its beginning, has the header of the W3C's format, whose times are in UTC. */
export function hasFields(head: string | Uint8Array): boolean {
  const text = typeof head === 'string' ? head : String.fromCharCode(...head.subarray(0, HEADER_CHARS));
  return W3C_HEADER.test(text) && !LOCAL_HEADER.test(text);
}

/** @param writtenBy when the text was last written to, in milliseconds since the epoch; null where not known */
export function learnTimeForm(lines: readonly string[], writtenBy: number | null = null): TimeForm {
  const header = lines.slice(0, HEADER_LINES).join('\n');
  const isUtc = hasFields(header);
  const since = isUtc ? W3C_DATE.exec(header)?.[1] : undefined;
  return {
    ...(since === undefined ? {} : { since: Date.parse(`${since.replace(' ', 'T')}Z`) }),
    isDayFirst: isDayFirst(lines, writtenBy),
    hasSeconds: hasSeconds(lines),
    countsFromStart: countsFromStart(lines),
    ...(lines.some((line) => CLOCKLESS.test(line)) ? { hasPoints: true } : {}),
    zone: isUtc ? 0 : null,
  };
}

/**
 * A number over 12 tells. Where none is: month first with `AM` and `PM`, else the order in which the times of
 * these lines lie closer together, or the last one closer to when it was written.
 */
function isDayFirst(lines: readonly string[], writtenBy: number | null): boolean | null {
  const dateOf = (line: string) => SLASHES.exec(line) ?? POINTS.exec(line);
  const dated = lines.filter((line) => dateOf(line) !== null);
  if (dated.length === 0) return null;
  const over12 = [0, 0];
  for (const line of dated) {
    const found = dateOf(line)!;
    for (const i of [0, 1]) if (Number(found[i + 1]) > 12) over12[i]! += 1;
  }
  if (over12[0]! + over12[1]! > 0) return over12[0]! > over12[1]!;
  if (dated.some((line) => TWELVE_HOURS.test(line))) return false;
  const [dayFirst, monthFirst] = [true, false].map((isDayFirst) => {
    const times = dated.flatMap((line) => lineTime(line, { ...NO_FACTS, writtenBy, isDayFirst }) ?? []);
    const gaps = times.map((time, i) => Math.abs(time - (times[i - 1] ?? time)));
    const age = writtenBy === null ? 0 : Math.abs(writtenBy - (times.at(-1) ?? writtenBy));
    return { span: gaps.reduce((sum, gap) => sum + gap, 0), age };
  }) as [Reading, Reading];
  return dayFirst.span === monthFirst.span ? dayFirst.age < monthFirst.age : dayFirst.span < monthFirst.span;
}

interface Reading {
  /** Milliseconds between neighbours, in all. */
  span: number;
  /** Milliseconds between the last line and when it was written. */
  age: number;
}

function countsFromStart(lines: readonly string[]): boolean {
  const filled = lines.filter((line) => line.trim() !== '');
  const counting = filled.filter((line) => FROM_START.test(line));
  return counting.length > 0 && counting.length >= filled.length / 2;
}

function hasSeconds(lines: readonly string[]): boolean {
  const filled = lines.filter((line) => line.trim() !== '');
  const epochs = filled.filter((line) => EPOCH.test(line));
  if (epochs.length === 0 || epochs.length < filled.length * MOST) return false;
  const facts = { ...NO_FACTS, hasSeconds: true };
  const times = epochs.map((line) => lineTime(line, facts) ?? Number.NaN);
  return Math.max(...times) - Math.min(...times) < MOST_YEARS_MS;
}
