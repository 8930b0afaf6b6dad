/**
 * Unpacked text in a temporary file. The beginning is stored plain; the rest is compressed again in small members that
 * can be read at random, so that a bomb of many gigabytes takes little disk space.
 *
 *     PLAIN_BYTES of text │ member │ member │ …       each MEMBER_BYTES of text, deflated for speed
 */
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import type { StreamHandle } from '../bytes/handles.ts';
import { PieceTable } from '../bytes/pieces.ts';
import type { SpoolFile, UnpackOptions } from './compression.ts';
import { type Member, memberTable } from './members.ts';

const deflateRaw = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.deflateRaw);

/** Compressing takes five times as long as unpacking and writing, so most files are stored plain. */
const PLAIN_BYTES = 2 * 1024 ** 3;
const MEMBER_BYTES = 1024 * 1024;
/** Members deflated in parallel, on libuv's threads. */
const PARALLEL_MEMBERS = 2;

export class SpooledText {
  /** Set before the first text is added. */
  file: SpoolFile | null = null;
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

  constructor({ plainBytes = PLAIN_BYTES }: Pick<UnpackOptions, 'plainBytes'> = {}) {
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
    if (!this.file) return { type: 'bytes', bytes: new Uint8Array(), size: 0 };
    const { fd, path } = this.file;
    const plain = { type: 'file', fd, size: this.#plain, ...(path === undefined ? {} : { path }) } as const;
    if (this.#members.length === 0) return plain;
    if (this.#handle?.size !== this.size) {
      const table = memberTable(this.#members);
      this.#handle = this.#pieces.handle([plain, { ...plain, type: 'members', size: table.size, table }]);
    }
    return this.#handle!;
  }

  close(): void {
    this.file?.close();
  }

  /** Resolves with false if the text did not fit on the disk or within `limit` bytes. */
  async add(text: Buffer, limit: number): Promise<boolean> {
    const plain = text.subarray(0, Math.max(0, this.#plainBytes - this.#plain));
    if (plain.length > 0) {
      const room = Math.max(0, limit - this.#storedBytes);
      const written = await this.file!.write(plain.subarray(0, room), this.#storedBytes);
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
    if (!hasRoom || (await this.file!.write(bytes, dataOffset)) < bytes.length) {
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
