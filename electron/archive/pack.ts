/**
 * Makes of a stream what is put into the bucket: its secrets masked, in independent gzip members, with a footer that
 * tells where each is.
 *
 *     member member … footer
 *
 * The footer is one or more empty members whose extra field (RFC 1952, section 2.3.1.1) has the subfield `SW`: for each
 * member its compressed bytes, its text's bytes and its line ends, as numbers of 7 bits a byte; then the bytes of the
 * whole footer in four bytes, so that it is found from the end. `zcat` prints nothing for it.
 */
import { isAscii } from 'node:buffer';
import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, writeSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { createGunzip, deflateRawSync, gzipSync } from 'node:zlib';
import type { Secrets } from '../../shared/secrets/mask.ts';
import { LF } from '../../shared/text/codes.ts';
import { beginningBefore, maskedBytes } from '../reader/bytes/masked-bytes.ts';
import { gzipMember, MEMBER_BYTES } from '../store/contents/gzip-file.ts';
import { openOwn } from '../store/format/small-file.ts';
import type { Body } from './s3.ts';

const READ_BYTES = 256 * 1024;
/**
 * Text that is searched for secrets at a time. V8 maps memory anew for each string of more than 128 KiB, which took
 * three times as long as the search.
 */
const MASKED_BYTES = 120 * 1024;
/** Text behind a block that is searched with it, as a secret may end there. */
const BEHIND_BYTES = 4 * 1024;

/** Opens a capture's stream, plain or compressed. Throws when its file is not there. */
export function storedText(path: string): Readable {
  const fd = openOwn(path);
  if (fd === null) throw Object.assign(new Error(`${path} cannot be read`), { code: 'ENOENT' });
  const file = createReadStream('', { fd, highWaterMark: READ_BYTES });
  if (!path.endsWith('.gz')) return file;
  const text = createGunzip({ chunkSize: READ_BYTES });
  file.on('error', (error) => text.destroy(error));
  text.on('close', () => file.destroy());
  return file.pipe(text);
}

/**
 * Yields the text with its secrets masked: as many bytes as it had, with the same line ends. Bytes are valid up to the
 * next ones: new memory for each block made the collector take a fifth of the time.
 */
export async function* maskedText(source: AsyncIterable<Buffer>, secrets: Secrets): AsyncGenerator<Buffer> {
  const held = Buffer.allocUnsafe(MASKED_BYTES);
  let length = 0;
  /** Where the text begins that was not yielded yet. */
  let from = 0;
  for await (const part of source) {
    for (let at = 0; at < part.length; ) {
      const copied = part.copy(held, length, at);
      at += copied;
      length += copied;
      if (length < held.length) continue;
      // Other characters than ASCII make a string twice as long.
      const searched = isAscii(held) ? held : held.subarray(0, MASKED_BYTES / 2);
      const end = cutOf(searched, from);
      yield maskedBytes(searched, from, end, secrets).bytes;
      const keep = beginningBefore(held, end);
      held.copyWithin(0, keep);
      length -= keep;
      from = end - keep;
    }
  }
  if (length > from) yield maskedBytes(held.subarray(0, length), from, length, secrets).bytes;
}

/** A block ends with a line, unless the line is very long. */
function cutOf(text: Buffer, from: number): number {
  const most = text.length - BEHIND_BYTES;
  const line = text.lastIndexOf(LF, most - 1) + 1;
  return line > from ? line : most;
}

export interface Packed extends Body {
  /** Bytes and line ends of the text. */
  text: number;
  newlines: number;
  /** The first bytes of the text, and its last lines, masked. */
  head: Buffer;
  end: Buffer;
  footer: Buffer;
}

const END_BYTES = 64 * 1024;
/** Tells what kind of text it is. */
const HEAD_BYTES = 16 * 1024;
/** Most members are smaller when compressed: each part of the result costs a turn. */
const CHUNK_BYTES = 128 * 1024;

/** Writes the object to the new file `target`. `signal` stops it. */
export async function pack(
  source: AsyncIterable<Buffer>,
  secrets: Secrets,
  target: string,
  signal?: AbortSignal,
): Promise<Packed> {
  const members: MemberEntry[] = [];
  const hash = createHash('md5');
  const out = openSync(target, 'wx', 0o600);
  let bytes = 0;
  let head: Buffer | null = null;
  /** The end of the last member. */
  let end: Buffer = Buffer.alloc(0);
  const write = (part: Buffer) => {
    hash.update(part);
    for (let done = 0; done < part.length; ) done += writeSync(out, part, done);
    bytes += part.length;
  };
  const text = Buffer.allocUnsafe(MEMBER_BYTES);
  let length = 0;
  let footer: Buffer;
  const add = async () => {
    const full = text.subarray(0, length);
    const member = await gzipMember(full, { level: 1, chunkSize: CHUNK_BYTES });
    members.push({ bytes: member.length, text: length, newlines: newlinesIn(full) });
    write(member);
    head ??= Buffer.from(full.subarray(0, HEAD_BYTES));
    end = Buffer.concat([end, full.subarray(-END_BYTES)]).subarray(-END_BYTES);
    length = 0;
  };
  try {
    for await (const part of maskedText(source, secrets)) {
      signal?.throwIfAborted();
      for (let at = 0; at < part.length; ) {
        const copied = part.copy(text, length, at);
        at += copied;
        length += copied;
        if (length === text.length) await add();
      }
    }
    if (length > 0) await add();
    footer = footerOf(members);
    write(footer);
  } finally {
    closeSync(out);
  }
  const whole = members.reduce((all, one) => all + one.text, 0) > end.length ? end.indexOf(LF) + 1 : 0;
  const sum = (of: (member: MemberEntry) => number) => members.reduce((all, one) => all + of(one), 0);
  return {
    ...{ content: { path: target }, bytes, md5: hash.digest('base64') },
    ...{ head: head ?? Buffer.alloc(0), end: end.subarray(whole), footer },
    ...{ text: sum(({ text }) => text), newlines: sum(({ newlines }) => newlines) },
  };
}

