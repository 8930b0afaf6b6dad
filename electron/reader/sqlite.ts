/**
 * Reads pages of an SQLite database that another program may be writing: from the committed part of its write-ahead
 * log, else from the database. Takes no lock and makes no files, so the owner is not disturbed. In return, two pages
 * may be from different moments: callers check what they read, and give up rather than guess.
 *
 * Formats: https://www.sqlite.org/fileformat2.html (sections 1.3, the header, and 4, the write-ahead log).
 */

import { closeSync, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { pathBytes } from './bytes/path-text.ts';
import { READ_FLAGS } from './disks/stats.ts';

const MAGIC = 'SQLite format 3\0';
const HEADER_BYTES = 100;
const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** A longer log is not read: its owner writes a new one after some 4 MB. */
const MAX_LOG_FRAMES = 64 * 1024;
/** Log magic numbers: the last bit is the byte order of checksums. */
const LOG_MAGIC = 0x377f0682;

/** The files break the format, or changed while they were read. */
class Unreadable extends Error {}

export class Pages {
  /** Bytes of a page without the part reserved for extensions. */
  readonly usableBytes: number;
  readonly #pageBytes: number;
  readonly #fd: number;
  readonly #log: { fd: number; frames: ReadonlyMap<number, number> } | null;
  readonly #size: number;
  bytesRead = 0;

  /** Throws `Unreadable`, and what the system throws. */
  constructor(path: string) {
    this.#fd = openPlain(path);
    let log: number | null = null;
    try {
      this.#size = plainStats(this.#fd).size;
      const header = this.#bytes(this.#fd, 0, HEADER_BYTES);
      if (header.toString('latin1', 0, 16) !== MAGIC) throw new Unreadable('not a database');
      const size = header.readUInt16BE(16);
      this.#pageBytes = size === 1 ? 65_536 : size;
      this.usableBytes = this.#pageBytes - header[20]!;
      // 1 and 2: with a rollback journal, and with a log.
      if (this.usableBytes < 480 || header[19]! > 2) throw new Unreadable('of another version');
      log = openLog(`${path}-wal`);
      this.#log = log === null ? null : { fd: log, frames: this.#frames(log) };
      // UTF-8; none yet in a database whose first table is in the log alone.
      if (this.page(1).readUInt32BE(56) > 1) throw new Unreadable('its text is not UTF-8');
    } catch (error) {
      closeSync(this.#fd);
      if (log !== null) closeSync(log);
      throw error;
    }
  }

  /** The first page is 1. */
  page(number: number): Buffer {
    const inLog = this.#log?.frames.get(number);
    if (inLog !== undefined) return this.#bytes(this.#log!.fd, inLog, this.#pageBytes);
    const at = (number - 1) * this.#pageBytes;
    if (number < 1 || at + this.#pageBytes > this.#size) throw new Unreadable(`no page ${number}`);
    return this.#bytes(this.#fd, at, this.#pageBytes);
  }

  close(): void {
    closeSync(this.#fd);
    if (this.#log) closeSync(this.#log.fd);
  }

  /** Offsets of pages in the log, of each the last that was committed. */
  #frames(fd: number): ReadonlyMap<number, number> {
    const committed = new Map<number, number>();
    const { size } = fstatSync(fd);
    const step = FRAME_HEADER_BYTES + this.#pageBytes;
    if (size < LOG_HEADER_BYTES + step) return committed;
    if (size > MAX_LOG_FRAMES * step) throw new Unreadable('its log is too long');
    const header = this.#bytes(fd, 0, LOG_HEADER_BYTES);
    const isLog = (header.readUInt32BE(0) & ~1) === LOG_MAGIC;
    if (!isLog || header.readUInt32BE(8) !== this.#pageBytes) return committed;
    const salts = header.toString('latin1', 16, 24);
    let open: [page: number, at: number][] = [];
    for (let at = LOG_HEADER_BYTES; at + step <= size; at += step) {
      const frame = this.#bytes(fd, at, FRAME_HEADER_BYTES);
      // The rest is left over from an earlier round of the log.
      if (frame.toString('latin1', 8, 16) !== salts) break;
      open.push([frame.readUInt32BE(0), at + FRAME_HEADER_BYTES]);
      if (frame.readUInt32BE(4) === 0) continue;
      for (const [page, where] of open) committed.set(page, where);
      open = [];
    }
    return committed;
  }

  #bytes(fd: number, at: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    if (readSync(fd, bytes, 0, length, at) !== length) throw new Unreadable('shorter than it was');
    this.bytesRead += length;
    return bytes;
  }
}

function openPlain(path: string): number {
  return openSync(pathBytes(path), READ_FLAGS);
}

function plainStats(fd: number): Stats {
  const stats = fstatSync(fd);
  if (!stats.isFile()) throw new Unreadable('not a file');
  return stats;
}

/** Null when there is none. */
function openLog(path: string): number | null {
  try {
    return openPlain(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

// Reads rows of an SQLite table, the newest first: a table is a tree ordered by row number, and a row keeps its number
// when it changes (https://www.sqlite.org/fileformat2.html#b_tree_pages).

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

// Reads the newest rows of some tables of an SQLite database: a bounded amount, and leaves no file in its folder.

/** Rows taken of a table, and bytes of the files read, at one look. */
const MAX_ROWS = 2000;
const MAX_BYTES = 64 * 1024 * 1024;
/** A longer row is skipped. */
const MAX_TAKEN_BYTES = 4 * 1024 * 1024;
/** Rows that were taken before and are read again: a command's end changes its row. */
const AGAIN_ROWS = 500;

export interface WantedRows {
  readonly name: string;
  /** Rows that don't have this text in their first hundreds of bytes are skipped. */
  readonly mark: string;
  /** The highest number of a row that was taken before. */
  readonly known: number;
}

export interface NewRows {
  readonly newest: number;
  /** The newest first. */
  readonly rows: readonly ReadonlyMap<string, Value>[];
}

/** Returns the rows of each table; null for a table that is not there. Throws `Unreadable`, and system errors. */
export function newRows(path: string, tables: readonly WantedRows[]): (NewRows | null)[] {
  const pages = new Pages(path);
  try {
    return tables.map(({ name, mark, known }) => {
      const table = tableNamed(pages, name);
      if (table === null) return null;
      const found: ReadonlyMap<string, Value>[] = [];
      let newest = known;
      for (const row of rows(pages, table)) {
        newest = Math.max(newest, row.number);
        const isEnough = found.length >= MAX_ROWS || pages.bytesRead > MAX_BYTES;
        if (row.number <= known - AGAIN_ROWS || isEnough) break;
        if (row.bytes <= MAX_TAKEN_BYTES && row.start.includes(mark)) found.push(row.values());
      }
      return { newest, rows: found };
    });
  } finally {
    pages.close();
  }
}
