/**
 * Reads rows of an SQLite table, the newest first: a table is a tree ordered by row number, and a row keeps its number
 * when it changes (https://www.sqlite.org/fileformat2.html#b_tree_pages).
 */
import { type Pages, Unreadable } from './pages.ts';

const SCHEMA_PAGE = 1;
/** The first page begins with the header of the file. */
const FILE_HEADER_BYTES = 100;
const INNER = 5;
const LEAF = 13;
/** A longer row is damage. */
const MAX_ROW_BYTES = 64 * 1024 * 1024;
/** A tree this deep would hold more rows than there are row numbers. */
const MAX_DEPTH = 20;

interface Table {
  readonly root: number;
  readonly columns: readonly string[];
}

interface TableRow {
  readonly number: number;
  /** Bytes of the row. */
  readonly bytes: number;
  /** The part of the row that stands in its page: the beginning, of a long one. */
  readonly start: Buffer;
  /** Reads the whole row; by name of column. */
  values(): ReadonlyMap<string, Value>;
}

/** Returns a table of the database; null when there is none of that name. */
export function tableNamed(pages: Pages, name: string): Table | null {
  for (const row of rows(pages, {
    root: SCHEMA_PAGE,
    columns: ['type', 'name', 'tbl_name', 'rootpage', 'sql'],
  })) {
    const found = row.values();
    const [root, sql] = [found.get('rootpage'), found.get('sql')];
    if (found.get('type') !== 'table' || found.get('name') !== name) continue;
    if (typeof root !== 'number' || typeof sql !== 'string' || /\)\s*without\s+rowid\s*$/i.test(sql))
      return null;
    return { root, columns: columnsOf(sql) };
  }
  return null;
}

/** Yields the rows of a table, the newest first. Throws `Unreadable`. */
export function rows(pages: Pages, table: Table): Generator<TableRow> {
  return below(pages, table, table.root, 0);
}

function* below(pages: Pages, table: Table, number: number, depth: number): Generator<TableRow> {
  if (depth > MAX_DEPTH) throw new Unreadable('a tree without end');
  const page = pages.page(number);
  const header = number === SCHEMA_PAGE ? FILE_HEADER_BYTES : 0;
  const type = page[header];
  if (type !== INNER && type !== LEAF) throw new Unreadable('not a page of a table');
  const count = page.readUInt16BE(header + 3);
  const cells = header + (type === INNER ? 12 : 8);
  if (cells + 2 * count > page.length) throw new Unreadable('too many cells in a page');
  if (type === INNER) yield* below(pages, table, page.readUInt32BE(header + 8), depth + 1);
  for (let i = count - 1; i >= 0; i -= 1) {
    const at = page.readUInt16BE(cells + 2 * i);
    if (at + 4 > page.length) throw new Unreadable('a cell outside its page');
    if (type === INNER) yield* below(pages, table, page.readUInt32BE(at), depth + 1);
    else yield rowAt(pages, table, page, at);
  }
}

function rowAt(pages: Pages, { columns }: Table, page: Buffer, at: number): TableRow {
  const [bytes, afterSize] = varint(page, at);
  const [number, from] = varint(page, afterSize);
  const here = bytesInPage(bytes, pages.usableBytes);
  const start = page.subarray(from, from + here);
  if (start.length < here) throw new Unreadable('a row outside its page');
  return {
    number,
    bytes,
    start,
    values: () => {
      const whole = here === bytes ? start : withRest(pages, start, bytes, page.readUInt32BE(from + here));
      const values = valuesOf(whole);
      return new Map(columns.map((name, i) => [name, values[i] ?? null]));
    },
  };
}

/** How much of a row stands in its page, if that many bytes can be used of a page. */
function bytesInPage(bytes: number, usable: number): number {
  const most = usable - 35;
  if (bytes <= most) return bytes;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const part = least + ((bytes - least) % (usable - 4));
  return part <= most ? part : least;
}

/** The rest of a long row is in a list of pages, each with the number of the next. */
function withRest(pages: Pages, start: Buffer, bytes: number, first: number): Buffer {
  if (bytes > MAX_ROW_BYTES) throw new Unreadable('a row without end');
  const parts = [start];
  let missing = bytes - start.length;
  for (let next = first; missing > 0; ) {
    const page = pages.page(next);
    const part = page.subarray(4, 4 + Math.min(missing, pages.usableBytes - 4));
    parts.push(part);
    missing -= part.length;
    next = page.readUInt32BE(0);
  }
  return Buffer.concat(parts);
}

/** Returns the names of the columns in a `CREATE TABLE`, in order. */
export function columnsOf(sql: string): string[] {
  const parts: string[] = [];
  let [depth, part, quote] = [0, '', ''];
  for (const character of sql.slice(sql.indexOf('(') + 1, sql.lastIndexOf(')'))) {
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === "'" || character === '"' || character === '`') quote = character;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    if (character === ',' && depth === 0 && quote === '') {
      parts.push(part);
      part = '';
    } else part += character;
  }
  const names = [...parts, part].map((one) => /^\s*(?:"([^"]+)"|`([^`]+)`|\[([^\]]+)\]|(\w+))/.exec(one));
  return names.flatMap((match) => {
    const name = match?.[1] ?? match?.[2] ?? match?.[3] ?? match?.[4];
    const isRule = match?.[4] !== undefined && /^(constraint|primary|unique|foreign|check)$/i.test(match[4]);
    return name === undefined || isRule ? [] : [name];
  });
}

/** Blobs are left out: nothing here needs one. */
export type Value = string | number | null;

/** Returns the number at `at` and where it ends. Sizes and ids are below 2^53; larger numbers lose their last bits. */
function varint(bytes: Buffer, at: number): [value: number, end: number] {
  let value = 0;
  for (let i = 0; i < 9; i += 1) {
    const byte = bytes[at + i];
    if (byte === undefined) throw new Unreadable('a number is cut off');
    if (i === 8) return [value * 256 + byte, at + 9];
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return [value, at + i + 1];
  }
  throw new Unreadable('unreachable');
}

/** Returns the columns of a row from `payload`, its first bytes. Columns beyond them are undefined. */
function valuesOf(payload: Buffer): (Value | undefined)[] {
  const [headerEnd, first] = varint(payload, 0);
  if (headerEnd > payload.length) return [];
  const values: (Value | undefined)[] = [];
  let at = headerEnd;
  for (let next = first; next < headerEnd; ) {
    const [type, end] = varint(payload, next);
    next = end;
    const length = lengthOf(type);
    values.push(at + length > payload.length ? undefined : valueAt(payload, at, type, length));
    at += length;
  }
  return values;
}

const LENGTHS = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];

function lengthOf(type: number): number {
  if (type >= 12) return Math.floor((type - 12) / 2);
  const length = LENGTHS[type];
  if (length === undefined) throw new Unreadable('a type that is reserved');
  return length;
}

function valueAt(bytes: Buffer, at: number, type: number, length: number): Value {
  if (type === 0) return null;
  if (type === 8 || type === 9) return type - 8;
  if (type === 7) return bytes.readDoubleBE(at);
  if (type === 6) return Number(bytes.readBigInt64BE(at));
  if (type < 6) return bytes.readIntBE(at, length);
  return type % 2 === 1 ? bytes.toString('utf8', at, at + length) : null;
}
