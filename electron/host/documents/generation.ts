/** One text: what a path held from when it was opened until it was truncated or replaced. Growing is the same text. */
import { closeSync, fstat, type Stats } from 'node:fs';
import { promisify } from 'node:util';
import type { ContentType } from '../../../shared/artifact.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { BlockIndex } from '../../reader/block-index.ts';
import { BINARY_SNIFF_BYTES, detectContentType } from '../../reader/content-type.ts';
import { detectEncoding, newlineUnit } from '../../reader/encoding.ts';
import { type FileIdentity, type Guard, guardHolds, identityOf, takeGuard } from '../../reader/guard.ts';
import { compressionOf, type UnpackOptions, unpack } from '../../reader/gzip/unpack.ts';
import { totalLines } from '../../reader/lines.ts';
import { openSource, type SourceHandle } from '../../reader/source.ts';
import type { StreamHandle } from '../../workers/tasks.ts';
import { openReal } from './open-real.ts';

export interface GenerationOptions {
  /** Chosen by hand; otherwise found out. */
  encoding?: string | undefined;
  unpack: UnpackOptions;
}

export class Generation {
  readonly identity: FileIdentity;
  readonly index = new BlockIndex();
  readonly encoding: string;
  readonly contentType: ContentType;
  /** First bytes of the stream. */
  readonly head: Buffer;
  /** Why the text is not whole, in a sentence. */
  readonly problem: string | null;
  readonly compressed: boolean;
  mtimeMs: number;
  #fileSize: number;
  #handle: SourceHandle;
  #guard: Guard;
  readonly #fd: number;
  readonly #ownFd: number | null;
  #users = 0;
  #closing = false;

  /** Throws what the system throws when the file cannot be opened, and what `unpack` throws. */
  static async open(path: string, options: GenerationOptions): Promise<Generation> {
    const fd = openReal(path);
    let ownFd: number | null = null;
    try {
      const stats = await statOf(fd);
      const first = sniff({ type: 'file', fd, size: stats.size });
      const compression = compressionOf(first);
      if (!compression)
        return new Generation(path, fd, stats, { type: 'file', fd, size: stats.size }, null, null, options);
      const unpacked = await unpack(fd, compression, options.unpack);
      ownFd = unpacked.ownFd;
      return new Generation(path, fd, stats, unpacked.handle, ownFd, unpacked.problem, options);
    } catch (error) {
      closeSync(fd);
      if (ownFd !== null) closeSync(ownFd);
      throw error;
    }
  }

  private constructor(
    path: string,
    fd: number,
    stats: Stats,
    handle: SourceHandle,
    ownFd: number | null,
    problem: string | null,
    options: GenerationOptions,
  ) {
    this.#fd = fd;
    this.#ownFd = ownFd;
    this.#handle = handle;
    this.#fileSize = stats.size;
    this.mtimeMs = stats.mtimeMs;
    this.identity = identityOf(stats);
    this.compressed = handle.type !== 'file' || ownFd !== null;
    this.problem = problem;
    this.head = sniff(handle);
    this.encoding = options.encoding ?? detectEncoding(this.head);
    this.contentType = detectContentType(this.head, {
      size: handle.size,
      encoding: options.encoding,
      path,
    });
    this.#guard = takeGuard(fd, stats.size);
  }

  /** Bytes of the stream. */
  get size(): number {
    return this.#handle.size;
  }

  /** Bytes of the file, which differ from the stream's when it is compressed. */
  get fileSize(): number {
    return this.#fileSize;
  }

  get complete(): boolean {
    return this.index.indexedBytes >= this.size;
  }

  /** Lines in the indexed bytes; a last one without a line end counts when all bytes are indexed. */
  get lines(): number {
    if (!this.complete) return this.index.newlines;
    try {
      return totalLines(this.index, openSource(this.#handle), newlineUnit(this.encoding));
    } catch {
      // The file became shorter just now; the next look at it finds out.
      return this.index.newlines;
    }
  }

  stream(): StreamHandle {
    return { source: this.#handle, index: this.index.handle(), encoding: this.encoding };
  }

  get source(): SourceHandle {
    return this.#handle;
  }

  /** Takes in that the file has grown. Only for files that are read as they are. */
  grow(stats: Stats): void {
    this.#handle = { type: 'file', fd: this.#fd, size: stats.size };
    this.#fileSize = stats.size;
    this.mtimeMs = stats.mtimeMs;
    this.#guard = takeGuard(this.#fd, stats.size);
  }

  /** False once the file no longer holds what was read from it: it became shorter, or other bytes are at its ends. */
  async holds(): Promise<boolean> {
    return (await statOf(this.#fd)).size >= this.#fileSize && guardHolds(this.#fd, this.#guard);
  }

  guardHolds(): boolean {
    return guardHolds(this.#fd, this.#guard);
  }

  /** Keeps the descriptor open until the promise settles, whatever `close` says meanwhile. Throws `changed` when it is closed. */
  async using<T>(work: () => Promise<T>): Promise<T> {
    // The descriptor's number may be another file's by now.
    if (this.#closing && this.#users === 0) {
      throw new SpillwayError('changed', 'the file was replaced before it was read', 'ask again');
    }
    this.#users += 1;
    try {
      return await work();
    } finally {
      this.#users -= 1;
      if (this.#closing && this.#users === 0) this.#closeNow();
    }
  }

  close(): void {
    if (this.#closing) return;
    this.#closing = true;
    if (this.#users === 0) this.#closeNow();
  }

  #closeNow(): void {
    closeSync(this.#fd);
    if (this.#ownFd !== null) closeSync(this.#ownFd);
  }
}

function sniff(handle: SourceHandle): Buffer {
  const head = Buffer.alloc(Math.min(BINARY_SNIFF_BYTES, handle.size));
  return head.subarray(0, openSource(handle).read(head, 0));
}

const statOf = promisify(fstat);
