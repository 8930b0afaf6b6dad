/**
 * Writing a gzip file of independent members (RFC 1952, section 2.2), which `zcat` reads as one text and
 * electron/reader/gzip/members.ts at random. A little at a time: it rests three times as long as it works, so that a
 * core is never more than a quarter taken.
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

/** Text in one member. What is read at random is inflated by the member: 1.5 ms for so much. */
export const MEMBER_BYTES = 512 * 1024;
const REST = 3;

const read = promisify(readCallback);
const write = promisify(writeCallback);
const gzip = promisify<Uint8Array, ZlibOptions, Buffer>(gzipCallback);
const gunzip = promisify<Uint8Array, Buffer>(gunzipCallback);

export interface GzipOptions {
  signal?: AbortSignal | undefined;
  /** How many times longer than it works it rests. */
  rest?: number;
}

/** Bytes after compression. Throws when the file is not what it was, or what the system throws; the target may be there then. */
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
      const member = await gzip(text, {});
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

/** How much smaller a few places of the file become: bytes after by bytes before. */
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
  /** Where it is in the compressed file, and how long there. */
  at: number;
  bytes: number;
  /** Bytes of its text, and their checksum. */
  text: number;
  crc: number;
}

/** What is on the disk must give back what was read. */
async function verify(fd: number, member: Member, options: GzipOptions): Promise<void> {
  const began = performance.now();
  const text = await gunzip(await readWhole(fd, member.at, member.bytes));
  if (text.length !== member.text || crc32(text) !== member.crc)
    throw new Error('what was written reads differently');
  await pause(began, options);
}

async function pause(began: number, { signal, rest = REST }: GzipOptions): Promise<void> {
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
