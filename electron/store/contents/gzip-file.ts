/**
 * Writes a gzip file of independent members (RFC 1952, section 2.2): `zcat` reads it as one text,
 * electron/reader/gzip/members.ts at random. Pauses three times as long as it works, so it takes at most a quarter of
 * a core.
 */
import {
  closeSync,
  fsyncSync,
  futimesSync,
  openSync,
  read as readCallback,
  write as writeCallback,
} from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { crc32, gunzip as gunzipCallback, gzip as gzipCallback, type ZlibOptions } from 'node:zlib';

/** Uncompressed bytes in one member. A random read inflates one member: 1.5 ms at this size. */
export const MEMBER_BYTES = 512 * 1024;
/** Time paused, as a multiple of the time worked. */
const PAUSE_FACTOR = 3;

const read = promisify(readCallback);
const write = promisify(writeCallback);
const gzip = promisify<Uint8Array, ZlibOptions, Buffer>(gzipCallback);
const gunzip = promisify<Uint8Array, Buffer>(gunzipCallback);

export interface GzipOptions {
  signal?: AbortSignal | undefined;
  /** Time paused, as a multiple of the time worked. */
  rest?: number;
}

/**
 * Compresses the file, reads the result back and compares. Returns the compressed size in bytes. Throws when the file
 * changed meanwhile, and what the system throws; the target may exist then.
 */
export async function gzipFile(
  from: number,
  size: number,
  target: string,
  times: { atimeMs: number; mtimeMs: number },
  options: GzipOptions = {},
): Promise<number> {
  const out = openSync(target, 'wx+', 0o600);
  try {
    const sums: Member[] = [];
    let written = 0;
    for (let at = 0; at < size; at += MEMBER_BYTES) {
      const began = performance.now();
      const text = await readWhole(from, at, Math.min(MEMBER_BYTES, size - at));
      const member = await gzipMember(text);
      await writeWhole(out, member);
      sums.push({ at: written, bytes: member.length, text: text.length, crc: crc32(text) });
      written += member.length;
      await pause(began, options);
    }
    fsyncSync(out);
    for (const member of sums) await verify(out, member, options);
    futimesSync(out, times.atimeMs / 1000, times.mtimeMs / 1000);
    return written;
  } finally {
    closeSync(out);
  }
}

/** Compresses one member: at most `MEMBER_BYTES` of text. */
export function gzipMember(text: Uint8Array, options: ZlibOptions = {}): Promise<Buffer> {
  return gzip(text, options);
}

/** Estimates the compression ratio (compressed by original bytes) from samples at the start, middle and end. */
export async function sampleRatio(from: number, size: number): Promise<number> {
  let before = 0;
  let after = 0;
  for (const place of [0, 0.5, 1]) {
    const length = Math.min(SAMPLE_BYTES, size);
    const text = await readWhole(from, Math.floor((size - length) * place), length);
    before += text.length;
    after += (await gzip(text, { level: 1 })).length;
  }
  return before === 0 ? 1 : after / before;
}

const SAMPLE_BYTES = 64 * 1024;

interface Member {
  /** Offset and length in the compressed file, in bytes. */
  at: number;
  bytes: number;
  /** Length of its text in bytes, and the text's CRC-32. */
  text: number;
  crc: number;
}

/** Throws when a member on disk does not inflate to the text it was made from. */
async function verify(fd: number, member: Member, options: GzipOptions): Promise<void> {
  const began = performance.now();
  const text = await gunzip(await readWhole(fd, member.at, member.bytes));
  if (text.length !== member.text || crc32(text) !== member.crc)
    throw new Error('what was written reads differently');
  await pause(began, options);
}

async function pause(began: number, { signal, rest = PAUSE_FACTOR }: GzipOptions): Promise<void> {
  await sleep((performance.now() - began) * rest, undefined, signal ? { signal } : {});
}

async function readWhole(fd: number, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  for (let got = 0; got < length; ) {
    const { bytesRead } = await read(fd, buffer, got, length - got, position + got);
    if (bytesRead === 0) throw new Error('the file is shorter than it was');
    got += bytesRead;
  }
  return buffer;
}

async function writeWhole(fd: number, bytes: Buffer): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await write(fd, bytes, done, bytes.length - done)).bytesWritten;
  }
}
