/**
 * Makes a compressed file readable at random. A gzip file of small members is read member by member in place; what
 * has no such seams is unpacked once into a nameless temporary file of bounded size, which the system frees when the
 * descriptor is closed, even after a crash. Inflating happens on Node's own thread pool.
 */
import { closeSync, openSync, read as readCallback, unlinkSync, write as writeCallback } from 'node:fs';
import { join } from 'node:path';
import { Readable, type Transform } from 'node:stream';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { SpillwayError } from '../../../shared/errors.ts';
import type { SourceHandle } from '../source.ts';
import { parseHeader, TRAILER_BYTES } from './header.ts';
import { MAX_MEMBER_BYTES, type Member, memberTable } from './members.ts';

const read = promisify(readCallback);
const write = promisify(writeCallback);
const CHUNK = 256 * 1024;
/** A header with a name or a comment longer than this is not believed. */
const MAX_HEADER = 64 * 1024;

export type Compression = 'gzip' | 'zstd';

export function compressionOf(head: Uint8Array): Compression | null {
  if (head[0] === 0x1f && head[1] === 0x8b && head[2] === 8) return 'gzip';
  if (head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd) return 'zstd';
  return null;
}

export interface Unpacked {
  handle: SourceHandle;
  /** A descriptor to close when the handle is no longer used; null when it is the file's own. */
  ownFd: number | null;
  /** Why the text is not whole, in a sentence. */
  problem: string | null;
}

export interface UnpackOptions {
  /** Where the temporary file is made. */
  directory: string;
  /** Most bytes unpacked into it. */
  maxBytes: number;
  signal?: AbortSignal | undefined;
  /** Bytes of the compressed file read so far. */
  onProgress?: ((bytes: number) => void) | undefined;
}

/** Throws `unsupported` for zstd where the runtime has none. */
export async function unpack(
  fd: number,
  compression: Compression,
  options: UnpackOptions,
): Promise<Unpacked> {
  if (compression === 'gzip') {
    const members = await seekableMembers(fd, options);
    if (members) {
      const table = memberTable(members);
      return { handle: { type: 'members', fd, size: table.size, table }, ownFd: null, problem: null };
    }
  }
  return spool(fd, compression, options);
}

/** The members of a gzip file none of which is large; null when one is, or when the file is damaged. */
async function seekableMembers(fd: number, options: UnpackOptions): Promise<Member[] | null> {
  const members: Member[] = [];
  for (let position = 0; ; ) {
    options.signal?.throwIfAborted();
    const header = parseHeader(await readAt(fd, position, MAX_HEADER));
    if (!header) return members.length > 0 && (await readAt(fd, position, 1)).length === 0 ? members : null;
    const dataOffset = position + header.length;
    const sized = header.memberBytes && (await sizedMember(fd, position, dataOffset, header.memberBytes));
    const member = sized || (await inflatedMember(fd, dataOffset, options));
    if (!member || member.textBytes > MAX_MEMBER_BYTES) return null;
    members.push(member);
    position = dataOffset + member.dataBytes + TRAILER_BYTES;
    options.onProgress?.(position);
  }
}

async function sizedMember(
  fd: number,
  start: number,
  dataOffset: number,
  bytes: number,
): Promise<Member | null> {
  const end = start + bytes;
  const trailer = await readAt(fd, end - 4, 4);
  if (trailer.length < 4 || end - TRAILER_BYTES < dataOffset) return null;
  return { dataOffset, dataBytes: end - TRAILER_BYTES - dataOffset, textBytes: trailer.readUInt32LE() };
}

/** Inflates one member to learn its sizes. */
async function inflatedMember(
  fd: number,
  dataOffset: number,
  options: UnpackOptions,
): Promise<Member | null> {
  const inflate = zlib.createInflateRaw({ chunkSize: CHUNK });
  let textBytes = 0;
  try {
    for await (const chunk of feed(fd, dataOffset, inflate, options.signal)) {
      textBytes += chunk.length;
      if (textBytes > MAX_MEMBER_BYTES) break;
    }
  } catch (error) {
    if (options.signal?.aborted) throw error;
    return null;
  }
  return { dataOffset, dataBytes: inflate.bytesWritten, textBytes };
}

async function spool(fd: number, compression: Compression, options: UnpackOptions): Promise<Unpacked> {
  const stream = decompressor(compression);
  const out = namelessFile(options.directory);
  let size = 0;
  let problem: string | null = null;
  try {
    for await (const chunk of feed(fd, 0, stream, options.signal, options.onProgress)) {
      const room = options.maxBytes - size;
      const part = chunk.length > room ? chunk.subarray(0, room) : chunk;
      await writeAll(out, part, size);
      size += part.length;
      if (part.length < chunk.length) {
        problem = `only the first ${size} bytes were unpacked: decompress the file yourself to read all of it`;
        break;
      }
    }
  } catch (error) {
    if (options.signal?.aborted) {
      closeSync(out);
      throw error;
    }
    const why = error instanceof Error ? error.message : String(error);
    problem = `the ${compression} file is damaged or still being written (${why}): this is what could be unpacked`;
  }
  return { handle: { type: 'file', fd: out, size }, ownFd: out, problem };
}

function decompressor(compression: Compression): Transform {
  if (compression === 'gzip') return zlib.createGunzip({ chunkSize: CHUNK });
  const { createZstdDecompress } = zlib as unknown as { createZstdDecompress?: () => Transform };
  if (createZstdDecompress) return createZstdDecompress();
  throw new SpillwayError(
    'unsupported',
    'this runtime cannot read zstd files',
    'use Node.js 22.15 or newer, or decompress it first with zstd -d',
  );
}

/** What the decompressor makes of the file from `position` on. */
function feed(
  fd: number,
  position: number,
  stream: Transform,
  signal: AbortSignal | undefined,
  onProgress?: (bytes: number) => void,
): AsyncIterable<Buffer> {
  const source = Readable.from(
    (async function* () {
      for (let at = position; ; ) {
        signal?.throwIfAborted();
        const bytes = await readAt(fd, at, CHUNK);
        if (bytes.length === 0) return;
        at += bytes.length;
        onProgress?.(at);
        yield bytes;
      }
    })(),
    { highWaterMark: 1 },
  );
  source.on('error', (error) => stream.destroy(error));
  stream.on('close', () => source.destroy());
  return source.pipe(stream) as AsyncIterable<Buffer>;
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

async function readAt(fd: number, position: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await read(fd, Buffer.allocUnsafe(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

async function writeAll(fd: number, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await write(fd, bytes, done, bytes.length - done, position + done)).bytesWritten;
  }
}
