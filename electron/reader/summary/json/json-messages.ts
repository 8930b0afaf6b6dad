/**
 * Groups the shapes of lines that are JSON objects by their message: `error: connection to <ip> refused` says more than
 * the whole line, and lines with other fields beside the same message count as one. Works on the examples of shapes, so
 * no line is read again.
 */
import { Buffer } from 'node:buffer';
import {
  ALL_LEVEL_KEYS,
  decoded,
  decodedValue,
  type JsonField,
  type JsonLine,
  jsonLine,
  knownFields,
  levelOfField,
  MESSAGE_KEYS,
  plainValue,
} from '../../../../shared/text/json-line.ts';
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
  const decoded = decodedValue(line.text, value);
  const [first = ''] = decoded.trim().split('\n', 1);
  const bytes = Buffer.from(lineText(first));
  const masked = shapeOf(bytes, 0, bytes.length).text;
  if (!/\p{L}/u.test(masked)) return null;
  // A number was masked, so it may differ among the lines of the shape.
  const hasLevel = level !== null && level.value.kind === 'string' && !isMasked(line, level);
  const name = hasLevel ? levelOfField(line.text, level) : null;
  return `${name === null ? '' : `${name}: `}${masked}${isCut ? '…' : ''}`;
}

/** Whether the shape masks the field's value: one word in quotes after a blank. */
function isMasked({ text }: JsonLine, { value }: JsonField): boolean {
  return /[ \t]/.test(text[value.from - 1] ?? '') && !/\s/.test(plainValue(text, value));
}

// Reads single lines of an indented JSON text, where each field of an object is a line of its own, and finds the
// message that belongs to a level.

const STRING = String.raw`"(?:[^"\\]|\\.)*"`;
const FIELD = /^\s*"((?:[^"\\]|\\.)*)"\s*:\s*(.*)$/;
const ELEMENT = new RegExp(String.raw`^\s*(?:${STRING}|-?\d[\d.eE+-]*|true|false|null)\s*,?\s*$`);
/** A string in quotes, or the beginning of one if the line was cut. */
const IS_STRING = new RegExp(String.raw`^(?:${STRING}\s*,?\s*|"[^"]*)$`);
const IS_LEVEL = /^(?:"\w+"|\d+)\s*,?\s*$/;

interface LineField {
  key: string;
  isMessage: boolean;
  isLevel: boolean;
  /** Whether the value is a string of several words. */
  isSentence: boolean;
}

/** Returns the field that a line begins with; null if it begins with something else. */
export function fieldOfLine(text: string): LineField | null {
  const [, name, value = ''] = FIELD.exec(text) ?? [];
  if (name === undefined) return null;
  const key = name.toLowerCase();
  const isString = IS_STRING.test(value);
  return {
    key,
    isMessage: isString && MESSAGE_KEYS.includes(key),
    isLevel: ALL_LEVEL_KEYS.includes(key) && IS_LEVEL.test(value),
    isSentence: isString && /\S\s+\S/.test(value),
  };
}

/** Whether a line is an element of an array. */
export function isElement(text: string): boolean {
  return ELEMENT.test(text);
}

/**
 * Returns the index of the line with the message of the object that has its level at `at`: the field with the likeliest
 * name, else the first string of several words. Null if neither is there.
 */
export function messageBeside(lines: readonly string[], at: number): number | null {
  const { from, to } = objectAround(lines, at);
  let best: { index: number; rank: number } | null = null;
  for (let index = from; index < to; index += 1) {
    const field = fieldOfLine(lines[index]!);
    if (field === null || index === at) continue;
    const rank = rankOf(field, indentOf(lines[index]!) === indentOf(lines[at]!));
    if (rank !== null && (best === null || rank < best.rank)) best = { index, rank };
  }
  return best?.index ?? null;
}

/** The lower, the likelier: messages by their name, then those of inner objects, then other sentences. */
function rankOf({ key, isMessage, isSentence }: LineField, isSibling: boolean): number | null {
  if (isMessage) return MESSAGE_KEYS.indexOf(key) + (isSibling ? 0 : MESSAGE_KEYS.length);
  return isSentence ? 2 * MESSAGE_KEYS.length + (isSibling ? 0 : 1) : null;
}

const BRACKETS = /^[{}[\],\s]*$/;

/** Returns the lines around `at` that are indented at least as far; without indentation, those between brackets. */
function objectAround(lines: readonly string[], at: number): { from: number; to: number } {
  const indent = indentOf(lines[at]!);
  const isInside = (index: number) =>
    indent === 0 ? !BRACKETS.test(lines[index]!) : indentOf(lines[index]!) >= indent;
  let from = at;
  while (from > 0 && isInside(from - 1)) from -= 1;
  let to = at + 1;
  while (to < lines.length && isInside(to)) to += 1;
  return { from, to };
}

function indentOf(text: string): number {
  return text.search(/\S|$/);
}
