/**
 * Edits TOML at the places where its parser finds values. Supports every version of the language that the parser
 * reads.
 */
import { type AST, getStaticTOMLValue, ParseError, parseTOML } from 'toml-eslint-parser';
import { isObject } from '../../../shared/text/json-line.ts';
import { type Format, lineEndOf, type Path, Unparsable } from './format.ts';

export const tomlFormat: Format = {
  parse: (text) => getStaticTOMLValue(read(text)) as Record<string, unknown>,
  set: (text, path, value) => {
    const entry = layoutOf(read(text)).entries.find((one) => isSame(one.path, path));
    if (entry && !isObject(value)) return splice(text, ...entry.value, written(value));
    return set(remove(text, path), path, value);
  },
  remove,
  append: (text, path, item) => {
    const entry = layoutOf(read(text)).entries.find((one) => isSame(one.path, path));
    const items = entry?.items;
    if (!entry || !items) return set(text, path, [item]);
    const last = items.at(-1);
    if (!last) return splice(text, entry.value[0] + 1, entry.value[0] + 1, written(item));
    return splice(text, last.range[1], last.range[1], `, ${written(item)}`);
  },
  withdraw: (text, path, item) => {
    const items = layoutOf(read(text)).entries.find((one) => isSame(one.path, path))?.items ?? [];
    const index = items.findIndex((one) => one.value === item);
    const found = items[index];
    if (!found) return text;
    const before = items[index - 1];
    if (before) return splice(text, before.range[1], found.range[1], '');
    const comma = /^\s*,[ \t]*/.exec(text.slice(found.range[1]))?.[0].length ?? 0;
    return splice(text, found.range[0], found.range[1] + comma, '');
  },
};

function read(text: string): ReturnType<typeof parseTOML> {
  try {
    return parseTOML(text);
  } catch (error) {
    if (error instanceof ParseError) throw new Unparsable(`an error: ${error.message}`, error.lineNumber);
    throw error;
  }
}

/** Adds a value. The path must not exist yet. */
function set(text: string, path: Path, value: unknown): string {
  const { entries, tables } = layoutOf(read(text));
  const parent = path.slice(0, -1);
  const inline = entries
    .filter((entry) => entry.members !== null && startsWith(path, entry.path))
    .sort((a, b) => b.path.length - a.path.length)[0];
  if (inline) return addMember(text, inline, path.slice(inline.path.length), value);
  const dotted = entries.findLast(
    (one) =>
      !one.isMember &&
      one.table.length < parent.length &&
      one.path.length > parent.length &&
      startsWith(one.path, parent),
  );
  if (dotted) {
    const key = path.slice(dotted.table.length).map(keyOf).join('.');
    return insertLine(text, dotted.range[1], `${key} = ${written(value)}`);
  }
  if (isObject(value)) return addTable(text, path, value);
  const table = tables.find((one) => isSame(one.path, parent));
  const line = `${keyOf(path.at(-1)!)} = ${written(value)}`;
  if (table) return insertLine(text, table.end, line);
  if (parent.length > 0) return addTable(text, parent, { [path.at(-1)!]: value });
  // Insert before the first table: after it, the line would belong to that table.
  const first = tables[0]?.range[0];
  const end = lineEndOf(text);
  return first === undefined
    ? `${ended(text)}${line}${end}`
    : splice(text, first, first, `${line}${end}${end}`);
}

function remove(text: string, path: Path): string {
  const { entries, tables } = layoutOf(read(text));
  const gone = [
    ...tables.filter((table) => startsWith(table.path, path)).map((table) => wholeTable(text, table)),
    ...entries
      .filter(
        (entry) =>
          startsWith(entry.path, path) &&
          !tables.some((table) => startsWith(table.path, path) && isIn(entry, table)),
      )
      .filter(
        (entry) =>
          !entries.some((other) => other !== entry && startsWith(other.path, path) && isIn(entry, other)),
      )
      .map((entry) => (entry.isMember ? member(text, entry) : wholeLines(text, entry.range))),
  ];
  return gone.sort(([a], [b]) => b - a).reduce((rest, [from, to]) => splice(rest, from, to, ''), text);
}

type Range = readonly [number, number];

function isIn(entry: TomlEntry, other: { range: Range }): boolean {
  return entry.range[0] >= other.range[0] && entry.range[1] <= other.range[1];
}

/** Returns the table's range, with an empty line before it. */
function wholeTable(text: string, table: TableEntry): Range {
  const [from, to] = wholeLines(text, [table.range[0], table.end]);
  const blank = /(?:^|\n)(\r?\n)$/.exec(text.slice(0, from));
  return [from - (blank?.[1]?.length ?? 0), to];
}

/** Extends a range to whole lines, including the last line end. */
function wholeLines(text: string, [from, to]: Range): Range {
  const lineEnd = text.indexOf('\n', to);
  return [text.lastIndexOf('\n', from - 1) + 1, lineEnd < 0 ? text.length : lineEnd + 1];
}

