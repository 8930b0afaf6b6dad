/**
 * Makes a compressed file readable at random, on demand:
 *
 *     gzip file of small members      read in place, member by member (members.ts)
 *     anything else                   unpacked once into a nameless temporary file (spool.ts)
 */

import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import type { StreamHandle } from '../bytes/open-stream.ts';
import {
  CHUNK_BYTES,
  type Compression,
  isTarInside,
  type PackedFile,
  piecesOf,
  through,
  type UnpackOptions,
} from './compression.ts';
import { MAX_MEMBER_BYTES, type Member, memberTable } from './members.ts';
import { Spool } from './spool.ts';

/** Text scanned by one call of `more`. */
const STEP_BYTES = 16 * 1024 * 1024;
/** This many members with less text than `LITTLE_TEXT_BYTES` each are slower to read in place than to unpack. */
const MANY_MEMBERS = 1000;
const LITTLE_TEXT_BYTES = 4096;

/** The text of a compressed file, which grows as it is unpacked. */
export class Unpacking {
  readonly #file: PackedFile;
  readonly #options: UnpackOptions;
  readonly #compression: Compression;
  readonly #scan: MemberScan;
  readonly #members: Member[] = [];
  #spool: Spool | null = null;
  #handle: StreamHandle = { type: 'bytes', bytes: new Uint8Array(), size: 0 };
  #isDone = false;
  #step: Promise<void> | null = null;
  #closed = false;

  /** `file`: the compressed file; it stays open while the text is read. */
  constructor(file: PackedFile, compression: Compression, options: UnpackOptions) {
    this.#file = file;
    this.#options = options;
    this.#compression = compression;
    this.#scan = new MemberScan(file, options.signal);
    if (compression !== 'gzip' || options.member !== undefined)
      this.#spool = new Spool(file, compression, options);
  }

  /** The text unpacked so far. */
  get handle(): StreamHandle {
    return this.#handle;
  }

  /** Whether all of the text is unpacked, or all that can be. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Why the text is incomplete, as a sentence; null while unpacking. */
  get problem(): string | null {
    return this.#isDone ? (this.#spool?.problem ?? null) : null;
  }

  /** Unpacks some more megabytes. Rejects if reading or writing fails. */
  more(): Promise<void> {
    this.#step ??= this.#more().finally(() => {
      this.#step = null;
    });
    return this.#step;
  }

  /** Unpacks the rest. */
  async all(): Promise<void> {
    while (!this.#isDone) await this.more();
  }

  /** Stops unpacking and frees the text. Resolves when nothing reads the compressed file any more. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#step?.catch(() => {});
    await this.#spool?.close();
  }

  async #more(): Promise<void> {
    if (this.#isDone) return;
    const { size } = this.#handle;
    const isText = this.#spool === null && (size > 0 || !(await isTarInside(this.#file)));
    if (isText && (await this.#scanMore())) return;
    if (this.#closed) return;
    // The spool starts again at the first member, with the same text.
    this.#spool ??= new Spool(this.#file, this.#compression, this.#options);
    await this.#spool.more(size);
    while (this.#spool.size < size && !this.#spool.isDone) await this.#spool.more(this.#spool.size);
    this.#isDone = this.#spool.isDone;
    this.#handle = this.#spool.handle;
  }

  /** Returns false when the file can't be read member by member. */
  async #scanMore(): Promise<boolean> {
    const { size } = this.#handle;
    const wanted = size + Math.max(STEP_BYTES, size / 4);
    let text = size;
    while (text < wanted) {
      const found = await this.#scan.next();
      if (found === 'unfit') return false;
      if (found === 'end') {
        this.#isDone = true;
        break;
      }
      this.#members.push(found);
      text += found.textBytes;
      if (this.#members.length >= MANY_MEMBERS && text < this.#members.length * LITTLE_TEXT_BYTES)
        return false;
      this.#options.onProgress?.(this.#scan.position);
    }
    const table = memberTable(this.#members);
    const { fd, path } = this.#file;
    this.#handle = { type: 'members', fd, size: table.size, table, ...(path === undefined ? {} : { path }) };
    return true;
  }
}

// Finds the members of a gzip file, one after the other, by inflating each. Inflating happens on libuv's threads.

const inflateRaw = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflateRaw);
/** Most headers are shorter. */
const COMMON_HEADER_BYTES = 512;
/** Longest header believed, with its file name and comment. */
const MAX_HEADER_BYTES = 64 * 1024;

/** `end`: the file ended after the last member. `unfit`: a member is damaged, or too large to read at random. */
type Scanned = Member | 'end' | 'unfit';

