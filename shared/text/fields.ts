/**
 * Reads the fields of a line, and compares them: `status>=500`, `duration>1s, user!=bob`.
 *
 * They are those of a JSON object, of logfmt and of a web server's log, and the named groups of a pattern.
 */
import { SpillwayError } from '../errors.ts';
import { fieldsWithin, isObject, type JsonField, type JsonLine, jsonLine, type Span } from './json-line.ts';
import { objectStart } from './json-time.ts';
import { LEVEL_WORDS, LEVELS } from './level-words.ts';
import { levelOf } from './levels.ts';

/** Returns the field's value as text; null for a line without it. */
export type FieldReader = (line: string) => string | null;

/** @param patterns the search's, and those of the settings: their named groups are fields */
export function fieldReader(name: string, patterns: readonly RegExp[] = []): FieldReader {
  const own = patterns.filter((pattern) => groupsOf(pattern).includes(name));
  if (own.length === 0) return builtInReader(name);
  const other = builtInReader(name);
  return (line) => {
    for (const pattern of own) {
      const value = pattern.exec(line)?.groups?.[name];
      if (value !== undefined) return value;
    }
    return other(line);
  };
}

function builtInReader(name: string): FieldReader {
  const path = name.split('.');
  const key = `${path.at(-1)}"`;
  const pair = new RegExp(`(?:^|[\\s,;({\\[|])${escaped(name)}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s,;)\\]}]*))`);
  const column = ACCESS_FIELDS.indexOf(name);
  return (line) => {
    if (line.includes(key)) {
      const value = inObject(line, name, path);
      if (value !== undefined) return textOf(value);
    }
    const found = line.includes('=') ? pair.exec(line) : null;
    if (found) return found[1]?.replace(/\\(.)/g, '$1') ?? found[2]!;
    if (column >= 0) return ACCESS.exec(line)?.[column + 1] ?? null;
    if (name === SERVICE) return SERVICE_BEFORE.exec(line)?.[1] ?? null;
    return name === 'level' ? levelOf(line) : null;
  };
}

/** The text that each line with the field holds; null if a line can have the field without naming it. */
export function textOfField(name: string, patterns: readonly RegExp[] = []): string | null {
  if (name === 'level' || name === SERVICE || ACCESS_FIELDS.includes(name)) return null;
  return patterns.some((one) => groupsOf(one).includes(name)) ? null : name.split('.').at(-1)!;
}

/** A field, and where its value is written: without the quotes of a string. */
export interface LineField extends Span {
  name: string;
  /** The field of a JSON object; null in other lines. */
  json: JsonField | null;
}

/**
 * Returns the fields of a line, in order. A field within another is named by its path, such as `http.status`. What
 * Compose writes before a line is the field `service`. One `name=value` alone is part of a message, and no field.
 *
 * @param object the line as JSON, if that is known
 * @param pattern a person's: its named groups are the fields of a line that it matches
 */
export function lineFields(
  line: string,
  object: JsonLine | null = jsonLine(line),
  pattern: string | undefined = undefined,
): LineField[] {
  const groups = pattern === undefined ? undefined : linePattern(pattern).exec(line)?.indices?.groups;
  if (groups)
    return Object.entries(groups)
      .flatMap(([name, at]) => (at ? [{ name, from: at[0], to: at[1], json: null }] : []))
      .sort((a, b) => a.from - b.from);
  const fields = ownFields(line, object);
  const service = fields.some(({ name }) => name === SERVICE) ? null : SERVICE_BEFORE.exec(line)?.[1];
  if (fields.length === 0 || !service) return fields;
  return [{ name: SERVICE, from: 0, to: service.length, json: null }, ...fields];
}

function ownFields(line: string, object: JsonLine | null): LineField[] {
  if (object)
    return fieldsWithin(object).map(({ name, field }) => ({ name, ...field.value.inside, json: field }));
  const pairs = [...line.matchAll(PAIR)].map(({ indices }): LineField => {
    const [from, to] = indices![2] ?? indices![3]!;
    return { name: line.slice(...indices![1]!), from, to, json: null };
  });
  if (pairs.length > 1) return pairs;
  const groups = ACCESS.exec(line)?.indices ?? [];
  return ACCESS_FIELDS.flatMap((name, i) => {
    const at = groups[i + 1];
    return at ? [{ name, from: at[0], to: at[1], json: null }] : [];
  });
}

const PAIR = /(?:^|[\s,;({[|])([A-Za-z_][\w.@/-]*)=(?:"((?:[^"\\]|\\.)*)"|([^\s",;)\]}][^\s,;)\]}]*|))/dg;

/** As Compose writes it, `web-1  | `. */
const SERVICE_BEFORE = /^([\w.@:-]{1,60}) +\| /;
const SERVICE = 'service';

