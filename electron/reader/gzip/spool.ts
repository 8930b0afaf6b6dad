/**
 * Unpacks a compressed file once, into a nameless temporary file of bounded size (spool.ts). It unpacks on
 * demand, so reading the head does not cost the rest, and the text is readable meanwhile.
 */

import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { SpillwayError } from '../../../shared/errors.ts';
import type { StreamHandle } from '../bytes/open-stream.ts';
import { PieceTable } from '../bytes/pieces.ts';
import {
  CHUNK_BYTES,
  type Compression,
  type PackedFile,
  type SpoolFile,
  type SpoolFolder,
  type UnpackOptions,
} from './compression.ts';
import { type Member, memberTable } from './members.ts';

/** Unpacked bytes between two checks of the free disk space. */
const ASK_BYTES = 64 * 1024 * 1024;
/** One call of `more` waits for this much text, some 50 ms, or for this share of the text so far. */
const STEP_BYTES = 16 * 1024 * 1024;
const STEP_SHARE = 1 / 16;
/** Or for any text, after this time: an archive of 100,000 small members is slow. */
const STEP_MS = 1000;
/** Unpack this far ahead of the requests. */
const AHEAD_BYTES = 32 * 1024 * 1024;

export class Spool {
  readonly #file: PackedFile;
  readonly #compression: Compression;
  readonly #options: UnpackOptions;
  readonly #text: SpooledText;
  #folder: SpoolFolder | null = null;
  readonly #stop = new AbortController();
  readonly #waiting = new Set<{ after: number; bytes: number; since: number; resolve: () => void }>();
  readonly #work: Promise<void>;
  /** Unpack no further than this; raised by `more`. */
  #allowed = STEP_BYTES + AHEAD_BYTES;
  #proceed: (() => void) | null = null;
  #isDone = false;
  #problem: string | null = null;
  #error: unknown = null;

