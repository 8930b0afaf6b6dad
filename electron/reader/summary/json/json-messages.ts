/**
 * Groups the shapes of lines that are JSON objects by their message: `error: connection to <ip> refused` says more than
 * the whole line, and lines with other fields beside the same message count as one. Works on the examples of shapes, so
 * no line is read again.
 */
import { Buffer } from 'node:buffer';
import { type JsonField, type JsonLine, jsonLine } from '../../../../shared/text/json/json-line.ts';
import { knownFields, levelOfField, plainValue } from '../../../../shared/text/json/known-fields.ts';
import { lineText } from '../../../../shared/text/line-text.ts';
import { SHAPE_BYTES, shapeOf } from '../../shapes/shape.ts';
import type { TopShape } from '../../shapes/shape-table.ts';

/** Describes the lines of one shape, which are JSON objects. */
interface ShapedRecord {
  /** The level and the masked message; null if the lines have no message. */
  message: string | null;
  keys: readonly string[];
}

/** Keeps the description of each shape by its hash: null if its lines are not JSON objects. */
export type RecordCache = Map<string, ShapedRecord | null>;

interface MessageGroup extends TopShape {
  /** Null for lines that are not JSON objects with a message. */
  message: string | null;
}

/** Shapes whose examples are parsed, the most frequent: each takes about 0.1 ms, and a host has one thread for it. */
export const MOST_PARSED = 500;

/** Merges shapes with the same message. Takes them, and returns them, with the most frequent first. */
export function groupByMessage(shapes: readonly TopShape[], cache: RecordCache): MessageGroup[] {
  const groups: MessageGroup[] = [];
  const byMessage = new Map<string, MessageGroup>();
  for (const [rank, shape] of shapes.entries()) {
    const message = rank < MOST_PARSED ? (recordOf(shape, cache)?.message ?? null) : null;
    const group = message === null ? undefined : byMessage.get(message);
    if (group === undefined) {
      const begun = { ...shape, message };
      groups.push(begun);
      if (message !== null) byMessage.set(message, begun);
      continue;
    }
    group.count += shape.count;
    if (shape.firstLine > group.firstLine) continue;
    group.firstLine = shape.firstLine;
    group.example = shape.example;
  }
  return groups.sort((a, b) => b.count - a.count || a.firstLine - b.firstLine);
}

/** Returns what is known of a shape whose lines are JSON objects; else null. */
export function recordOf({ hash, example }: TopShape, cache: RecordCache): ShapedRecord | null {
  let record = cache.get(hash);
  if (record === undefined) {
    record = shapedRecord(example);
    cache.set(hash, record);
  }
  return record;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function shapedRecord(example: Uint8Array): ShapedRecord | null {
  // Most lines are none: don't decode them.
  if (example.find((byte) => byte !== 0x20 && byte !== 0x09) !== 0x7b) return null;
  // The rest of the line may differ among the lines of the shape.
  const isClipped = example.length > SHAPE_BYTES;
  const text = decoder.decode(example.subarray(0, SHAPE_BYTES));
  const line = jsonLine(isClipped ? text.replace(/\uFFFD+$/, '') : text, isClipped);
  return line && { message: messageOf(line), keys: keysOf(line) };
}

/** Returns the top-level keys of a line, decoded. */
export function keysOf({ text, fields }: JsonLine): string[] {
  return fields.map(({ key }) => decoded(text.slice(key.from, key.to)));
}

function messageOf(line: JsonLine): string | null {
  const { level, message } = knownFields(line);
  if (message === null || isMasked(line, message)) return null;
  const { value } = message;
  const isCut = value.inside.to === value.to;
  const said = decoded(plainValue(line.text, value));
  const [first = ''] = said.trim().split('\n', 1);
  const bytes = Buffer.from(lineText(first));
  const masked = shapeOf(bytes, 0, bytes.length).text;
  if (!/\p{L}/u.test(masked)) return null;
  // A number was masked, so it may differ among the lines of the shape.
  const isTold = level !== null && level.value.kind === 'string' && !isMasked(line, level);
  const name = isTold ? levelOfField(line.text, level) : null;
  return `${name === null ? '' : `${name}: `}${masked}${isCut ? '…' : ''}`;
}

/** Whether the shape masks the field's value: one word in quotes after a blank. */
function isMasked({ text }: JsonLine, { value }: JsonField): boolean {
  return /[ \t]/.test(text[value.from - 1] ?? '') && !/\s/.test(plainValue(text, value));
}

function decoded(inside: string): string {
  try {
    return JSON.parse(`"${inside}"`) as string;
  } catch {
    // Cut within an escape.
    return inside;
  }
}
