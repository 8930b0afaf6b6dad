/** Finds the time, level and message among the fields of a JSON log line. */
import { LEVEL_KEYS, LEVEL_WORDS, type Level, PRIORITY_KEY } from '../level-words.ts';
import { levelOf } from '../levels.ts';
import type { JsonField, JsonLine, JsonValue } from './json-line.ts';

interface KnownFields {
  time: JsonField | null;
  level: JsonField | null;
  message: JsonField | null;
  /** The other fields, in order. */
  others: readonly JsonField[];
}

/** Lower case, most likely first. */
const TIME_KEYS = [
  ...['time', 'ts', 'timestamp', '@timestamp', 'datetime', 'asctime', 't', 'requestreceivedtimestamp'],
  ...['__realtime_timestamp', 'date'],
];
/** journald's is `PRIORITY`, ECS's `log.level`. */
export const ALL_LEVEL_KEYS = [...LEVEL_KEYS, 'log.level', 'priority'];
/** Lower case, most likely first. */
export const MESSAGE_KEYS = ['msg', 'message', '@message', 'log', 'short_message', 'event', 'body', 'text'];

export function knownFields(line: JsonLine): KnownFields {
  const named = new Map<string, JsonField>();
  for (const field of line.fields) {
    const key = line.text.slice(field.key.from, field.key.to).toLowerCase();
    if (!named.has(key)) named.set(key, field);
  }
  const first = (keys: readonly string[], fits: (field: JsonField) => boolean) => {
    for (const key of keys) {
      const field = named.get(key);
      if (field && fits(field)) return field;
    }
    return null;
  };
  const time = first(TIME_KEYS, ({ value }) => isTime(line.text, value));
  const level = first(ALL_LEVEL_KEYS, (field) => levelOfField(line.text, field) !== null);
  const message = first(MESSAGE_KEYS, ({ value }) => value.kind === 'string');
  const others = line.fields.filter((field) => field !== time && field !== level && field !== message);
  return { time, level, message, others };
}

/** Without quotes. */
export function plainValue(text: string, { inside }: JsonValue): string {
  return text.slice(inside.from, inside.to);
}

/** Returns the level in a field: a word, or a number of pino and bunyan, or of syslog. */
export function levelOfField(text: string, { key, value }: JsonField): Level | null {
  if (value.kind !== 'string' && value.kind !== 'number') return null;
  const plain = plainValue(text, value).toLowerCase();
  const name = text.slice(key.from, key.to) === PRIORITY_KEY ? PRIORITY_KEY : 'level';
  return LEVEL_WORDS.get(plain) ?? (/^\d{1,3}$/.test(plain) ? levelOf(`{"${name}":${plain}}`) : null);
}

const LONGEST_TIME_CHARS = 40;
const EPOCH = /^\d{10,19}(?:\.\d+)?$/;

function isTime(text: string, value: JsonValue): boolean {
  const plain = plainValue(text, value);
  if (value.kind === 'number') return epochMs(plain) !== null;
  return (
    value.kind === 'string' && plain.length <= LONGEST_TIME_CHARS && /\d[:/T-]\d|^\d{10,19}$/.test(plain)
  );
}

/** Converts seconds, milliseconds, microseconds or nanoseconds to milliseconds since the epoch; null for other text. */
export function epochMs(plain: string): number | null {
  if (!EPOCH.test(plain)) return null;
  const value = Number(plain);
  if (value < 1e11) return value * 1000;
  if (value < 1e14) return value;
  return value < 1e17 ? value / 1000 : value / 1e6;
}