/** Names of the groups of `ACCESS`, in order. */
const ACCESS_FIELDS = ['client', 'user', 'method', 'path', 'status', 'size'];
/** As web servers write a request, in the common format. */
const ACCESS = /^(?:\S+ )?(\S+) \S+ (\S+) \[[^\]]+\] "(?:([A-Z]+) (\S+))?[^"]*" (\d{3}) (\d+|-)/d;

const compiled = new Map<string, RegExp>();

/** Compiles a person's pattern once. It tells where its groups are. */
export function linePattern(source: string): RegExp {
  const pattern = compiled.get(source) ?? new RegExp(source, 'd');
  compiled.set(source, pattern);
  return pattern;
}

function groupsOf({ source }: RegExp): string[] {
  return [...source.matchAll(/\(\?<(\w+)>/g)].map(([, name]) => name!);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** Undefined without the field. A key that holds the points itself comes first. */
function inObject(line: string, name: string, path: readonly string[]): unknown {
  const from = objectStart(line);
  if (from < 0) return undefined;
  let object: unknown;
  try {
    object = JSON.parse(line.slice(from));
  } catch {
    return undefined;
  }
  if (!isObject(object)) return undefined;
  if (Object.hasOwn(object, name)) return object[name];
  let at: unknown = object;
  for (const key of path) {
    if (!isObject(at) || !Object.hasOwn(at, key)) return undefined;
    at = at[key];
  }
  return at;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

type Sign = '=' | '!=' | '>' | '>=' | '<' | '<=' | '~';

/** `~`: the value contains the text. */
export interface Condition {
  field: string;
  sign: Sign;
  value: string;
}

const CONDITION =
  /\s*([\p{L}\p{N}_.@$/-]+)\s*(!=|>=|<=|==?|>|<|~)\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"<>=!~][^\s,"]*))\s*(?:,|and\b|$)/uy;

/** Throws `usage`. */
export function conditionsOf(written: string): Condition[] {
  const conditions: Condition[] = [];
  CONDITION.lastIndex = 0;
  while (CONDITION.lastIndex < written.length) {
    const at = CONDITION.lastIndex;
    const found = CONDITION.exec(written);
    if (!found)
      throw new SpillwayError(
        'usage',
        `${JSON.stringify(written.slice(at).trim())} is no condition`,
        'write a field, a sign (= != > >= < <= ~) and a value, such as status>=500; join several with a comma',
      );
    const sign = found[2] === '==' ? '=' : (found[2] as Sign);
    const value = found[3]?.replace(/\\(.)/g, '$1') ?? found[4]!;
    const unit = /^[\d.]+ ?(\p{L}+)$/u.exec(value)?.[1];
    if (/[<>]/.test(sign) && unit !== undefined && amountOf(value) === null)
      throw new SpillwayError(
        'usage',
        `${unit} is no unit`,
        'write ns, us, ms, s, min, h or d for a time, and B, kB, MB, GB, TB or KiB … for a size',
      );
    conditions.push({ field: found[1]!, sign, value });
  }
  if (conditions.length === 0)
    throw new SpillwayError('usage', 'the condition is empty', 'write one such as status>=500');
  return conditions;
}

/** Returns the condition that the field has the value; null for a name that no condition can have. */
export function conditionOf(field: string, value: string): string | null {
  if (!/^[\p{L}\p{N}_.@$/-]+$/u.test(field)) return null;
  const isCut = value.length > MOST_COMPARED_CHARS;
  const text = isCut ? value.slice(0, MOST_COMPARED_CHARS) : value;
  const isBare = /^[^\s,"<>=!~][^\s,"]*$/.test(text);
  return `${field}${isCut ? '~' : '='}${isBare ? text : `"${text.replace(/["\\]/g, '\\$&')}"`}`;
}

const MOST_COMPARED_CHARS = 300;

/** Whether the text can only be meant as conditions: with signs other than `=` and `~`, before an amount or a level. */
export function isConditions(text: string): boolean {
  if (!/[<>!]/.test(text)) return false;
  try {
    return conditionsOf(text).every(
      ({ sign, value }) =>
        sign === '!=' ||
        ('<>'.includes(sign[0]!) && (/^\d/.test(value) || LEVEL_WORDS.has(value.toLowerCase()))),
    );
  } catch {
    return false;
  }
}

/** Returns whether all conditions hold for a line; none holds for a line without its field. */
export function conditionTest(
  conditions: readonly Condition[],
  patterns: readonly RegExp[] = [],
): (line: string) => boolean {
  const tests = conditions.map((condition) => ({
    ...condition,
    read: fieldReader(condition.field, patterns),
  }));
  return (line) =>
    tests.every((test) => {
      const isLevel = test.field === 'level' && LEVEL_WORDS.has(test.value.toLowerCase());
      const value = isLevel ? levelOf(line) : test.read(line);
      return value !== null && holds(value, test);
    });
}