  constructor(file: PackedFile, compression: Compression, options: UnpackOptions) {
    this.#file = file;
    this.#compression = compression;
    this.#options = options;
    this.#text = new SpooledText(options);
    options.signal?.addEventListener('abort', () => this.#stop.abort(options.signal?.reason), { once: true });
    this.#work = this.#unpack()
      .catch((error: unknown) => {
        this.#error = error;
      })
      .finally(() => {
        this.#isDone = true;
        this.#tell();
      });
  }

  /** Bytes of text that can be read now. */
  get size(): number {
    return this.#text.size;
  }

  get handle(): StreamHandle {
    return this.#text.handle;
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  /** Why the text is incomplete, as a sentence; null while unpacking. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Resolves when the text is readable to a step beyond `after` bytes, after a while to less, or whole. */
  async more(after: number): Promise<void> {
    const bytes = after + Math.max(STEP_BYTES, after * STEP_SHARE);
    this.#allowed = Math.max(this.#allowed, bytes + AHEAD_BYTES);
    this.#proceed?.();
    if (!this.#isDone && this.size < bytes) {
      const since = performance.now();
      await new Promise<void>((resolve) => this.#waiting.add({ after, bytes, since, resolve }));
    }
    if (this.#error !== null) throw this.#error;
  }

  /** Stops unpacking and frees the text. Resolves when nothing reads the compressed file any more. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#proceed?.();
    await this.#work;
    this.#text.close();
  }

  async #unpack(): Promise<void> {
    this.#folder = await this.#options.folder();
    this.#text.file = await this.#folder.create();
    const poured = await this.#pour(null);
    // On invalid data, a decompressor drops text of the bytes before: repeat the end in small pieces.
    const again = poured.isBroken ? await this.#pour(poured) : poured;
    // Without any text, each view would be that of an empty file.
    if (again.hadNoRoom && this.size === 0) throw noRoom(this.#compression, this.#folder.path);
    this.#problem = again.problem;
  }

  /** `before`: the first try, whose text is already in the file. */
  async #pour(before: Poured | null): Promise<Poured> {
    const start = this.size;
    let limit = await this.#limit();
    let asked = start;
    let made = 0;
    let fed = 0;
    const { signal } = this.#stop;
    const onProgress = (bytes: number) => {
      fed = bytes;
      this.#options.onProgress?.(bytes);
    };
    // The decompressor had received some chunks that it had not read yet.
    const fineFrom = before ? before.fed - 4 * CHUNK_BYTES : undefined;
    try {
      const { unpacked } = await import('./archives.ts');
      const { member, onMember } = this.#options;
      for await (const chunk of unpacked(this.#file, this.#compression, {
        ...{ member, onMember, signal },
        onProgress,
        fineFrom,
      })) {
        const fresh = chunk.subarray(Math.min(chunk.length, Math.max(0, start - made)));
        made += chunk.length;
        if (made - asked >= ASK_BYTES) {
          limit = await this.#limit();
          asked = made;
        }
        const { mostBytes = Number.POSITIVE_INFINITY } = this.#options;
        if (made > mostBytes) {
          await this.#text.flush(limit);
          const problem = `only the first ${this.size} bytes were unpacked, the most that Spillway unpacks: decompress the file yourself to read all of it`;
          return { fed, problem, isBroken: false };
        }
        if (!(await this.#text.add(fresh, limit))) return this.#outOfRoom(fed);
        this.#tell();
        await this.#untilAllowed();
        signal.throwIfAborted();
      }
      return (await this.#text.flush(limit)) ? { fed, problem: null, isBroken: false } : this.#outOfRoom(fed);
    } catch (error) {
      if (signal.aborted || error instanceof SpillwayError) throw error;
      await this.#text.flush(limit);
      const { message } = error as NodeJS.ErrnoException;
      const code = String((error as NodeJS.ErrnoException).code ?? '');
      const problem = `the ${this.#compression} file is damaged or still being written (${message}): this is the part that could be unpacked`;
      return { fed, problem, isBroken: code === 'Z_DATA_ERROR' || code.startsWith('ZSTD_') };
    }
  }

  #outOfRoom(fed: number): Poured {
    const problem = `only the first ${this.size} bytes were unpacked, as no more fit in ${this.#folder!.path}: ${MAKE_ROOM}`;
    return { fed, problem, isBroken: false, hadNoRoom: true };
  }

  /** Most bytes of the temporary file. */
  #limit(): Promise<number> {
    return this.#folder!.limit(this.#text.storedBytes);
  }

  async #untilAllowed(): Promise<void> {
    while (this.size >= this.#allowed && !this.#stop.signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#proceed = resolve;
      });
    }
    this.#proceed = null;
  }

  #tell(): void {
    for (const waiter of this.#waiting) {
      const least = performance.now() - waiter.since < STEP_MS ? waiter.bytes : waiter.after + 1;
      if (!this.#isDone && this.size < least) continue;
      this.#waiting.delete(waiter);
      waiter.resolve();
    }
  }
}

interface Poured {
  /** Bytes of the file that were read. */
  fed: number;
  /** Why the text is not whole, as a sentence. */
  problem: string | null;
  /** Whether the data is invalid, rather than truncated. */
  isBroken: boolean;
  /** Whether text did not fit on the disk. */
  hadNoRoom?: boolean;
}

const MAKE_ROOM = 'make room there, or decompress the file yourself';

function noRoom(compression: Compression, directory: string): SpillwayError {
  return new SpillwayError(
    'busy',
    `there is no room in ${directory} to unpack the ${compression} file`,
    MAKE_ROOM,
  );
}

const deflateRaw = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.deflateRaw);

/** Compressing takes five times as long as unpacking and writing, so most files are stored plain. */
const PLAIN_BYTES = 2 * 1024 ** 3;
const MEMBER_BYTES = 1024 * 1024;
/** Members deflated in parallel, on libuv's threads. */
const PARALLEL_MEMBERS = 2;

/**
 * Unpacked text in a temporary file. The beginning is stored plain; the rest is compressed again in small members that
 * can be read at random, so that a bomb of many gigabytes takes little disk space.
 *
 *     PLAIN_BYTES of text │ member │ member │ …       each MEMBER_BYTES of text, deflated for speed
 */
class SpooledText {
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