class MemberScan {
  readonly #file: PackedFile;
  readonly #signal: AbortSignal | undefined;
  /** Offset of the next member in the file. */
  position = 0;

  constructor(file: PackedFile, signal: AbortSignal | undefined) {
    this.#file = file;
    this.#signal = signal;
  }

  async next(): Promise<Scanned> {
    this.#signal?.throwIfAborted();
    const { position } = this;
    const header =
      parseHeader(await this.#file.read(position, COMMON_HEADER_BYTES)) ??
      parseHeader(await this.#file.read(position, MAX_HEADER_BYTES));
    if (!header) return position > 0 && (await this.#file.read(position, 1)).length === 0 ? 'end' : 'unfit';
    const dataOffset = position + header.length;
    const { memberBytes } = header;
    const sized = memberBytes && (await this.#sizedMember(position, dataOffset, memberBytes));
    const member = sized || (await this.#inflatedMember(dataOffset));
    if (!member) return 'unfit';
    this.position = dataOffset + member.dataBytes + TRAILER_BYTES;
    return member;
  }

  /** Reads a member whose header tells its size; null when the size is wrong. */
  async #sizedMember(start: number, dataOffset: number, bytes: number): Promise<Member | null> {
    const dataBytes = start + bytes - TRAILER_BYTES - dataOffset;
    if (dataBytes <= 0) return null;
    const data = await this.#file.read(dataOffset, dataBytes);
    const text = await inflateRaw(data, { maxOutputLength: MAX_MEMBER_BYTES }).catch(() => null);
    const end = dataOffset + dataBytes;
    if (!text || !(await this.#isTrailer(end, zlib.crc32(text), text.length))) return null;
    return { dataOffset, dataBytes, textBytes: text.length };
  }

  /** Inflates a member to learn its size; null when it is damaged or too large. */
  async #inflatedMember(dataOffset: number): Promise<Member | null> {
    const inflate = zlib.createInflateRaw({ chunkSize: CHUNK_BYTES });
    let textBytes = 0;
    let crc = 0;
    try {
      for await (const chunk of through(
        piecesOf(this.#file, dataOffset, { signal: this.#signal }),
        inflate,
      )) {
        textBytes += chunk.length;
        if (textBytes > MAX_MEMBER_BYTES) return null;
        crc = zlib.crc32(chunk, crc);
      }
    } catch (error) {
      if (this.#signal?.aborted) throw error;
      return null;
    }
    const dataBytes = inflate.bytesWritten;
    const isWhole = await this.#isTrailer(dataOffset + dataBytes, crc, textBytes);
    return isWhole ? { dataOffset, dataBytes, textBytes } : null;
  }

  /** Returns whether the trailer at `position` has this checksum and length. */
  async #isTrailer(position: number, crc: number, textBytes: number): Promise<boolean> {
    const trailer = await this.#file.read(position, TRAILER_BYTES);
    return (
      trailer.length === TRAILER_BYTES &&
      trailer.readUInt32LE() === crc &&
      trailer.readUInt32LE(4) === textBytes % 2 ** 32
    );
  }
}

interface MemberHeader {
  /** Bytes of the header. */
  length: number;
  /** Length of the whole member if the header has it (BGZF's BC subfield), else null. */
  memberBytes: number | null;
}

/** Bytes of the trailer: CRC-32 and the text's length modulo 2^32. */
const TRAILER_BYTES = 8;

/** Parses a member's header (RFC 1952, section 2.3). Returns null when the bytes don't begin with a whole one. */
function parseHeader(bytes: Buffer): MemberHeader | null {
  if (bytes.length < 10 || bytes[0] !== 0x1f || bytes[1] !== 0x8b || bytes[2] !== 8) return null;
  const flags = bytes[3]!;
  let at = 10;
  let memberBytes: number | null = null;
  if (flags & 4) {
    if (bytes.length < at + 2) return null;
    const end = at + 2 + bytes.readUInt16LE(at);
    if (bytes.length < end) return null;
    memberBytes = blockSize(bytes.subarray(at + 2, end));
    at = end;
  }
  for (const flag of [8, 16]) {
    if (!(flags & flag)) continue;
    const zero = bytes.indexOf(0, at);
    if (zero < 0) return null;
    at = zero + 1;
  }
  if (flags & 2) at += 2;
  return at <= bytes.length ? { length: at, memberBytes } : null;
}

function blockSize(extra: Buffer): number | null {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    const isBgzf = extra[at] === 0x42 && extra[at + 1] === 0x43 && extra.readUInt16LE(at + 2) === 2;
    if (isBgzf && at + 6 <= extra.length) return extra.readUInt16LE(at + 4) + 1;
  }
  return null;
}
