/**
 * Unpacked text in a temporary file. The beginning is stored plain; the rest is compressed again in small members that
 * can be read at random, so that a bomb of many gigabytes takes little disk space.
 *
 *     PLAIN_BYTES of text │ member │ member │ …       each MEMBER_BYTES of text, deflated for speed
 */
import { write as writeCallback } from 'node:fs';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import type { StreamHandle } from '../bytes/handles.ts';
import { PieceTable } from '../bytes/pieces.ts';
import { type Member, memberTable } from './members.ts';
import type { UnpackOptions } from './unpack-options.ts';

const write = promisify(writeCallback);
const deflateRaw = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.deflateRaw);

/** Compressing takes five times as long as unpacking and writing, so most files are stored plain. */
const PLAIN_BYTES = 2 * 1024 ** 3;
const MEMBER_BYTES = 1024 * 1024;
/** Members deflated in parallel, on libuv's threads. */
const PARALLEL_MEMBERS = 2;

export class SpooledText {
  readonly fd: number;
  readonly #plainBytes: number;
  readonly #members: Member[] = [];
  readonly #pieces = new PieceTable();
  /** Text not deflated yet. */
  #chunks: Buffer[] = [];
  #chunksBytes = 0;
  #deflating: { textBytes: number; data: Promise<Buffer> }[] = [];
  #plain = 0;
  #storedBytes = 0;
  #handle: StreamHandle | null = null;

  constructor(fd: number, { plainBytes = PLAIN_BYTES }: Pick<UnpackOptions, 'plainBytes'> = {}) {
    this.fd = fd;
    this.#plainBytes = plainBytes;
  }

  /** Bytes of text that can be read now. */
  get size(): number {
    return this.#pieces.size;
  }

  /** Bytes on the disk. */
  get storedBytes(): number {
    return this.#storedBytes;
  }

  get handle(): StreamHandle {
    if (this.#members.length === 0) return { type: 'file', fd: this.fd, size: this.#plain };
    if (this.#handle?.size !== this.size) {
      const table = memberTable(this.#members);
      this.#handle = this.#pieces.handle([
        { type: 'file', fd: this.fd, size: this.#plain },
        { type: 'members', fd: this.fd, size: table.size, table },
      ]);
    }
    return this.#handle!;
  }

  /** Resolves with false if the text did not fit on the disk or within `limit` bytes. */
  async add(text: Buffer, limit: number): Promise<boolean> {
    const plain = text.subarray(0, Math.max(0, this.#plainBytes - this.#plain));
    if (plain.length > 0) {
      const room = Math.max(0, limit - this.#storedBytes);
      const written = await writeAll(this.fd, plain.subarray(0, room), this.#storedBytes);
      this.#pieces.append(0, this.#plain, written);
      this.#plain += written;
      this.#storedBytes += written;
      if (written < plain.length) return false;
    }
    if (plain.length === text.length) return true;
    // A decompressor may reuse its buffers.
    this.#chunks.push(Buffer.from(text.subarray(plain.length)));
    this.#chunksBytes += text.length - plain.length;
    if (this.#chunksBytes < MEMBER_BYTES) return true;
    this.#deflate();
    return this.#deflating.length <= PARALLEL_MEMBERS || this.#store(limit);
  }

  /** Makes all added text readable. Resolves like `add`. */
  async flush(limit: number): Promise<boolean> {
    if (this.#chunksBytes > 0) this.#deflate();
    while (this.#deflating.length > 0) if (!(await this.#store(limit))) return false;
    return true;
  }

  #deflate(): void {
    const text = Buffer.concat(this.#chunks);
    const data = deflateRaw(text, { level: 1 });
    data.catch(() => {});
    this.#deflating.push({ textBytes: text.length, data });
    this.#chunks = [];
    this.#chunksBytes = 0;
  }

  async #store(limit: number): Promise<boolean> {
    const { textBytes, data } = this.#deflating.shift()!;
    const bytes = await data;
    const dataOffset = this.#storedBytes;
    const hasRoom = dataOffset + bytes.length <= limit;
    if (!hasRoom || (await writeAll(this.fd, bytes, dataOffset)) < bytes.length) {
      // Members after the missing one can't be read.
      this.#deflating = [];
      return false;
    }
    this.#storedBytes += bytes.length;
    this.#pieces.append(1, this.size - this.#plain, textBytes);
    this.#members.push({ dataOffset, dataBytes: bytes.length, textBytes });
    return true;
  }
}

/** Returns the number of bytes written: fewer on a full disk. */
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
