/** Decodes what SQLite stores in a row (https://www.sqlite.org/fileformat2.html#record_format). */
import { Unreadable } from './pages.ts';

/** Blobs are left out: nothing here needs one. */
export type Value = string | number | null;

/** Returns the number at `at` and where it ends. Sizes and ids are below 2^53; larger numbers lose their last bits. */
export function varint(bytes: Buffer, at: number): [value: number, end: number] {
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
export function valuesOf(payload: Buffer): (Value | undefined)[] {
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
