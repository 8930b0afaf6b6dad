/** Makes of a stream what is put into the bucket: its secrets masked, in independent gzip members, with a footer. */
import { isAscii, isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, writeSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { maskSpans, type Secrets } from '../../shared/secrets/mask.ts';
import { LF } from '../../shared/text/codes.ts';
import { gzipMember, MEMBER_BYTES } from '../store/contents/gzip-file.ts';
import { openOwn } from '../store/format/small-file.ts';
import { footerOf, type MemberEntry } from './members.ts';
import type { Body } from './s3.ts';

/** Text that is masked at a time: a few milliseconds of work. */
const BLOCK_BYTES = 256 * 1024;
/** Text that is searched with a block, as a secret may begin or end there. A private key of 16,384 bits has 13 KB. */
const BEFORE_BYTES = 16 * 1024;
const BEHIND_BYTES = 4 * 1024;

/** Opens a capture's stream, plain or compressed. Throws when its file is not there. */
export function storedText(path: string): Readable {
  const fd = openOwn(path);
  if (fd === null) throw Object.assign(new Error(`${path} cannot be read`), { code: 'ENOENT' });
  const file = createReadStream('', { fd, highWaterMark: BLOCK_BYTES });
  if (!path.endsWith('.gz')) return file;
  const text = createGunzip({ chunkSize: BLOCK_BYTES });
  file.on('error', (error) => text.destroy(error));
  text.on('close', () => file.destroy());
  return file.pipe(text);
}

/** Yields the text with its secrets masked: as many bytes as it had, with the same line ends. */
export async function* maskedText(source: AsyncIterable<Buffer>, secrets: Secrets): AsyncGenerator<Buffer> {
  let before: Buffer = Buffer.alloc(0);
  let parts: Buffer[] = [];
  let waiting = 0;
  const take = (isLast: boolean): Buffer => {
    const text = Buffer.concat(parts);
    const end = isLast ? text.length : cutOf(text);
    const masked = maskedPart(Buffer.concat([before, text]), before.length, before.length + end, secrets);
    const seen = Buffer.concat([before, text.subarray(0, end)]);
    const start = Math.max(0, seen.length - BEFORE_BYTES);
    const line = start === 0 ? 0 : seen.indexOf(LF, start) + 1;
    before = Buffer.from(seen.subarray(line > 0 ? line : start));
    parts = [Buffer.from(text.subarray(end))];
    waiting = text.length - end;
    return masked;
  };
  for await (const part of source) {
    parts.push(part);
    waiting += part.length;
    if (waiting >= BLOCK_BYTES + BEHIND_BYTES) yield take(false);
  }
  if (waiting > 0) yield take(true);
}

/** A block ends with a line, unless the line is very long. */
function cutOf(text: Buffer): number {
  const most = text.length - BEHIND_BYTES;
  const line = text.lastIndexOf(LF, most - 1) + 1;
  return line > 0 ? line : most;
}

/** Returns the bytes from `from` to `to`, masked. What is not UTF-8 is looked through byte by byte. */
function maskedPart(bytes: Buffer, from: number, to: number, secrets: Secrets): Buffer {
  const encoding = !isAscii(bytes) && isUtf8(bytes) ? 'utf8' : 'latin1';
  const text = bytes.toString(encoding);
  const spans = secrets.find(text);
  if (spans.length === 0) return bytes.subarray(from, to);
  const masked = Buffer.from(bytes);
  let at = 0;
  let index = 0;
  for (const span of spans) {
    at += Buffer.byteLength(text.slice(index, span.from), encoding);
    const secret = text.slice(span.from, span.to);
    const shown = maskSpans(secret, [{ ...span, from: 0, to: secret.length }]);
    let unit = 0;
    for (const character of secret) {
      const length = Buffer.byteLength(character, encoding);
      if (!shown.startsWith(character, unit)) masked.fill('*', at, at + length);
      at += length;
      unit += character.length;
    }
    index = span.to;
  }
  return masked.subarray(from, to);
}

export interface Packed extends Body {
  /** Bytes and line ends of the text. */
  text: number;
  newlines: number;
  /** The last lines of the text, masked. */
  end: Buffer;
}

const END_BYTES = 64 * 1024;

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
  let end: Buffer = Buffer.alloc(0);
  const write = (part: Buffer) => {
    hash.update(part);
    for (let done = 0; done < part.length; ) done += writeSync(out, part, done);
    bytes += part.length;
  };
  const add = async (text: Buffer) => {
    const member = await gzipMember(text, { level: 1 });
    members.push({ bytes: member.length, text: text.length, newlines: newlinesIn(text) });
    write(member);
  };
  try {
    let rest: Buffer = Buffer.alloc(0);
    for await (const part of maskedText(source, secrets)) {
      signal?.throwIfAborted();
      rest = Buffer.concat([rest, part]);
      end =
        part.length >= END_BYTES
          ? part.subarray(-END_BYTES)
          : Buffer.concat([end, part]).subarray(-END_BYTES);
      for (; rest.length >= MEMBER_BYTES; rest = rest.subarray(MEMBER_BYTES))
        await add(rest.subarray(0, MEMBER_BYTES));
    }
    if (rest.length > 0) await add(rest);
    write(footerOf(members));
  } finally {
    closeSync(out);
  }
  const whole = members.reduce((all, one) => all + one.text, 0) > end.length ? end.indexOf(LF) + 1 : 0;
  const sum = (of: (member: MemberEntry) => number) => members.reduce((all, one) => all + of(one), 0);
  return {
    ...{ content: { path: target }, bytes, md5: hash.digest('base64') },
    ...{ end: end.subarray(whole) },
    ...{ text: sum(({ text }) => text), newlines: sum(({ newlines }) => newlines) },
  };
}

function newlinesIn(text: Buffer): number {
  let count = 0;
  for (let at = text.indexOf(LF); at >= 0; at = text.indexOf(LF, at + 1)) count += 1;
  return count;
}
