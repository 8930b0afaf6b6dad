/** Finds where a log line's JSON object begins, and the fields in it that tell its time. */

export interface JsonTime {
  /** Its place in the text, without quotes. */
  from: number;
  to: number;
  /** Seconds since 1970, where an object tells them as numbers. */
  seconds: number | null;
  /** Of that second. */
  nanos: number;
}

/** Lower case, most likely first. The names of log libraries, of journald and of Kubernetes. */
const TIME_KEYS = [
  ...['time', 'ts', 'timestamp', '@timestamp', '@t', 'datetime', 'asctime', 't', 'instant', '_time', 'epoch'],
  ...['event_time', 'eventtime', 'requestreceivedtimestamp', '__realtime_timestamp', 'time_logged', 'date'],
  ...['timemillis', 'dt', 'time_local', 'time_iso8601', 'created_at', 'received_at', 'generated_at'],
  ...['edgestarttimestamp', 'timestamp_ns', 'timeunixnano', 'observedtimeunixnano', 'timecreated'],
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
    const to = stringEnd(text, at);
    const length = to - at - 1;
    return to < text.length && length >= 8 && length <= 40 ? asWritten(at + 1, length) : null;
  }
  if (code === 0x7b) {
    const end = text.indexOf('}', at);
    const inside = text.slice(at, Math.min(end < 0 ? text.length : end + 1, at + LONGEST_VALUE_CHARS));
    const written = NESTED_TEXT.exec(inside);
    if (written)
      return asWritten(at + written.index + written[0].length - 1 - written[1]!.length, written[1]!.length);
    const seconds = NESTED_SECONDS.exec(inside);
    if (!seconds) return null;
    const from = at + seconds.index + seconds[0].lastIndexOf(seconds[1]!);
    return {
      ...asWritten(from, seconds[1]!.length),
      seconds: Number(seconds[1]),
      nanos: Number(NESTED_NANOS.exec(inside)?.[1] ?? 0),
    };
  }
  NUMBER.lastIndex = at;
  const number = NUMBER.exec(text)?.[0];
  return number === undefined ? null : asWritten(at, number.length);
}

function asWritten(from: number, length: number): JsonTime {
  return { from, to: from + length, seconds: null, nanos: 0 };
}
