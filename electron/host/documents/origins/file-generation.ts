/** A file's text, read through a descriptor that stays open even if the file is renamed or deleted. */
import { closeSync, fstat, fstatSync, readSync, type Stats } from 'node:fs';
import { promisify } from 'node:util';
import { toSpillwayError } from '../../../../shared/errors.ts';
import { formatBytes } from '../../../../shared/text/format.ts';
import { type FileEnds, readEnds, type TextFrame } from '../../../library/sources/facts/frame.ts';
import {
  type FileGuard,
  type FileIdentity,
  guardHolds,
  identityOf,
  takeGuard,
} from '../../../reader/bytes/guard.ts';
import type { StreamHandle } from '../../../reader/bytes/handles.ts';
import { readPseudoFile } from '../../../reader/bytes/pseudo-file.ts';
import { openStream } from '../../../reader/bytes/streams.ts';
import { compressionOf, Unpacking } from '../../../reader/gzip/unpack.ts';
import type { UnpackOptions } from '../../../reader/gzip/unpack-options.ts';
import { Generation } from '../generation.ts';
import { openRealSoon } from './open-real.ts';

const MAX_TRIES = 4;

export interface GenerationOptions {
  /** Chosen by hand; otherwise detected. */
  encoding?: string | undefined;
  unpack: UnpackOptions;
  /** Finds the text between what an agent wrote around it. */
  frame?: (ends: FileEnds) => TextFrame;
}

/** An opened file, and the position of its text. */
interface OpenFile {
  path: string;
  fd: number;
  stats: Stats;
  handle: StreamHandle;
  unpacking: Unpacking | null;
  isPseudo: boolean;
  problem: string | null;
  frame: ((ends: FileEnds) => TextFrame) | null;
  /** The header in front of the text. */
  header: Buffer;
}

export class FileGeneration extends Generation {
  readonly identity: FileIdentity;
  /** Whether the system generates the file on reading: then stat's size and times say nothing about its text. */
  readonly isPseudo: boolean;
  mtimeMs: number;
  #fileSize: number;
  #guard: FileGuard;
  readonly #fd: number;
  readonly #unpacking: Unpacking | null;
  #isGrowing: boolean;
  readonly #frame: OpenFile['frame'];
  #header: Buffer;
  /** Time that unpacking took so far, and when it last ran (`performance.now()`). */
  unpackMs = 0;
  unpackedAt = performance.now();

  /** Throws errors of the system and of unpacking, and `changed` if the file keeps changing. */
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

  constructor(file: OpenFile, encoding?: string) {
    const { path, fd, stats, handle, unpacking, isPseudo, problem } = file;
    super(handle, { encoding, path, problem });
    this.#frame = file.frame;
    this.#header = file.header;
    this.#fd = fd;
    this.#unpacking = unpacking;
    this.#isGrowing = unpacking !== null && !unpacking.isDone;
    this.#fileSize = stats.size;
    this.mtimeMs = stats.mtimeMs;
    this.identity = identityOf(stats);
    this.isPseudo = isPseudo;
    this.#guard = isPseudo ? takeGuard(fd, 0) : this.#newGuard(stats.size);
  }

  /** Size of the file, which is not the text's when it is compressed or pseudo. */
  get fileSize(): number {
    return this.#fileSize;
  }

  override get writtenBy(): number {
    return this.isPseudo ? Date.now() : this.mtimeMs;
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

  /**
   * Extends the text of a file that has grown. Only for files whose text is their bytes. Returns false if part of the
   * text was a footer, or the text now begins elsewhere: then it is a different text.
   */
  grow(stats: Stats): boolean {
    const text = textOf(this.#fd, stats.size, this.#frame);
    if (text.handle.start !== this.#header.length || text.handle.size < this.size) return false;
    this.extend(text.handle);
    this.#header = text.header;
    this.#fileSize = stats.size;
    this.mtimeMs = stats.mtimeMs;
    this.#guard = this.#newGuard(stats.size);
    return true;
  }

  /** Returns true if the header was rewritten: then the file's times say nothing about the text. */
  headerChanged(): boolean {
    const now = Buffer.alloc(this.#header.length);
    return readSync(this.#fd, now, 0, now.length, 0) === now.length && !now.equals(this.#header);
  }

  /** Excludes the header, which may be rewritten, and a footer, which may be added. */
  #newGuard(fileSize: number): FileGuard {
    const start = this.#header.length;
    return takeGuard(this.#fd, start > 0 ? start + this.size : fileSize, start);
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
    const [mine, theirs] = [this.stream, other.stream];
    return mine.type === 'bytes' && theirs.type === 'bytes' && Buffer.from(mine.bytes).equals(theirs.bytes);
  }

  protected release(): void {
    if (!this.#unpacking) closeSync(this.#fd);
    else void this.#unpacking.close().then(() => closeSync(this.#fd));
  }
}

async function openOnce(path: string, options: GenerationOptions): Promise<FileGeneration> {
  const fd = await openRealSoon(path);
  let unpacking: Unpacking | null = null;
  try {
    const stats = await statOf(fd);
    const { frame = null } = options;
    const text = textOf(fd, stats.size, frame);
    const { header } = text;
    const file = { path, fd, stats, unpacking, isPseudo: false, problem: null, frame, header };
    const pseudo = await readPseudoFile(fd, stats);
    if (pseudo) {
      const { bytes, problem } = pseudo;
      const handle: StreamHandle = { type: 'bytes', bytes, size: bytes.length };
      return new FileGeneration({ ...file, ...WHOLE, handle, isPseudo: true, problem }, options.encoding);
    }
    const plain: StreamHandle = { type: 'file', fd, size: stats.size };
    const compression = compressionOf(firstBytes(plain));
    if (!compression) return new FileGeneration({ ...file, handle: text.handle }, options.encoding);
    unpacking = new Unpacking(fd, compression, options.unpack);
    await unpacking.more();
    const { handle, problem } = unpacking;
    return new FileGeneration({ ...file, ...WHOLE, handle, unpacking, problem }, options.encoding);
  } catch (error) {
    await unpacking?.close();
    closeSync(fd);
    throw error;
  }
}

const WHOLE = { frame: null, header: Buffer.alloc(0) };

/** Returns where a file's text is, and the header in front of it. */
function textOf(fd: number, size: number, frame: OpenFile['frame']) {
  const { start, end } = frame?.(readEnds(fd, size)) ?? { start: 0, end: null };
  const header = Buffer.alloc(start);
  if (start > 0) readSync(fd, header, 0, start, 0);
  const handle = { type: 'file', fd, size: Math.max(0, (end ?? size) - start), start } as const;
  return { handle, header };
}

/** Returns enough bytes to recognise a compressed file. */
function firstBytes(handle: StreamHandle): Uint8Array {
  const bytes = new Uint8Array(Math.min(4, handle.size));
  return bytes.subarray(0, openStream(handle).read(bytes, 0));
}

const statOf = promisify(fstat);