function holds(value: string, { field, sign, value: wanted }: Condition): boolean {
  if (sign === '~') return value.toLowerCase().includes(wanted.toLowerCase());
  const order = compared(value, wanted, field);
  if (order === null) return sign === '!=';
  if (sign === '=') return order === 0;
  if (sign === '!=') return order !== 0;
  return sign[0] === '>'
    ? order > 0 || (order === 0 && sign === '>=')
    : order < 0 || (order === 0 && sign === '<=');
}

/** By level, by number, by amount with its unit, else by text without regard to case; null if these are unlike. */
function compared(value: string, wanted: string, field: string): number | null {
  const levels = [value, wanted].map((one) => LEVEL_WORDS.get(one.toLowerCase()));
  if (field === 'level' && levels[0] && levels[1])
    return LEVELS.indexOf(levels[1]) - LEVELS.indexOf(levels[0]);
  const asked = amountOf(wanted);
  if (asked) {
    const actual = amountOf(value);
    if (actual === null) return null;
    if (actual.unit === asked.unit) return actual.amount - asked.amount;
    if (actual.unit === null) return actual.amount * unitOfField(field, asked.unit!) - asked.amount;
    // `duration>1` means one of what the name says, or of milliseconds.
    return asked.unit === null ? actual.amount - asked.amount * unitOfField(field, actual.unit) : null;
  }
  const [left, right] = [value.toLowerCase(), wanted.toLowerCase()];
  return left < right ? -1 : left > right ? 1 : 0;
}

interface Amount {
  amount: number;
  /** Null for a plain number; times are in milliseconds. */
  unit: 'time' | 'size' | null;
}

const MS: Record<string, number> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1e3,
  m: 6e4,
  min: 6e4,
  h: 36e5,
  d: 864e5,
};
const TIME = /(-?\d+(?:\.\d+)?) ?(ns|us|µs|μs|ms|s|min|m|h|d)/y;
const SIZE = /^(-?\d+(?:\.\d+)?) ?(?:([kKMGT]?)(i?)B|([kKMGT])(i?))$/;
const PERCENT = /^([-+]?\d+(?:\.\d+)?) ?%$/;
const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i;

function amountOf(text: string): Amount | null {
  const plain = PERCENT.exec(text)?.[1] ?? text;
  if (NUMBER.test(plain)) return { amount: Number(plain), unit: null };
  const size = SIZE.exec(text);
  if (size) {
    const power = ' kMGT'.indexOf((size[2] ?? size[4])?.replace('K', 'k') || ' ');
    return { amount: Number(size[1]) * (size[3] || size[5] ? 1024 : 1000) ** power, unit: 'size' };
  }
  let amount = 0;
  TIME.lastIndex = 0;
  while (TIME.lastIndex < text.length) {
    const part = TIME.exec(text);
    if (!part) return null;
    amount += Number(part[1]) * MS[part[2]!]!;
  }
  return text === '' ? null : { amount, unit: 'time' };
}

/** The unit of plain numbers in a field, as its name says (`duration_ms`, `latencySeconds`), else a millisecond. */
function unitOfField(field: string, unit: 'time' | 'size'): number {
  if (unit === 'size') return 1;
  const name = NAMED_UNIT.exec(field)?.[1]?.toLowerCase();
  const long: Record<string, number> = { nanos: 1e-6, micros: 1e-3, millis: 1, seconds: 1e3, minutes: 6e4 };
  if (name === undefined) return MS[assumedUnit(field)]!;
  return long[name] ?? MS[name]!;
}

const NAMED_UNIT = /(?:_|\.|(?=[A-Z]))(ns|us|ms|s|nanos|micros|millis|seconds|minutes)$/i;

/** Elastic's schema counts the duration of an event in nanoseconds. */
function assumedUnit(field: string): 'ns' | 'ms' {
  return field === 'event.duration' ? 'ns' : 'ms';
}

/** Names the unit that plain numbers of these lines were taken for; null if none were, or their names say it. */
export function unitNote(
  conditions: readonly Condition[],
  lines: readonly string[],
  patterns: readonly RegExp[] = [],
): string | null {
  const assumed = conditions.filter(({ field, value }) => {
    if (NAMED_UNIT.test(field) || amountOf(value)?.unit !== 'time') return false;
    const read = fieldReader(field, patterns);
    return lines.some((line) => NUMBER.test(read(line) ?? ''));
  });
  const units = [...new Set(assumed.map(({ field }) => `${field} in ${assumedUnit(field)}`))];
  return units.length === 0 ? null : `numbers without a unit were taken for ${units.join(', ')}`;
}
