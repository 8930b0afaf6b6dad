/** Merges the summaries of a stream's stretches, in order; every count stays exact. */
import { MAX_SHAPES } from '../../../shared/limits.ts';
import { clipText } from '../../../shared/text/clip.ts';
import { jsonLine } from '../../../shared/text/json-line.ts';
import { LEVELS } from '../../../shared/text/level-words.ts';
import { lineText } from '../../../shared/text/line-text.ts';
import type { SummaryView } from '../../../shared/views.ts';
import type { Decoder } from '../bytes/encoding.ts';
import { SHAPE_BYTES, shapeOf } from '../shapes/shape.ts';
import { ShapeTable } from '../shapes/shape-table.ts';
import { type JsonFacts, MAX_KEY_CHARS, MAX_KEYS } from './json/json-facts.ts';
import {
  fieldOfLine,
  groupByMessage,
  isElement,
  keysOf,
  MOST_PARSED,
  type RecordCache,
  recordOf,
} from './json/json-messages.ts';
import {
  type ErrorLine,
  type LinePart,
  MAX_ERRORS,
  MAX_REPLAY_BYTES,
  measureRedrawn,
  type PartialSummary,
} from './tally.ts';

/**
 * Returns the facts if most lines are JSON objects, else null. The sample is the whole lines of the beginning, and the
 * first line of each frequent message.
 */
export function jsonLinesFacts(total: SummaryTotal, beginning: Beginning): JsonFacts | null {
  const shapes = total.shapes.top(MOST_PARSED);
  const records = shapes.flatMap((shape) => {
    const record = recordOf(shape, total.records);
    return record === null ? [] : [{ ...record, count: shape.count }];
  });
  const lines = records.reduce((sum, { count }) => sum + count, 0);
  if (lines === 0 || lines * 2 <= total.lines - total.blank) return null;
  const found = objectsIn(beginning);
  const keys = new Set([...found, ...records.map((record) => record.keys)].flat());
  const named = [...keys].slice(0, MAX_KEYS).map((key) => clipText(key, MAX_KEY_CHARS).text);
  const isSample = !beginning.isWhole;
  return {
    type: 'object',
    keys: named,
    per_line: true,
    ...(isSample ? { sampled_lines: found.length + records.length } : {}),
  };
}

// Describes a text whose lines are JSON objects: the keys of a sample of its lines.

/** The beginning of a stream. */
interface Beginning {
  bytes: Uint8Array;
  /** Whether these are all bytes of the stream. */
  isWhole: boolean;
  decoder: Decoder;
}

/** Returns the keys of each whole line that is a JSON object. */
function objectsIn({ bytes, isWhole, decoder }: Beginning): string[][] {
  const lines = decoder
    .decode(bytes)
    .replace(/^\uFEFF/, '')
    .split('\n');
  if (!isWhole) lines.pop();
  return lines.flatMap((raw) => {
    const line = raw.includes('{') ? jsonLine(lineText(raw)) : null;
    return line === null ? [] : [keysOf(line)];
  });
}

/** The fields of a summary view that come from statistics, and the number of lines. */
export type SummaryFacts = Pick<
  SummaryView,
  | 'total_lines'
  | 'line_length_mean'
  | 'line_length_max'
  | 'blank_lines'
  | 'line_ending'
  | 'levels'
  | 'first_timestamp'
  | 'last_timestamp'
  | 'first_errors'
  | 'shapes'
  | 'shapes_exact'
>;

/** The summary so far of a stream's first `bytes` bytes. */
export type SummaryTotal = {
  bytes: number;
  lines: number;
  chars: number;
  longest: number;
  blank: number;
  lf: number;
  crlf: number;
  levels: number[];
  errors: ErrorLine[];
  firstTimestamp: string | null;
  lastTimestamp: string | null;
  shapes: ShapeTable;
  /** Made for the most frequent shapes when they are asked for. */
  records: RecordCache;
  /** The last line, if it has not ended. */
  open: LinePart | null;
};

/** Returns an empty summary to merge into; `maxShapes` bounds the shapes counted at a time. */
export function startSummary(maxShapes?: number): SummaryTotal {
  return {
    bytes: 0,
    lines: 0,
    chars: 0,
    longest: 0,
    blank: 0,
    lf: 0,
    crlf: 0,
    levels: LEVELS.map(() => 0),
    errors: [],
    firstTimestamp: null,
    lastTimestamp: null,
    shapes: new ShapeTable(maxShapes),
    records: new Map(),
    open: null,
  };
}

/** Adds the next stretch to `into`. */
export function mergeSummaries(into: SummaryTotal, next: PartialSummary): void {
  const linesBefore = into.lines;
  mergeOpenLine(into, next);
  into.bytes += next.bytes;
  into.lines += next.lines;
  into.chars += next.chars;
  into.longest = Math.max(into.longest, next.longest);
  into.blank += next.blank;
  into.lf += next.lf;
  into.crlf += next.crlf;
  next.levels.forEach((count, i) => {
    into.levels[i]! += count;
  });
  for (const error of next.errors) {
    const known =
      error.message < 0 ? undefined : into.errors.find(({ message }) => message === error.message);
    if (known) known.count += error.count;
    else if (into.errors.length < MAX_ERRORS)
      into.errors.push({ ...error, line_number: error.line_number + linesBefore });
  }
  into.firstTimestamp ??= next.firstTimestamp;
  into.lastTimestamp = next.lastTimestamp ?? into.lastTimestamp;
  into.shapes.merge(next.shapes, linesBefore);
}

