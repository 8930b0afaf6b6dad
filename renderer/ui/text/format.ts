/** Formats sizes and times for the window; `shared/text/format.ts` formats for window and command line. */
import { escapeControls } from '../../../shared/text/escape.ts';
import { formatBytes, formatCount, formatDuration } from '../../../shared/text/format.ts';
import { sinceStart } from '../../../shared/text/line-time.ts';

/** Returns a key as the keyboard names it: `Ctrl+Shift+L`, on a Mac `⇧⌘L`. */
export function keyOnKeyboard(key: string, isMac = IS_MAC): string {
  if (!isMac) return key;
  const [, names = '', last = key] = /^((?:(?:Ctrl|Alt|Shift)\+)*)(.+)$/s.exec(key) ?? [];
  const signs = [names.includes('Alt') && '⌥', names.includes('Shift') && '⇧', names.includes('Ctrl') && '⌘'];
  return `${signs.filter(Boolean).join('')}${last}`;
}

const IS_MAC = /^Mac/.test(globalThis.navigator?.platform ?? '');

/** Returns `138 MiB (144,186,213 B)`, or one figure if both are equal. */
export function formatBytesExactly(bytes: number): string {
  return bytes < 1024 ? formatBytes(bytes) : `${formatBytes(bytes)} (${formatCount(bytes)} B)`;
}

/** Returns `0 s`, `59 s`, `1 min 5 s`, `2 h 0 min`, without fractions, for running times. */
export function formatElapsed(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1000);
  return seconds < 60 ? `${seconds} s` : formatDuration(seconds * 1000);
}

/** Returns `just now`, `5 min ago`, `3 h ago`, `2 d ago`, then the date. Takes milliseconds since 1970. */
export function formatAge(time: number, now: number): string {
  const minutes = Math.floor(Math.max(0, now - time) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ago`;
  const days = Math.floor(hours / 24);
  return days < 31 ? `${days} d ago` : localDay(new Date(time));
}

/** A shorter form: `now`, `5 min`, `3 h`, `2 d`, then the date. */
export function formatShortAge(time: number, now: number): string {
  return formatAge(time, now).replace('just now', 'now').replace(' ago', '');
}

/** Returns the time in the reader's time zone: `2026-01-13 10:30:00 UTC+01:00`. */
export function formatExact(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : `${localDay(date)} ${localClock(date)} UTC${zone(date)}`;
}

/** Returns the time of day in the reader's time zone: `10:30:05`. */
export function formatClock(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : localClock(date);
}

/** Returns local time, `10:30:05` or `10:30:05.123`; or the hours since the start, `27:30:05`. */
export function localClock(date: Date, withMs = false): string {
  const since = sinceStart(date.getTime());
  const hours = since === null ? date.getHours() : Math.floor(since / 3_600_000);
  const time = [hours, date.getMinutes(), date.getSeconds()].map(two).join(':');
  return withMs ? `${time}.${String(date.getMilliseconds()).padStart(3, '0')}` : time;
}

/** Returns the local day, `2026-01-13`. */
export function localDay(date: Date): string {
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Returns `Today`, `Yesterday`, `Monday, 12 January`, or `12 January 2025`. Takes local days, `2026-01-13`. */
export function formatDay(day: string, today: string): string {
  const date = new Date(`${day}T12:00`);
  if (Number.isNaN(date.getTime())) return 'No date';
  const yesterday = new Date(`${today}T12:00`);
  yesterday.setDate(yesterday.getDate() - 1);
  if (day === today) return 'Today';
  if (day === localDay(yesterday)) return 'Yesterday';
  const name = (style: Intl.DateTimeFormatOptions) => date.toLocaleDateString('en-GB', style);
  const inYear = `${date.getDate()} ${name({ month: 'long' })}`;
  const isThisYear = day.slice(0, 4) === today.slice(0, 4);
  return isThisYear ? `${name({ weekday: 'long' })}, ${inYear}` : `${inYear} ${date.getFullYear()}`;
}

/** Returns whole percent; 100 only for the whole. */
export function formatPercent(part: number, whole: number): string {
  if (whole <= 0) return '0 %';
  return `${part >= whole ? 100 : Math.min(99, Math.floor((part / whole) * 100))} %`;
}

/** Turns `text` into a sentence. */
export function sentence(text: string): string {
  return `${heading(text)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

/** Capitalizes `text` unless it begins with a file's name, and escapes its control characters. */
export function heading(text: string): string {
  const isName = /^[\w-]+\.\w/.test(text);
  return escapeControls(isName ? text : `${text.charAt(0).toUpperCase()}${text.slice(1)}`);
}

function zone(date: Date): string {
  const offset = -date.getTimezoneOffset();
  if (offset === 0) return '';
  const minutes = Math.abs(offset);
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

// Which lines are quoted, and the address of a line.

/** The address of a line in the window's hash. */
interface LineAddress {
  artifactId: string;
  /** Null for the default stream. */
  stream: string | null;
  line: number;
  /** The last line that it selects; itself by default. */
  lastLine?: number;
}

/** @param page address of the window, without a fragment */
export function permalink(page: string, { artifactId, stream, line, lastLine = line }: LineAddress): string {
  const lines = `${line}-${lastLine}`;
  return `${page}#${new URLSearchParams({ a: artifactId, ...(stream ? { s: stream } : {}), l: lines })}`;
}

/** Returns the window's own address, without a fragment. */
export function pageAddress(): string {
  return `${location.origin}${location.pathname}`;
}

/** Lines from 1. `count`: how many of `first` to `last` are quoted, as filters may hide others. */
export interface QuotedRange {
  first: number;
  last: number;
  count: number;
}

/** Returns `line 7`, `lines 3–4`, `2 of lines 449–471, filtered`. `of` follows the numbers: ` of stdout`. */
export function rangeWords(range: QuotedRange, of = ''): string {
  const { first, last, count } = range;
  if (first === last) return `line ${first}${of}`;
  return isFiltered(range)
    ? `${count} of lines ${first}–${last}${of}, filtered`
    : `lines ${first}–${last}${of}`;
}

/** Returns a clause about the other lines that a command prints besides the quoted ones; empty if there are none. */
export function restWords(range: QuotedRange): string {
  const { first, last } = range;
  return isFiltered(range) ? ` prints all ${last - first + 1} lines, also those that filters hid` : '';
}

function isFiltered({ first, last, count }: QuotedRange): boolean {
  return count < last - first + 1;
}
