/** A file's text, read through a file descriptor that stays open whatever becomes of the file's name. */
import { closeSync, fstat, fstatSync, type Stats } from 'node:fs';
import { promisify } from 'node:util';
import { toSpillwayError } from '../../../../shared/errors.ts';
import { formatBytes } from '../../../../shared/text/format.ts';
import {
  type FileIdentity,
  type Guard,
  guardHolds,
  identityOf,
  takeGuard,
} from '../../../reader/bytes/guard.ts';
import { readPseudoFile } from '../../../reader/bytes/pseudo-file.ts';
import { openSource, type SourceHandle } from '../../../reader/bytes/source.ts';
import { compressionOf, Unpacking, type UnpackOptions } from '../../../reader/gzip/unpack.ts';
import { Generation } from '../generation.ts';
import { openReal } from './open-real.ts';

const MAX_TRIES = 4;

export interface GenerationOptions {
  /** Given by hand; otherwise detected. */
  encoding?: string | undefined;
  unpack: UnpackOptions;
}

/** A file just opened, and where its text is. */
interface OpenFile {
  path: string;
  fd: number;
  stats: Stats;
  handle: SourceHandle;
  unpacking: Unpacking | null;
  isPseudo: boolean;
  problem: string | null;
}

export class FileGeneration extends Generation {
  readonly identity: FileIdentity;
  /** The system makes up the file when it is read: size and times by stat tell nothing about its text. */
  readonly isPseudo: boolean;
  mtimeMs: number;
  #fileSize: number;
  #guard: Guard;
  readonly #fd: number;
  readonly #unpacking: Unpacking | null;
  #isGrowing: boolean;
  /** How long unpacking took so far, and when it was last worked on (`performance.now()`). */
  unpackMs = 0;
  unpackedAt = performance.now();

  /** Throws what the system and unpacking throw, and `changed` when the file keeps changing. */
  static async open(path: string, options: GenerationOptions): Promise<FileGeneration> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await openOnce(path, options);
      } catch (error) {
        // Truncated between fstat and the first read.
        if (toSpillwayError(error).code !== 'changed' || tries === MAX_TRIES) throw error;
      }
    }
  }

  constructor({ path, fd, stats, handle, unpacking, isPseudo, problem }: OpenFile, encoding?: string) {
    super(handle, { encoding, path, problem });
    this.#fd = fd;
    this.#unpacking = unpacking;
    this.#isGrowing = unpacking !== null && !unpacking.isDone;
    this.#fileSize = stats.size;
    this.mtimeMs = stats.mtimeMs;
    this.identity = identityOf(stats);
    this.isPseudo = isPseudo;
    this.#guard = takeGuard(fd, isPseudo ? 0 : stats.size);
  }

  /** Size of the file, which is not the text's when it is compressed or pseudo. */
  get fileSize(): number {
    return this.#fileSize;
  }

  get compressed(): boolean {
    return this.#unpacking !== null;
  }

  override get isGrowing(): boolean {
    return this.#isGrowing;
  }

  override async more(): Promise<void> {
    const unpacking = this.#unpacking;
    if (!unpacking || !this.#isGrowing) return;
    const start = performance.now();
    await unpacking.more();
    this.unpackedAt = performance.now();
    this.unpackMs += this.unpackedAt - start;
    this.extend(unpacking.handle);
    this.problem = unpacking.problem;
    this.#isGrowing = !unpacking.isDone;
  }

  override notes(first?: number, last?: number): string[] {
    const notes = super.notes(first, last);
    if (!this.#isGrowing) return notes;
    const unpacked = formatBytes(this.size);
    return [
      ...notes,
      `only the first ${unpacked} were unpacked so far: total_lines and total_bytes are theirs`,
    ];
  }

  /** Takes in that the file has grown. Only for a file whose text is its bytes. */
  grow(stats: Stats): void {
    this.extend({ type: 'file', fd: this.#fd, size: stats.size });
    this.#fileSize = stats.size;
    this.mtimeMs = stats.mtimeMs;
    this.#guard = takeGuard(this.#fd, stats.size);
  }

  /** Returns false once the file is shorter, or has other bytes at its ends. */
  async holds(): Promise<boolean> {
    if (this.isPseudo) return true;
    return (await statOf(this.#fd)).size >= this.#fileSize && guardHolds(this.#fd, this.#guard);
  }

  override get isUnlinked(): boolean {
    return fstatSync(this.#fd).nlink === 0;
  }

  guardHolds(): boolean {
    return guardHolds(this.#fd, this.#guard);
  }

  /** Compares the texts of two readings of a pseudo file. */
  hasTextOf(other: FileGeneration): boolean {
    const [mine, theirs] = [this.source, other.source];
    return mine.type === 'bytes' && theirs.type === 'bytes' && Buffer.from(mine.bytes).equals(theirs.bytes);
  }

  protected release(): void {
    if (!this.#unpacking) closeSync(this.#fd);
    else void this.#unpacking.close().then(() => closeSync(this.#fd));
  }
}

async function openOnce(path: string, options: GenerationOptions): Promise<FileGeneration> {
  const fd = openReal(path);
  let unpacking: Unpacking | null = null;
  try {
    const stats = await statOf(fd);
    const file = { path, fd, stats, unpacking, isPseudo: false, problem: null };
    const pseudo = await readPseudoFile(fd, stats);
    if (pseudo) {
      const { bytes, problem } = pseudo;
      const handle: SourceHandle = { type: 'bytes', bytes, size: bytes.length };
      return new FileGeneration({ ...file, handle, isPseudo: true, problem }, options.encoding);
    }
    const plain: SourceHandle = { type: 'file', fd, size: stats.size };
    const compression = compressionOf(firstBytes(plain));
    if (!compression) return new FileGeneration({ ...file, handle: plain }, options.encoding);
    unpacking = new Unpacking(fd, compression, options.unpack);
    await unpacking.more();
    const { handle, problem } = unpacking;
    return new FileGeneration({ ...file, handle, unpacking, problem }, options.encoding);
  } catch (error) {
    await unpacking?.close();
    closeSync(fd);
    throw error;
  }
}

/** Returns enough bytes to recognise a compressed file. */
function firstBytes(handle: SourceHandle): Uint8Array {
  const bytes = new Uint8Array(Math.min(4, handle.size));
  return bytes.subarray(0, openSource(handle).read(bytes, 0));
}

const statOf = promisify(fstat);
