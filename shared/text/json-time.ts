/** Finds where a log line's JSON object begins, and the fields in it that tell its time. */

export interface JsonTime {
  /** As it is written, without quotes. */
  written?: string;
  /** Seconds since 1970, where an object tells them as numbers. */
  seconds: number | null;
  /** Of that second. */
  nanos: number;
}

/** Lower case, most likely first. The names of log libraries, of journald and of Kubernetes. */
export const TIME_KEYS = [
  ...['time', 'ts', 'timestamp', '@timestamp', '@t', 'datetime', 'asctime', 't', 'instant', '_time', 'epoch'],
  ...['event_time', 'eventtime', 'requestreceivedtimestamp', '__realtime_timestamp', 'date'],
];

/** A JSON object behind the name of a service or of a program, such as `web-1  | `. */
const OBJECT_BEHIND = /^[^{"]{0,80}[|:\]]\s*(?=\{\s*")/;

/** Returns the index at which the line's JSON object may begin; -1 for other lines. */
export function objectStart(text: string): number {
  const blank = /^\s*/.exec(text)![0].length;
  return text[blank] === '{' ? blank : (OBJECT_BEHIND.exec(text)?.[0].length ?? -1);
}

const LONGEST_KEY_CHARS = 32;
const LONGEST_VALUE_CHARS = 200;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Returns the times in the object that begins at `from`, the most likely first: of its own fields, whatever their place,
 * and not of the objects that they hold. A line may be cut.
 */
export function jsonTimes(text: string, from: number): JsonTime[] {
  const found: { rank: number; time: JsonTime }[] = [];
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x7b || code === 0x5b) depth += 1;
    else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
      if (depth <= 0) break;
    } else if (code === QUOTE) {
      const end = stringEnd(text, at);
      if (depth === 1 && end - at <= LONGEST_KEY_CHARS) {
        const colon = skipSpace(text, end + 1);
        if (text.charCodeAt(colon) === 0x3a) {
          const rank = TIME_KEYS.indexOf(text.slice(at + 1, end).toLowerCase());
          const time = rank < 0 ? null : timeAt(text, skipSpace(text, colon + 1));
          if (time) found.push({ rank, time });
        }
      }
      at = end;
    }
  }
  return found.sort((a, b) => a.rank - b.rank).map(({ time }) => time);
}

/** Returns the index of the quote that ends the string; of the text's end where it is cut. */
function stringEnd(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === 0x20) at += 1;
  return at;
}

const NUMBER = /\d{10,19}(?:\.\d+)?(?=[\s,}\]]|$)/y;
/** As MongoDB, Google's and Java's libraries, and Monolog write a time. */
const NESTED_TEXT = /"(?:\$date|date)" ?: ?"([^"]{8,40})"/;
const NESTED_SECONDS = /"(?:seconds|epochSecond)" ?: ?"?(\d{9,11})\b/;
const NESTED_NANOS = /"(?:nanos|nanoOfSecond)" ?: ?(\d{1,9})\b/;

function timeAt(text: string, at: number): JsonTime | null {
  const code = text.charCodeAt(at);
  if (code === QUOTE) {
    const end = stringEnd(text, at);
    const written = text.slice(at + 1, end);
    return end < text.length && written.length >= 8 && written.length <= 40
      ? { written, seconds: null, nanos: 0 }
      : null;
  }
  if (code === 0x7b) {
    const end = text.indexOf('}', at);
    const inside = text.slice(at, Math.min(end < 0 ? text.length : end + 1, at + LONGEST_VALUE_CHARS));
    const written = NESTED_TEXT.exec(inside)?.[1];
    if (written !== undefined) return { written, seconds: null, nanos: 0 };
    const seconds = NESTED_SECONDS.exec(inside)?.[1];
    return seconds === undefined
      ? null
      : { seconds: Number(seconds), nanos: Number(NESTED_NANOS.exec(inside)?.[1] ?? 0) };
  }
  NUMBER.lastIndex = at;
  const number = NUMBER.exec(text)?.[0];
  return number === undefined ? null : { written: number, seconds: null, nanos: 0 };
}
