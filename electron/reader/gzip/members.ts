/**
 * Random access to a gzip file of small independent members (RFC 1952, section 2.2). A read inflates one member; the
 * last few are cached.
 */

import { inflateRawSync } from 'node:zlib';
import { SpillwayError } from '../../../shared/errors.ts';
import { countFitting } from '../../../shared/line-set.ts';
import type { MemberTable, OpenStream } from '../bytes/open-stream.ts';

/** Largest member that is read at random, in inflated bytes. */
export const MAX_MEMBER_BYTES = 8 * 1024 * 1024;
/** Inflated bytes cached per thread. */
const CACHE_BYTES = 32 * 1024 * 1024;
/** Memory of a cache entry besides its text. */
const ENTRY_BYTES = 512;

export interface Member {
  dataOffset: number;
  dataBytes: number;
  textBytes: number;
}

let lastId = 0;

export function memberTable(members: readonly Member[]): MemberTable {
  const entries = new SharedArrayBuffer(members.length * 4 * Float64Array.BYTES_PER_ELEMENT);
  const view = new Float64Array(entries);
  let at = 0;
  for (const [i, member] of members.entries()) {
    view.set([member.dataOffset, member.dataBytes, at, member.textBytes], i * 4);
    at += member.textBytes;
  }
  lastId += 1;
  return { id: lastId, entries, count: members.length, size: at };
}

/** Opens the stream of a member table. Reads throw `changed` when the file no longer inflates as the table says. */
export function openMembers(file: OpenStream, table: MemberTable): OpenStream {
  const view = new Float64Array(table.entries);
  const find = (position: number) =>
    countFitting(table.count, (member) => view[member * 4 + 2]! <= position) - 1;
  return {
    size: table.size,
    read(into, position) {
      const wanted = Math.min(into.length, Math.max(0, table.size - position));
      let got = 0;
      let member = wanted > 0 ? find(position) : 0;
      while (got < wanted) {
        const text = inflated(file, table, view, member);
        const from = position + got - view[member * 4 + 2]!;
        const part = text.subarray(from, from + wanted - got);
        into.set(part, got);
        got += part.length;
        member += 1;
      }
      return got;
    },
  };
}

/** Least recently used first; shared by all streams of this thread. */
const cache = new Map<string, Uint8Array>();
let cachedBytes = 0;

function inflated(file: OpenStream, table: MemberTable, view: Float64Array, member: number): Uint8Array {
  const key = `${table.id}/${member}`;
  const hit = cache.get(key);
  if (hit) {
    cache.delete(key);
    cache.set(key, hit);
    return hit;
  }
  const data = new Uint8Array(view[member * 4 + 1]!);
  const textBytes = view[member * 4 + 3]!;
  const got = file.read(data, view[member * 4]!);
  let text: Uint8Array;
  try {
    if (got < data.length) throw new Error('short read');
    text = inflateRawSync(data, { maxOutputLength: Math.max(1, textBytes) });
    if (text.length !== textBytes) throw new Error('other length');
  } catch {
    throw new SpillwayError('changed', 'the gzip file changed while it was read', 'ask again');
  }
  cache.set(key, text);
  cachedBytes += text.length + ENTRY_BYTES;
  for (const [oldest, bytes] of cache) {
    if (cachedBytes <= CACHE_BYTES || cache.size === 1) break;
    cache.delete(oldest);
    cachedBytes -= bytes.length + ENTRY_BYTES;
  }
  return text;
}
