/** Unpacks a compressed file, once, into a nameless temporary file of bounded size. */
import { closeSync, openSync, unlinkSync, write as writeCallback } from 'node:fs';
import { join } from 'node:path';
import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { SpillwayError } from '../../../shared/errors.ts';
import { CHUNK_BYTES, feed } from './feed.ts';
import type { Compression, Unpacked, UnpackOptions } from './unpack.ts';

const write = promisify(writeCallback);
/** How often, in unpacked bytes, it is asked how much there is still room for. */
const ASK_BYTES = 64 * 1024 * 1024;

/** Throws `unsupported` for zstd where the runtime has none. */
export async function spool(fd: number, compression: Compression, options: UnpackOptions): Promise<Unpacked> {
  decompressor(compression).destroy();
  const out = namelessFile(options.directory());
  try {
    let poured = await pour(fd, out, compression, options);
    // On data it can't read a decompressor drops text it had made of what came just before: once more, in small
    // bites.
    if (poured.isBroken) poured = await pour(fd, out, compression, options, poured);
    return { handle: { type: 'file', fd: out, size: poured.size }, ownFd: out, problem: poured.problem };
  } catch (error) {
    closeSync(out);
    throw error;
  }
}

interface Poured {
  /** Bytes of text. */
  size: number;
  /** Bytes of the file that were asked for. */
  fed: number;
  /** Why the text is not whole, in a sentence. */
  problem: string | null;
  /** Because the data is not what it should be, rather than too short. */
  isBroken: boolean;
}

/** `before`: what came of it, and is in `out` already. */
async function pour(
  fd: number,
  out: number,
  compression: Compression,
  options: UnpackOptions,
  before?: Poured,
): Promise<Poured> {
  let size = before?.size ?? 0;
  let limit = options.limit(size);
  let asked = size;
  let made = 0;
  let fed = 0;
  const onProgress = (bytes: number) => {
    fed = bytes;
    options.onProgress?.(bytes);
  };
  // Of what was fed some waited, and some was ahead of that.
  const fineFrom = before && before.fed - 4 * CHUNK_BYTES;
  try {
    for await (const chunk of feed(fd, 0, decompressor(compression), {
      signal: options.signal,
      onProgress,
      fineFrom,
    })) {
      const fresh = chunk.subarray(Math.min(chunk.length, Math.max(0, size - made)));
      made += chunk.length;
      if (size - asked >= ASK_BYTES) {
        limit = options.limit(size);
        asked = size;
      }
      const written = await writeAll(out, fresh.subarray(0, Math.max(0, limit - size)), size);
      size += written;
      if (written < fresh.length) {
        const problem = `only the first ${size} bytes were unpacked: decompress the file yourself to read all of it`;
        return { size, fed, problem, isBroken: false };
      }
    }
    return { size, fed, problem: null, isBroken: false };
  } catch (error) {
    if (options.signal?.aborted) throw error;
    const { code = '', message } = error as NodeJS.ErrnoException;
    const problem = `the ${compression} file is damaged or still being written (${message}): this is what could be unpacked`;
    return { size, fed, problem, isBroken: code === 'Z_DATA_ERROR' || code.startsWith('ZSTD_') };
  }
}

function decompressor(compression: Compression): Transform {
  if (compression === 'gzip') return zlib.createGunzip({ chunkSize: CHUNK_BYTES });
  const { createZstdDecompress } = zlib as unknown as { createZstdDecompress?: () => Transform };
  if (createZstdDecompress) return createZstdDecompress();
  throw new SpillwayError(
    'unsupported',
    'this runtime cannot read zstd files',
    'use Node.js 22.15 or newer, or decompress it first with zstd -d',
  );
}

/** A file without a name, where the system allows it; elsewhere it goes when it is closed or at the next cleaning. */
function namelessFile(directory: string): number {
  const path = join(directory, `unpacked-${process.pid}-${Math.random().toString(36).slice(2)}.tmp`);
  const fd = openSync(path, 'wx+', 0o600);
  try {
    unlinkSync(path);
  } catch {
    // Windows keeps the names of open files.
  }
  return fd;
}

/** Gives how many bytes were written: fewer than there are when the disk is full. */
async function writeAll(fd: number, bytes: Buffer, position: number): Promise<number> {
  let done = 0;
  while (done < bytes.length) {
    const rest = write(fd, bytes, done, bytes.length - done, position + done);
    const written = await rest.catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOSPC' || error.code === 'EDQUOT' || error.code === 'EFBIG') return null;
      throw error;
    });
    if (!written) break;
    done += written.bytesWritten;
  }
  return done;
}
