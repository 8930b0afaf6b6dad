/** Parses a line that is a JSON object: its tokens and top-level fields. */
import { objectStart } from './json-time.ts';
import { LEVEL_KEYS, type Level } from './level-words.ts';
import { levelOf } from './levels.ts';
import { type FoundTime, NO_FACTS, objectTime } from './line-time.ts';

/** Indexes into the line's text; `to` is excluded. */
export interface Span {
  from: number;
  to: number;
}

export interface JsonValue extends Span {
  kind: 'string' | 'number' | 'word' | 'nested';
  /** Without the quotes of a string. */
  inside: Span;
}

export interface JsonField {
  /** Without its quotes. */
  key: Span;
  value: JsonValue;
}

export interface JsonLine {
  text: string;
  /** Where the object begins: behind the name of a service or of a program, if the line has one. */
  from: number;
  tokens: readonly Token[];
  fields: readonly JsonField[];
}

/**
 * Returns the line as a JSON object; null for other lines and broken JSON.
 *
 * @param isClipped the text is only the beginning of the line, and its object ends there
 */
export function jsonLine(text: string, isClipped = false): JsonLine | null {
  const from = text.includes('{') ? objectStart(text) : -1;
  if (from < 0) return null;
  if (!isClipped && !isJson(text.slice(from))) return null;
  const tokens = tokensOf(text, from);
  const fields = tokens && fieldsOf(text, tokens);
  return tokens && fields && fields.length > 0 ? { text, from, tokens, fields } : null;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns null if the tokens at `start` do not begin an object. Leaves out a field whose value is cut off. */
function fieldsOf(text: string, tokens: readonly Token[], start = 0): JsonField[] | null {
  const fields: JsonField[] = [];
  const isAt = (index: number, sign: string) =>
    tokens[index]?.kind === 'punctuation' && text[tokens[index].from] === sign;
  let at = start + 1;
  while (at < tokens.length && !isAt(at, '}')) {
    const key = tokens[at]!;
    if (key.kind !== 'string') return null;
    if (at + 2 >= tokens.length) break;
    if (!isAt(at + 1, ':')) return null;
    const end = valueEnd(text, tokens, at + 2);
    const first = tokens[at + 2]!;
    if (first.kind === 'punctuation' && end === at + 3 && !isNestedStart(text[first.from])) return null;
    const { from } = first;
    const { to } = tokens[end - 1]!;
    const kind = first.kind === 'punctuation' ? 'nested' : first.kind;
    const inside = kind === 'string' ? { from: from + 1, to: first.isCut ? to : to - 1 } : { from, to };
    fields.push({ key: { from: key.from + 1, to: key.to - 1 }, value: { kind, from, to, inside } });
    at = end;
    if (isAt(at, ',')) at += 1;
    else if (at < tokens.length && !isAt(at, '}')) return null;
  }
  return fields;
}

/** Deepest path that names a field. */
const MAX_DEPTH = 4;

/** Returns the fields by their paths, such as `http.status`: those within objects instead of the object itself. */
export function fieldsWithin(
  { text, tokens, fields }: Pick<JsonLine, 'text' | 'tokens' | 'fields'>,
  path = '',
  depth = 1,
): { name: string; field: JsonField }[] {
  return fields.flatMap((field) => {
    const { key, value } = field;
    const name = `${path}${text.slice(key.from, key.to)}`;
    const start = text[value.from] === '{' ? tokens.findIndex(({ from }) => from === value.from) : -1;
    const inner = start < 0 || depth === MAX_DEPTH ? [] : (fieldsOf(text, tokens, start) ?? []);
    if (inner.length === 0) return [{ name, field }];
    return fieldsWithin({ text, tokens, fields: inner }, `${name}.`, depth + 1);
  });
}

/** Returns the index after the value that begins at a token. */
function valueEnd(text: string, tokens: readonly Token[], start: number): number {
  let depth = 0;
  for (let at = start; at < tokens.length; at += 1) {
    const { kind, from } = tokens[at]!;
    const sign = kind === 'punctuation' ? text[from] : '';
    if (isNestedStart(sign)) depth += 1;
    else if (sign === '}' || sign === ']') depth -= 1;
    if (depth <= 0) return at + 1;
  }
  return tokens.length;
}

function isNestedStart(sign: string | undefined): boolean {
  return sign === '{' || sign === '[';
}

/** Whether a parsed JSON value is an object; not for null or a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Finds the tokens of a JSON text with their positions, so that drawn segments can be traced to the text. */
export interface Token {
  kind: 'punctuation' | 'string' | 'number' | 'word';
  /** UTF-16 indexes into the text; `to` is excluded. A string's quotes are included. */
  from: number;
  to: number;
  /** Whether the text ends inside the string. */
  isCut: boolean;
}

const TOKEN = /\s*(?:([{}[\]:,])|(")|(-?\d[\d.eE+-]*)|([a-z]+))/y;

/** Returns null if something from `start` on is not a token. */
function tokensOf(text: string, start: number): Token[] | null {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  TOKEN.lastIndex = start;
  while (TOKEN.lastIndex < end) {
    const found = TOKEN.exec(text);
    if (!found) return null;
    const [, punctuation, quote, number, word] = found;
    const from = TOKEN.lastIndex - (punctuation ?? quote ?? number ?? word ?? '').length;
    const kind = punctuation ? 'punctuation' : quote ? 'string' : number ? 'number' : 'word';
    const string = quote ? stringFrom(text, from, end) : null;
    tokens.push({ kind, from, to: string?.to ?? TOKEN.lastIndex, isCut: string?.isCut ?? false });
    if (string) TOKEN.lastIndex = string.to;
  }
  return tokens;
}

/** Scans by hand: an expression for it overflows the stack in a string of 8 million characters. */
function stringFrom(text: string, from: number, end: number): { to: number; isCut: boolean } {
  for (let at = from + 1; at < end; at += 1) {
    const char = text[at];
    if (char === '"') return { to: at + 1, isCut: false };
    if (char === '\\') at += 1;
  }
  return { to: text.length, isCut: true };
}

// Finds the time, level and message among the fields of a JSON log line.

interface KnownFields {
  /** With the place of its time in the line. */
  time: (FoundTime & { field: JsonField }) | null;
  level: JsonField | null;
  message: JsonField | null;
  /** The other fields, in order. */
  others: readonly JsonField[];
}

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
  const found = objectTime(line.text, line.from, { ...NO_FACTS, writtenBy: Date.now() });
  const time =
    (found && line.fields.find(({ value }) => value.from <= found.from && found.to <= value.to)) ?? null;
  const level = first(ALL_LEVEL_KEYS, (field) => levelOfField(line.text, field) !== null);
  const message =
    first(MESSAGE_KEYS, ({ value }) => value.kind === 'string' || isByteList(line.text, value)) ??
    HOLDERS.map((key) => messageIn(line, named.get(key))).find((field) => field !== null) ??
    null;
  const isShown = ({ key, value }: JsonField) =>
    [time, level, message].some(
      (one) => one !== null && key.from <= one.key.from && one.value.to <= value.to,
    );
  const others = line.fields.filter((field) => !isShown(field) || hasMore(line, field, message));
  return { time: time && found && { field: time, ...found }, level, message, others };
}

/** Rust's tracing, Elasticsearch and others put the message beside other fields, in an object. */
const HOLDERS = ['fields', 'message', 'msg', '_source', 'record'];

function messageIn({ text, tokens }: JsonLine, holder: JsonField | undefined): JsonField | null {
  if (holder?.value.kind !== 'nested') return null;
  const start = tokens.findIndex(({ from }) => from === holder.value.from);
  const fields = fieldsOf(text, tokens, start) ?? [];
  return (
    fields.find(
      ({ key, value }) =>
        value.kind === 'string' && ['message', 'text'].includes(text.slice(key.from, key.to)),
    ) ?? null
  );
}

/** Whether the field holds the message and other fields. */
function hasMore({ text, tokens }: JsonLine, field: JsonField, message: JsonField | null): boolean {
  if (message === null || field === message || field.value.kind !== 'nested') return false;
  if (message.key.from < field.value.from || message.value.to > field.value.to) return false;
  const start = tokens.findIndex(({ from }) => from === field.value.from);
  return (fieldsOf(text, tokens, start) ?? []).length > 1;
}

/** journald writes a text with control characters as the list of its bytes. */
function isByteList(text: string, value: JsonValue): boolean {
  return value.kind === 'nested' && BYTE_LIST.test(text.slice(value.from, value.to));
}

const BYTE_LIST = /^\[\s*\d{1,3}(?:\s*,\s*\d{1,3})*\s*\]?$/;

/** Returns the text of a string, or of a list of bytes; escapes are decoded. */
export function decodedValue(text: string, value: JsonValue): string {
  const plain = plainValue(text, value);
  if (value.kind === 'nested') return textOfBytes((plain.match(/\d+/g) ?? []).map(Number));
  return decoded(plain);
}

/** Decodes UTF-8; bytes that are none stand for themselves. */
function textOfBytes(bytes: readonly number[]): string {
  const hex = (byte: number) => `%${(byte & 0xff).toString(16).padStart(2, '0')}`;
  try {
    return decodeURIComponent(bytes.map(hex).join(''));
  } catch {
    return String.fromCharCode(...bytes);
  }
}

/** Decodes the inside of a string, as it is where it is cut within an escape. */
export function decoded(inside: string): string {
  try {
    return JSON.parse(`"${inside}"`) as string;
  } catch {
    return inside;
  }
}

/** Without quotes. */
export function plainValue(text: string, { inside }: JsonValue): string {
  return text.slice(inside.from, inside.to);
}

/** Returns the level in a field: a word, or a number of pino and bunyan, or of syslog. */
export function levelOfField(text: string, { key, value }: JsonField): Level | null {
  if (value.kind !== 'string' && value.kind !== 'number') return null;
  return levelOf(`{"${text.slice(key.from, key.to)}":${text.slice(value.from, value.to)}}`);
}
