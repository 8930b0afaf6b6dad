/** Figures and names as both shells show them. */
import { graphemeCeil, graphemeFloor } from './clip.ts';

const SIZES = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** Bytes in binary units: `0 B`, `1.5 MiB`, `312 GiB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // 1023.5 would be shown as 1024 of the smaller unit.
  while (Math.abs(value) >= (unit === 0 ? 1024 : 1023.5) && unit < SIZES.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${shortNumber(value)} ${SIZES[unit]}`;
}

/** A count with its digits in groups of three: `4,600,000`. */
export function formatCount(count: number): string {
  const [whole = '', fraction] = String(count).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** `1 line`, `2 lines`, `1,000 lines`. */
export function plural(count: number, one: string, many: string = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Milliseconds in the two largest units that matter: `340 ms`, `1.2 s`, `2 min 5 s`, `3 h 4 min`, `2 d 3 h`. */
export function formatDuration(ms: number): string {
  if (ms < 0) return `-${formatDuration(-ms)}`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${shortNumber(ms / SECOND_MS)} s`;
  const seconds = Math.round(ms / SECOND_MS) * SECOND_MS;
  if (seconds < HOUR_MS) return pair(seconds, MINUTE_MS, 'min', SECOND_MS, 's');
  const minutes = Math.round(ms / MINUTE_MS) * MINUTE_MS;
  if (minutes < DAY_MS) return pair(minutes, HOUR_MS, 'h', MINUTE_MS, 'min');
  return pair(Math.round(ms / HOUR_MS) * HOUR_MS, DAY_MS, 'd', HOUR_MS, 'h');
}

/** Returns `3 min ago`, or `in 3 min` for the future; `-` when `then` is not a time. Milliseconds of the same clock. */
export function formatRelative(then: number, now: number): string {
  if (Number.isNaN(then)) return '-';
  const ms = Math.abs(now - then);
  if (ms < 5 * SECOND_MS) return 'just now';
  const text =
    ms < MINUTE_MS
      ? `${Math.floor(ms / SECOND_MS)} s`
      : ms < HOUR_MS
        ? `${Math.floor(ms / MINUTE_MS)} min`
        : ms < DAY_MS
          ? `${Math.floor(ms / HOUR_MS)} h`
          : `${formatCount(Math.floor(ms / DAY_MS))} d`;
  return then > now ? `in ${text}` : `${text} ago`;
}

/** A long name with its middle left out, at most `maxChars` UTF-16 code units: `cmd-npm_te…-abc123`. */
export function shortenMiddle(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  if (maxChars <= 1) return maxChars === 1 ? '…' : '';
  const head = Math.ceil((maxChars - 1) / 2);
  const tail = maxChars - 1 - head;
  return `${text.slice(0, graphemeFloor(text, head))}…${text.slice(graphemeCeil(text, text.length - tail))}`;
}

/** One decimal below 100, none above; `.0` is left out. */
function shortNumber(value: number): string {
  return Math.abs(value) < 99.95 ? String(Math.round(value * 10) / 10) : String(Math.round(value));
}

function pair(ms: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
  const first = Math.floor(ms / large);
  const second = Math.round((ms - first * large) / small);
  const head = `${formatCount(first)} ${largeUnit}`;
  return second === 0 ? head : `${head} ${second} ${smallUnit}`;
}

/** Amounts that people read and type: `1 GiB`, `24`, `7 days`. Nothing is rounded. */

const BYTES: readonly [word: string, bytes: number][] = [
  ['TiB', 1024 ** 4],
  ['GiB', 1024 ** 3],
  ['MiB', 1024 ** 2],
  ['KiB', 1024],
];

/** Returns it in the largest unit that tells it exactly with two decimals at most. */
export function formatExactBytes(bytes: number): string {
  for (const [word, size] of BYTES) {
    const count = Math.round((bytes / size) * 100) / 100;
    if (count >= 1 && count * size === bytes) return `${count} ${word}`;
  }
  return `${bytes} bytes`;
}

/** Takes `2 GiB`, `1.5g`, `500 MB` (as MiB, as everywhere here) and plain bytes; null for anything else. */
export function parseBytes(text: string): number | null {
  const [, digits, letter] = /^\s*(\d+(?:\.\d+)?)\s*(?:([kmgt])i?b?|b|bytes?)?\s*$/i.exec(text) ?? [];
  if (digits === undefined) return null;
  const [, size = 1] = BYTES.find(([word]) => word[0] === letter?.toUpperCase()) ?? [];
  return Math.round(Number(digits) * size);
}

/** Takes `24`, `24 h`, `7 days`; null for anything else. */
export function parseHours(text: string): number | null {
  const [, digits, unit] = /^\s*(\d+(?:\.\d+)?)\s*(h|hours?|d|days?)?\s*$/i.exec(text) ?? [];
  if (digits === undefined) return null;
  return Number(digits) * (unit?.toLowerCase().startsWith('d') ? 24 : 1);
}
