/**
 * Makes a compressed file readable at random. A gzip file of small members is read member by member in place; what
 * has no such seams is unpacked once into a nameless temporary file of bounded size, which the system frees when the
 * descriptor is closed, even after a crash. Inflating happens on Node's own thread pool.
 */
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import type { SourceHandle } from '../bytes/source.ts';
import { CHUNK_BYTES, feed, readAt } from './feed.ts';
import { parseHeader, TRAILER_BYTES } from './header.ts';
import { MAX_MEMBER_BYTES, type Member, memberTable } from './members.ts';
import { spool } from './spool.ts';

const inflateRaw = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflateRaw);
/** Most headers are shorter. */
const COMMON_HEADER = 512;
/** A header with a name or a comment longer than this is not believed. */
const MAX_HEADER = 64 * 1024;
/**
 * Members are no help when, so many of them, they hold less text than this on average: unpacking all at once is
 * faster.
 */
const MANY_MEMBERS = 1000;
const LITTLE_TEXT = 4096;

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
  directory(): string;
  /** Most bytes unpacked into it, given that so many already are. */
  limit(unpacked: number): number;
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
  let text = 0;
  for (let position = 0; ; ) {
    options.signal?.throwIfAborted();
    const header =
      parseHeader(await readAt(fd, position, COMMON_HEADER)) ??
      parseHeader(await readAt(fd, position, MAX_HEADER));
    if (!header) return members.length > 0 && (await readAt(fd, position, 1)).length === 0 ? members : null;
    const dataOffset = position + header.length;
    const sized = header.memberBytes && (await sizedMember(fd, position, dataOffset, header.memberBytes));
    const member = sized || (await inflatedMember(fd, dataOffset, options));
    if (!member) return null;
    members.push(member);
    text += member.textBytes;
    if (members.length >= MANY_MEMBERS && text < members.length * LITTLE_TEXT) return null;
    position = dataOffset + member.dataBytes + TRAILER_BYTES;
    options.onProgress?.(position);
  }
}

/** A member whose header says where it ends; null when that is not so. */
async function sizedMember(
  fd: number,
  start: number,
  dataOffset: number,
  bytes: number,
): Promise<Member | null> {
  const dataBytes = start + bytes - TRAILER_BYTES - dataOffset;
  if (dataBytes <= 0) return null;
  const data = await readAt(fd, dataOffset, dataBytes);
  const text = await inflateRaw(data, { maxOutputLength: MAX_MEMBER_BYTES }).catch(() => null);
  if (!text || !(await isTrailer(fd, dataOffset + dataBytes, zlib.crc32(text), text.length))) return null;
  return { dataOffset, dataBytes, textBytes: text.length };
}

/** Whether the member's trailer is at `position` and tells of a text with this checksum and length. */
async function isTrailer(fd: number, position: number, crc: number, textBytes: number): Promise<boolean> {
  const trailer = await readAt(fd, position, TRAILER_BYTES);
  return (
    trailer.length === TRAILER_BYTES &&
    trailer.readUInt32LE() === crc &&
    trailer.readUInt32LE(4) === textBytes % 2 ** 32
  );
}

/** Inflates one member to learn its sizes; null when it is damaged. */
async function inflatedMember(
  fd: number,
  dataOffset: number,
  options: UnpackOptions,
): Promise<Member | null> {
  const inflate = zlib.createInflateRaw({ chunkSize: CHUNK_BYTES });
  let textBytes = 0;
  let crc = 0;
  try {
    for await (const chunk of feed(fd, dataOffset, inflate, { signal: options.signal })) {
      textBytes += chunk.length;
      if (textBytes > MAX_MEMBER_BYTES) return null;
      crc = zlib.crc32(chunk, crc);
    }
  } catch (error) {
    if (options.signal?.aborted) throw error;
    return null;
  }
  const dataBytes = inflate.bytesWritten;
  return (await isTrailer(fd, dataOffset + dataBytes, crc, textBytes))
    ? { dataOffset, dataBytes, textBytes }
    : null;
}
