/** Folds a JSON line into one: its time, level, message, and other fields as `key=value`. */

import type { JsonField, JsonLine, JsonValue, Span } from '../../../../shared/text/json/json-line.ts';
import { epochMs, knownFields, levelOfField, plainValue } from '../../../../shared/text/json/known-fields.ts';
import type { Level } from '../../../../shared/text/level-words.ts';
import { between, exact, type LineFragment, stringFragments, whole } from './fragments.ts';

interface FoldedLine {
  fragments: readonly LineFragment[];
  level: Level | null;
  hasMessage: boolean;
}

export function foldedLine(line: JsonLine): FoldedLine {
  const { text } = line;
  const { time, level, message, others } = knownFields(line);
  const parts: LineFragment[][] = [];
  if (time) parts.push(timeFragments(text, time.value));
  const told = level && levelOfField(text, level);
  if (level && told) parts.push(levelFragments(text, level.value, told));
  if (message) parts.push(stringFragments(text, trimmed(text, message.value.inside), 'message'));
  const fragments = parts.filter((part) => part.length > 0).flatMap((part, index) => apart(part, index, ' '));
  const fields = others.map((field) => fieldFragments(text, field));
  fragments.push(
    ...fields.flatMap((part, index) => apart(part, fragments.length + index, index === 0 ? '  ' : ' ')),
  );
  return { fragments, level: told, hasMessage: message !== null };
}

function apart(part: readonly LineFragment[], index: number, gap: string): LineFragment[] {
  return index === 0 ? [...part] : [between(gap, part[0]!.from), ...part];
}

/** Removes a final line end, which Docker's messages have. */
function trimmed(text: string, { from, to }: Span): Span {
  const tail = /(?:\\r)?\\n$/.exec(text.slice(from, to));
  return { from, to: tail ? to - tail[0].length : to };
}

const ISO = /^(\d{4}-\d\d-\d\d)([T ])(\d\d:\d\d:\d\d(?:[.,]\d{1,3})?)/;

/** The date and time to the millisecond: as written, or local if the line has a number. */
function timeFragments(text: string, value: JsonValue): LineFragment[] {
  const span = value.inside;
  const plain = plainValue(text, value);
  const iso = ISO.exec(plain);
  if (iso && text.startsWith(iso[0], span.from)) {
    const [, day = '', , clock = ''] = iso;
    const behindDay = span.from + day.length;
    const lastDigit = behindDay + clock.length;
    const padded = clock.padEnd(CLOCK_CHARS, clock.length === SECONDS_CHARS ? ' ' : '0');
    return [
      exact(text, { from: span.from, to: behindDay }, 'day'),
      whole(' ', { from: behindDay, to: behindDay + 1 }, 'day'),
      exact(text, { from: behindDay + 1, to: lastDigit }, 'time'),
      // This fragment also stands for the rest: further digits, the time zone.
      whole(padded.slice(clock.length - 1), { from: lastDigit, to: span.to }, 'time'),
    ];
  }
  const ms = epochMs(plain);
  if (ms === null) return [exact(text, span, 'time')];
  const { day, clock } = local(ms);
  return [whole(`${day} `, span, 'day'), whole(clock, span, 'time')];
}

const CLOCK_CHARS = '10:30:00.123'.length;
const SECONDS_CHARS = '10:30:00'.length;

function local(ms: number): { day: string; clock: string } {
  const date = new Date(ms);
  const two = (value: number) => String(value).padStart(2, '0');
  const milliseconds = String(date.getMilliseconds()).padStart(3, '0');
  return {
    day: `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`,
    clock: `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${milliseconds}`,
  };
}

const LEVEL_CHARS = 5;

/** The level's word in the line, in capitals; the level's name if the line has a number. */
function levelFragments(text: string, value: JsonValue, level: Level): LineFragment[] {
  const plain = plainValue(text, value);
  const name = (/^\d/.test(plain) ? level : plain).toUpperCase();
  const span = value.inside;
  const shown = [whole(name, span, 'level')];
  if (name.length < LEVEL_CHARS) shown.push(between(' '.repeat(LEVEL_CHARS - name.length), span.to));
  return shown;
}

const BARE = /^[^\s"'=]+$/;

function fieldFragments(text: string, { key, value }: JsonField): LineFragment[] {
  const isBare = value.kind === 'string' && BARE.test(plainValue(text, value));
  const from = isBare ? value.inside.from : value.from;
  const start = [exact(text, key, 'key'), whole('=', { from: key.to, to: from }, 'sign')];
  if (value.kind !== 'string') return [...start, exact(text, value, 'value')];
  if (isBare) return [...start, ...stringFragments(text, value.inside, 'value')];
  return [
    ...start,
    exact(text, { from: value.from, to: value.from + 1 }, 'value'),
    ...stringFragments(text, value.inside, 'value'),
    exact(text, { from: value.inside.to, to: value.to }, 'value'),
  ];
}
