/** A file's text, read through a descriptor that is held, whatever becomes of its name. */
import { closeSync, fstat, fstatSync, type Stats } from 'node:fs';
import { promisify } from 'node:util';
import { toSpillwayError } from '../../../../shared/errors.ts';
import {
  type FileIdentity,
  type Guard,
  guardHolds,
  identityOf,
  takeGuard,
} from '../../../reader/bytes/guard.ts';
import { openSource, type SourceHandle } from '../../../reader/bytes/source.ts';
import { compressionOf, type UnpackOptions, unpack } from '../../../reader/gzip/unpack.ts';
import { Generation } from '../generation.ts';
import { openReal } from './open-real.ts';

const TRIES = 4;

export interface GenerationOptions {
  /** Chosen by hand; otherwise found out. */
  encoding?: string | undefined;
  unpack: UnpackOptions;
}

export class FileGeneration extends Generation {
  readonly identity: FileIdentity;
  readonly compressed: boolean;
  mtimeMs: number;
  #fileSize: number;
  #guard: Guard;
  readonly #fd: number;
  readonly #ownFd: number | null;

  /** Throws what the system throws when the file cannot be opened, what `unpack` throws, and `changed` when it keeps changing. */
  static async open(path: string, options: GenerationOptions): Promise<FileGeneration> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await FileGeneration.#openOnce(path, options);
      } catch (error) {
        // Truncated between the look at its size and that at its first bytes.
        if (toSpillwayError(error).code !== 'changed' || tries === TRIES) throw error;
      }
    }
  }

  static async #openOnce(path: string, options: GenerationOptions): Promise<FileGeneration> {
    const fd = openReal(path);
    let ownFd: number | null = null;
    try {
      const stats = await statOf(fd);
      const plain: SourceHandle = { type: 'file', fd, size: stats.size };
      const compression = compressionOf(firstBytes(plain));
      if (!compression) return new FileGeneration(path, fd, stats, plain, null, null, options);
      const unpacked = await unpack(fd, compression, options.unpack);
      ownFd = unpacked.ownFd;
      return new FileGeneration(path, fd, stats, unpacked.handle, ownFd, unpacked.problem, options);
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
    super(handle, { encoding: options.encoding, path, problem });
    this.#fd = fd;
    this.#ownFd = ownFd;
    this.#fileSize = stats.size;
    this.mtimeMs = stats.mtimeMs;
    this.identity = identityOf(stats);
    this.compressed = handle.type !== 'file' || ownFd !== null;
    this.#guard = takeGuard(fd, stats.size);
  }

  /** Bytes of the file, which differ from the stream's when it is compressed. */
  get fileSize(): number {
    return this.#fileSize;
  }

  /** Takes in that the file has grown. Only for files that are read as they are. */
  grow(stats: Stats): void {
    this.extend({ type: 'file', fd: this.#fd, size: stats.size });
    this.#fileSize = stats.size;
    this.mtimeMs = stats.mtimeMs;
    this.#guard = takeGuard(this.#fd, stats.size);
  }

  /** False once the file became shorter, or other bytes are at its ends. */
  async holds(): Promise<boolean> {
    return (await statOf(this.#fd)).size >= this.#fileSize && guardHolds(this.#fd, this.#guard);
  }

  override get isUnlinked(): boolean {
    return fstatSync(this.#fd).nlink === 0;
  }

  guardHolds(): boolean {
    return guardHolds(this.#fd, this.#guard);
  }

  protected release(): void {
    closeSync(this.#fd);
    if (this.#ownFd !== null) closeSync(this.#ownFd);
  }
}

/** As many as tell a compressed file. */
function firstBytes(handle: SourceHandle): Uint8Array {
  const bytes = new Uint8Array(Math.min(4, handle.size));
  return bytes.subarray(0, openSource(handle).read(bytes, 0));
}

const statOf = promisify(fstat);