/** Returns the figures of the whole stream, with the `maxShapes` most frequent message shapes. */
export function finishSummary(total: SummaryTotal, options: { maxShapes: number }): SummaryFacts {
  const last = total.open && measured(total.open);
  const chars = total.chars + (last?.length ?? 0);
  const levels = LEVELS.map((level, i): [string, number] => [level, total.levels[i]!]);
  return {
    total_lines: total.lines,
    line_length_mean: total.lines === 0 ? 0 : chars / total.lines,
    line_length_max: Math.max(total.longest, last?.length ?? 0),
    blank_lines: total.blank + (last?.isBlank === true ? 1 : 0),
    line_ending: total.lf > 0 ? (total.crlf > 0 ? 'mixed' : 'lf') : total.crlf > 0 ? 'crlf' : 'none',
    levels: Object.fromEntries(levels.filter(([, count]) => count > 0)),
    first_timestamp: total.firstTimestamp,
    last_timestamp: total.lastTimestamp,
    first_errors: firstErrors(total),
    ...mostFrequent(total.shapes, total.records, Math.min(options.maxShapes, MAX_SHAPES)),
  };
}

export function firstErrors({ errors }: SummaryTotal): SummaryView['first_errors'] {
  return errors.map(({ line_number, text, count }) => ({
    ...{ line_number, text },
    ...(count > 1 ? { count } : {}),
  }));
}

function mergeOpenLine(into: SummaryTotal, next: PartialSummary): void {
  if (next.bytes === 0) return;
  let open = into.open;
  if (next.head !== null) {
    open = open === null ? next.head : joined(open, next.head);
    // A CR LF is split: the CR ends the part before, the LF begins this one.
    if (next.headEnds && next.head.bytes === 0 && into.open?.endsWithCr === true) {
      into.crlf++;
      into.lf--;
    }
  }
  if (open !== null && (next.head === null || next.headEnds)) {
    const { length, isBlank } = measured(open);
    into.chars += length;
    into.longest = Math.max(into.longest, length);
    if (isBlank) into.blank++;
    open = null;
  }
  into.open = next.tail ?? open;
}

function joined(first: LinePart, second: LinePart): LinePart {
  return {
    bytes: first.bytes + second.bytes,
    length: first.length + second.length,
    isBlank: first.isBlank && second.isBlank,
    endsWithCr: second.bytes === 0 ? first.endsWithCr : second.endsWithCr,
    redrawn: first.redrawn || second.redrawn || (first.endsWithCr && second.bytes > 0),
    end: lastBytes(first.end, second.end),
  };
}

function lastBytes(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (second.length >= MAX_REPLAY_BYTES) return second;
  return Buffer.concat([
    first.subarray(Math.max(0, first.length + second.length - MAX_REPLAY_BYTES)),
    second,
  ]);
}

/** Returns the length of an open line's text so far. */
function measured(open: LinePart): { length: number; isBlank: boolean } {
  return open.redrawn ? measureRedrawn(open.end, open.bytes) : open;
}

// Chooses the most frequent messages among the shapes of a text.

/** Shapes to choose from: the most frequent. */
const MOST_LOOKED_AT = 2 * MAX_SHAPES;
/** Lines of punctuation alone, such as brackets and rules, have no message. */
const SAYS_SOMETHING = /[\p{L}\p{N}\p{Extended_Pictographic}]/u;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** `records` keeps what was found of each shape, for the next call. */
function mostFrequent(
  shapes: ShapeTable,
  records: RecordCache,
  wanted: number,
): Pick<SummaryView, 'shapes' | 'shapes_exact'> {
  const top = shapes.top(MOST_LOOKED_AT);
  const groups = groupByMessage(top, records).map((group) => ({
    ...group,
    example: decoder.decode(group.example),
    bytes: group.example,
  }));
  const isGrouped = groups.some(({ message }) => message !== null);
  // A long line's example is only its beginning.
  const telling = messagesAmong(
    groups.filter(({ example, bytes }) => bytes.length > SHAPE_BYTES || SAYS_SOMETHING.test(example)),
  );
  return {
    shapes: telling.slice(0, wanted).map(({ message, count, firstLine, example, bytes }) => ({
      shape: message ?? shapeOf(bytes, 0, bytes.length).text,
      count,
      first_line: firstLine,
      example,
    })),
    // Lines of the other shapes may have the same messages.
    shapes_exact: shapes.exact && !(isGrouped && shapes.size > MOST_PARSED),
  };
}

/** Drops the other fields and the elements of indented JSON objects that have messages. */
function messagesAmong<T extends { example: string }>(groups: readonly T[]): readonly T[] {
  if (!groups.some(({ example }) => fieldOfLine(example)?.isMessage)) return groups;
  return groups.filter(({ example }) => {
    const field = fieldOfLine(example);
    return field === null ? !isElement(example) : field.isMessage;
  });
}