/** Returns the range of an inline table's member and one of the commas beside it. */
function member(text: string, { range: [from, to] }: TomlEntry): Range {
  const before = /,\s*$/.exec(text.slice(0, from));
  if (before) return [before.index, to];
  return [from, to + (/^\s*,[ \t]*/.exec(text.slice(to))?.[0].length ?? 0)];
}

function addMember(text: string, entry: TomlEntry, path: Path, value: unknown): string {
  const member = `${path.map(keyOf).join('.')} = ${written(value)}`;
  const last = entry.members!.at(-1);
  if (last) return splice(text, last[1], last[1], `, ${member}`);
  return splice(text, entry.value[0], entry.value[1], `{ ${member} }`);
}

function insertLine(text: string, at: number, line: string): string {
  const lineEnd = text.indexOf('\n', at);
  const end = lineEndOf(text);
  return lineEnd < 0 ? `${text}${end}${line}${end}` : splice(text, lineEnd + 1, lineEnd + 1, `${line}${end}`);
}

function addTable(text: string, path: Path, value: Record<string, unknown>): string {
  const end = lineEndOf(text);
  const plain = Object.entries(value).filter(([, one]) => !isObject(one));
  const tables = Object.entries(value).filter((pair): pair is [string, Record<string, unknown>] =>
    isObject(pair[1]),
  );
  const lines = [
    `[${path.map(keyOf).join('.')}]`,
    ...plain.map(([key, one]) => `${keyOf(key)} = ${written(one)}`),
  ];
  const before = ended(text);
  const added = `${before}${before === '' ? '' : end}${lines.join(end)}${end}`;
  return tables.reduce((rest, [key, one]) => addTable(rest, [...path, key], one), added);
}

function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : text + lineEndOf(text);
}

function keyOf(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : written(key);
}

/** Writes a value as TOML. A JSON string is valid TOML once DEL is escaped. */
function written(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`;
  if (isObject(value)) {
    const members = Object.entries(value).map(([key, one]) => `${keyOf(key)} = ${written(one)}`);
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
  }
  return JSON.stringify(value).replaceAll('\u007f', '\\u007f');
}

function isSame(one: Path, other: Path): boolean {
  return one.length === other.length && startsWith(one, other);
}

function startsWith(path: Path, beginning: Path): boolean {
  return beginning.every((key, index) => path[index] === key);
}

function splice(text: string, from: number, to: number, by: string): string {
  return text.slice(0, from) + by + text.slice(to);
}

/** Locates a TOML document's tables and values. Each value has its full path from the document's root. */
interface TomlEntry {
  path: Path;
  /** `range` covers key and value; `value` the value only. */
  range: Range;
  value: Range;
  /** True inside an inline table. */
  isMember: boolean;
  /** Path of the table that holds it. */
  table: Path;
  /** Ranges of an inline table's key-value pairs; null for other values. */
  members: Range[] | null;
  /** Items of a list; null for other values. */
  items: { range: Range; value: unknown }[] | null;
}

interface TableEntry {
  path: Path;
  range: Range;
  /** End of its last value, or of its header. */
  end: number;
}

interface TomlLayout {
  entries: TomlEntry[];
  tables: TableEntry[];
}

/** Returns the layout. Skips arrays of tables: Spillway writes nothing there. */
function layoutOf(document: AST.TOMLProgram): TomlLayout {
  const layout: TomlLayout = { entries: [], tables: [] };
  for (const node of document.body[0].body) {
    if (node.type === 'TOMLKeyValue') addEntry(layout, node, [], [], false);
    else if (node.kind === 'standard') {
      const path = node.resolvedKey.map(String);
      layout.tables.push({
        path,
        range: node.range,
        end: node.body.at(-1)?.range[1] ?? node.key.range[1] + 1,
      });
      for (const entry of node.body) addEntry(layout, entry, path, path, false);
    } else layout.tables.push({ path: node.resolvedKey.map(String), range: node.range, end: node.range[1] });
  }
  return layout;
}

function addEntry(
  layout: TomlLayout,
  node: AST.TOMLKeyValue,
  above: Path,
  table: Path,
  isMember: boolean,
): void {
  const path = [...above, ...node.key.keys.map((key) => (key.type === 'TOMLBare' ? key.name : key.value))];
  const { value } = node;
  layout.entries.push({
    ...{ path, range: node.range, value: value.range, isMember, table },
    members: value.type === 'TOMLInlineTable' ? value.body.map(({ range }) => range) : null,
    items:
      value.type === 'TOMLArray'
        ? value.elements.map((item) => ({
            range: item.range,
            value: item.type === 'TOMLValue' ? item.value : null,
          }))
        : null,
  });
  if (value.type === 'TOMLInlineTable')
    for (const one of value.body) addEntry(layout, one, path, table, true);
}