/** What a record tells of an object. With `head` and `footer`, lines are read with the record and one request more. */
export interface ObjectFacts {
  bytes: number;
  text: number;
  newlines: number;
  md5: string;
  /** The first bytes of the text, as gzip in base64. */
  head?: string;
  /** In base64. */
  footer?: string;
}

/** That of a stream of 1 GiB has 16 KB. */
const MOST_FOOTER_BYTES = 16 * 1024;

export function factsOf({ bytes, text, newlines, md5, head, footer }: Packed): ObjectFacts {
  const facts = { bytes, text, newlines, md5 };
  if (footer.length > MOST_FOOTER_BYTES) return facts;
  return { ...facts, head: gzipSync(head).toString('base64'), footer: footer.toString('base64') };
}

export function newlinesIn(text: Buffer): number {
  let count = 0;
  for (let at = text.indexOf(LF); at >= 0; at = text.indexOf(LF, at + 1)) count += 1;
  return count;
}

export interface MemberEntry {
  bytes: number;
  text: number;
  newlines: number;
}

const HEADER = Buffer.from([0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 255]);
const SUBFIELD = Buffer.from('SW');
const EMPTY = Buffer.concat([deflateRawSync(Buffer.alloc(0)), Buffer.alloc(8)]);
/** An extra field has at most 65,535 bytes. */
const MAX_ENTRIES_BYTES = 60_000;
const LENGTH_BYTES = 4;
/** Bytes of a footer besides its entries. */
const FRAME_BYTES = HEADER.length + 2 + SUBFIELD.length + 2 + LENGTH_BYTES + EMPTY.length;

export function footerOf(members: readonly MemberEntry[]): Buffer {
  const groups: number[][] = [[]];
  for (const { bytes, text, newlines } of members) {
    if (groups.at(-1)!.length > MAX_ENTRIES_BYTES) groups.push([]);
    for (const number of [bytes, text, newlines]) putNumber(groups.at(-1)!, number);
  }
  const total = groups.reduce((sum, group) => sum + group.length + FRAME_BYTES, 0);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(total);
  return Buffer.concat(
    groups.flatMap((group) => {
      const size = group.length + LENGTH_BYTES;
      return [
        HEADER,
        short(SUBFIELD.length + 2 + size),
        SUBFIELD,
        short(size),
        Buffer.from(group),
        length,
        EMPTY,
      ];
    }),
  );
}

/** Returns the bytes of the footer, told by the end of a file; null when it has none. */
export function footerLength(end: Buffer): number | null {
  const at = end.length - EMPTY.length - LENGTH_BYTES;
  if (at < 0 || !end.subarray(at + LENGTH_BYTES).equals(EMPTY)) return null;
  const length = end.readUInt32LE(at);
  return length < FRAME_BYTES ? null : length;
}

/** Returns the entries of a whole footer; null when it is none. */
export function parseFooter(footer: Buffer): MemberEntry[] | null {
  const numbers: number[] = [];
  for (let at = 0; at < footer.length; ) {
    if (footer.length - at < FRAME_BYTES) return null;
    const start = at + HEADER.length + 2 + SUBFIELD.length + 2;
    if (!footer.subarray(at, at + HEADER.length).equals(HEADER)) return null;
    if (!footer.subarray(at + HEADER.length + 2, start - 2).equals(SUBFIELD)) return null;
    const size = footer.readUInt16LE(start - 2) - LENGTH_BYTES;
    const end = start + size;
    if (size < 0 || end + LENGTH_BYTES + EMPTY.length > footer.length) return null;
    let value = 0;
    let scale = 1;
    for (const byte of footer.subarray(start, end)) {
      value += (byte & 127) * scale;
      scale *= 128;
      if (byte & 128) continue;
      numbers.push(value);
      value = 0;
      scale = 1;
    }
    at = end + LENGTH_BYTES + EMPTY.length;
  }
  if (numbers.length % 3 !== 0) return null;
  return Array.from({ length: numbers.length / 3 }, (_, i) => ({
    bytes: numbers[i * 3]!,
    text: numbers[i * 3 + 1]!,
    newlines: numbers[i * 3 + 2]!,
  }));
}

function putNumber(into: number[], number: number): void {
  let rest = number;
  for (; rest > 127; rest = Math.floor(rest / 128)) into.push((rest % 128) | 128);
  into.push(rest);
}

function short(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

/** Returns the first and last member that hold the lines, both included; `to` may lie behind the last line. */
export function membersOfLines(members: readonly MemberEntry[], from: number, to: number): [number, number] {
  return spanOf(members, ({ newlines }) => newlines, from - 1, to);
}

/** Returns the first and last member that hold bytes of the text from `from` up to `to`. */
export function membersOfBytes(members: readonly MemberEntry[], from: number, to: number): [number, number] {
  return spanOf(members, ({ text }) => text, from, to);
}

/** Members are passed until `size` of them reaches `from`; then the span goes on until it reaches `to`. */
function spanOf(
  members: readonly MemberEntry[],
  size: (member: MemberEntry) => number,
  from: number,
  to: number,
): [number, number] {
  let sum = 0;
  let first = -1;
  for (const [i, member] of members.entries()) {
    sum += size(member);
    if (first < 0 && sum >= from) first = i;
    if (sum >= to && first >= 0) return [first, i];
  }
  return [first < 0 ? Math.max(0, members.length - 1) : first, members.length - 1];
}
