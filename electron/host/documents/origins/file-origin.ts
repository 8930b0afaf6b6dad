/**
 * Opens the file at a path, or a member of an archive, in its current state: grown, truncated, rewritten or replaced
 * since the last read.
 */
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Artifact } from '../../../../shared/artifact.ts';
import { toSpillwayError } from '../../../../shared/errors.ts';
import { formatBytes } from '../../../../shared/text/format.ts';
import {
  END_BYTES,
  type FileEnds,
  fileEnds,
  type TextFrame,
  UNFRAMED,
} from '../../../agents/facts/described.ts';
import type { StreamHandle } from '../../../reader/bytes/open-stream.ts';
import {
  type FileCheck,
  type FileGuard,
  type FileIdentity,
  type HeldFile,
  identityOf,
  sameFile,
} from '../../../reader/disks/open-real.ts';
import { type FileStats, statsOf } from '../../../reader/disks/stats.ts';
import type { UnpackOptions } from '../../../reader/gzip/compression.ts';
import { compressionOf, MAGIC_BYTES } from '../../../reader/gzip/compression.ts';
import { Unpacking } from '../../../reader/gzip/unpack.ts';
import { DiskFile } from '../../../workers/disk.ts';
import type { Pool } from '../../../workers/pool.ts';
import { type Checked, Generation, type Origin, type Reading, sniff } from '../generation.ts';

/** Pause between two unpackings, as a multiple of the time the last one took. */
const UNPACK_PAUSE_FACTOR = 4;
/** Time between two readings of a file that the system generates. */
const PSEUDO_MS = 1000;

/** Members of one archive that are listed. */
const MOST_LISTED = 1000;

interface FileOriginOptions extends GenerationOptions {
  /** Updates the library with a look at the file, and returns its artifact. */
  describe(path: string, stats: FileStats): Artifact;
  counted?(artifact: Artifact, generation: FileGeneration): void;
}

/** A look at the file, and what it says about the text that is held. */
type Seen = Pick<FileCheck, 'holds' | 'hasHeader'> & { stats: FileStats };

export class FileOrigin implements Origin {
  readonly stream = 'output';
  readonly #path: string;
  readonly #options: FileOriginOptions;
  /** Time of the last look, in milliseconds since the epoch. */
  #checkedAt = 0;
  /** The text whose members are listed. */
  #listed: FileGeneration | null = null;

  constructor(path: string, options: FileOriginOptions) {
    this.#path = path;
    this.#options = options;
  }

  async check(held: Generation | null): Promise<Checked | null> {
    const file = held instanceof FileGeneration ? held : null;
    return this.#take(await this.#see(file), file);
  }

  counted(artifact: Artifact, generation: Generation): void {
    if (!(generation instanceof FileGeneration)) return;
    this.#options.counted?.(artifact, generation);
    const { members, stats } = generation;
    if (this.#listed === generation || members.size > MOST_LISTED) return;
    this.#listed = generation;
    for (const member of members) this.#options.describe(join(this.#path, member), stats);
  }

  async #see(held: FileGeneration | null): Promise<Seen> {
    const path = this.#path;
    const checkedAt = held?.isInDoubt ? 0 : this.#checkedAt;
    const file = held === null || held.isPseudo ? null : { ...held.held, checkedAt };
    const { entry, ...seen } = await this.#options.pool.run('checkFile', { path, held: file }, { path });
    return { ...seen, stats: statsOf(entry) };
  }

  async #take({ stats, holds, hasHeader }: Seen, held: FileGeneration | null): Promise<Checked | null> {
    if (!held) return this.#begin(null);
    if (held.isPseudo) return this.#readAgain(held);
    if (!sameFile(held.identity, stats)) return this.#begin('The file was replaced: this is the new one.');
    const isTouched = stats.size !== held.fileSize || stats.mtimeMs !== held.mtimeMs;
    this.#checkedAt = Date.now();
    if (!isTouched && holds) return null;
    if (stats.size < held.fileSize) return this.#begin('The file was truncated: this is what it holds now.');
    if (!holds) return this.#begin('The file was rewritten: this is what it holds now.');
    if (held.compressed) return this.#unpackAgain(held);
    if (stats.size === held.fileSize && (hasHeader || !(await held.grow(stats)))) return this.#touched(held);
    if (stats.size > held.fileSize && !(await held.grow(stats))) return this.#begin(null);
    return { generation: held, artifact: this.#options.describe(this.#path, stats), notice: null };
  }

  /** Unpacks a compressed file that grew from its beginning again, using at most a fifth of the time. */
  async #unpackAgain(held: FileGeneration): Promise<Checked | null> {
    if (held.isPartial || performance.now() - held.unpackedAt < UNPACK_PAUSE_FACTOR * held.unpackMs)
      return null;
    return this.#begin(null);
  }

  /** Reads a generated file again and compares it, as stat does not show changes of its text. */
  async #readAgain(held: FileGeneration): Promise<Checked | null> {
    if (Math.abs(Date.now() - this.#checkedAt) < PSEUDO_MS) return null;
    this.#checkedAt = Date.now();
    const checked = await this.#begin(null);
    if (!(checked.generation instanceof FileGeneration) || !checked.generation.hasTextOf(held))
      return checked;
    checked.generation.close();
    return null;
  }

  /** Newer but no longer: rewritten in place, or caught between the two halves of an append. */
  async #touched(held: FileGeneration): Promise<Checked | null> {
    await wait(5);
    const again = await this.#see(held);
    if (again.stats.size > held.fileSize) return this.#take(again, held);
    return this.#begin(null);
  }

  async #begin(notice: string | null): Promise<Checked> {
    const generation = await FileGeneration.open(this.#path, this.#options);
    this.#checkedAt = Date.now();
    try {
      const { stats } = await this.#see(null);
      return { generation, artifact: this.#options.describe(this.#path, stats), notice };
    } catch (error) {
      generation.close();
      throw error;
    }
  }
}

const MAX_TRIES = 4;

// A file's text, read through a descriptor that stays open even if the file is renamed or deleted.

interface GenerationOptions {
  /** Chosen by hand; otherwise detected. */
  reading?: Reading;
  unpack: UnpackOptions;
  pool: Pool;
  /** Returns what finds the text between what an agent wrote around it; undefined where none does. */
  frame?(): ((ends: FileEnds) => TextFrame) | undefined;
}

/** An opened file, and the position of its text. */
interface OpenFile {
  fd: number;
  stats: FileStats;
  handle: StreamHandle;
  unpacking: Unpacking | null;
  members: ReadonlySet<string>;
  isPseudo: boolean;
  problem: string | null;
  /** The header in front of the text. */
  header: Uint8Array;
  guard: FileGuard;
  /** The first bytes of the text. */
  head: Uint8Array;
}

export class FileGeneration extends Generation {
  readonly identity: FileIdentity;
  /** Whether the system generates the file on reading: then stat's size and times say nothing about its text. */
  readonly isPseudo: boolean;
  mtimeMs: number;
  readonly #path: string;
  readonly #options: GenerationOptions;
  readonly #fd: number;
  readonly #unpacking: Unpacking | null;
  readonly #members: ReadonlySet<string>;
  /** When it was opened. */
  readonly stats: FileStats;
  #isPartial: boolean;
  #fileSize: number;
  #guard: FileGuard;
  #header: Uint8Array;
  /** A request met other bytes than were read. The next look then trusts neither size nor time. */
  isInDoubt = false;
  /** Time that unpacking took so far, and when it last ran (`performance.now()`). */
  unpackMs = 0;
  unpackedAt = performance.now();

  /** Throws errors of the system and of unpacking, and `changed` if the file keeps changing. */
  static async open(path: string, options: GenerationOptions): Promise<FileGeneration> {
    for (let tries = 1; ; tries += 1) {
      try {
        return new FileGeneration(path, await openOnce(path, options), options);
      } catch (error) {
        // Truncated between fstat and the first read.
        if (toSpillwayError(error).code !== 'changed' || tries === MAX_TRIES) throw error;
      }
    }
  }

  private constructor(path: string, file: OpenFile, options: GenerationOptions) {
    const { fd, stats, handle, head, unpacking, isPseudo, problem } = file;
    super(handle, head, { ...options.reading, path, problem });
    this.#path = path;
    this.#options = options;
    this.#header = file.header;
    this.#fd = fd;
    this.#unpacking = unpacking;
    this.#members = file.members;
    this.stats = stats;
    this.#isPartial = unpacking !== null && !unpacking.isDone;
    this.#fileSize = stats.size;
    this.mtimeMs = stats.mtimeMs;
    this.identity = identityOf(stats);
    this.isPseudo = isPseudo;
    this.#guard = file.guard;
  }

  /** Size of the file, which is not the text's when it is compressed or pseudo. */
  get fileSize(): number {
    return this.#fileSize;
  }

  /** The next look compares the file with this. */
  get held(): Omit<HeldFile, 'checkedAt'> {
    return {
      fd: this.#fd,
      size: this.#fileSize,
      mtimeMs: this.mtimeMs,
      guard: this.#guard,
      header: this.#header,
    };
  }

  override get writtenBy(): number {
    return this.isPseudo ? Date.now() : this.mtimeMs;
  }

  override get members(): ReadonlySet<string> {
    return this.#members;
  }

  get compressed(): boolean {
    return this.#unpacking !== null;
  }

  override get isPartial(): boolean {
    return this.#isPartial;
  }

  override async more(): Promise<void> {
    const unpacking = this.#unpacking;
    if (!unpacking || !this.#isPartial) return;
    const start = performance.now();
    await unpacking.more();
    this.unpackedAt = performance.now();
    this.unpackMs += this.unpackedAt - start;
    await this.extend(unpacking.handle, this.#options.pool);
    this.problem = unpacking.problem;
    this.#isPartial = !unpacking.isDone;
  }

  override notes(first?: number, last?: number): string[] {
    const notes = super.notes(first, last);
    if (!this.#isPartial) return notes;
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
  async grow(stats: FileStats): Promise<boolean> {
    const text = await textOf(this.#path, this.#fd, stats.size, this.#options);
    if (text.handle.start !== this.#header.length || text.handle.size < this.size) return false;
    const guard = await guardOf(this.#path, this.#fd, stats.size, text, this.#options);
    await this.extend(text.handle, this.#options.pool);
    this.#header = text.header;
    this.#fileSize = stats.size;
    this.mtimeMs = stats.mtimeMs;
    this.#guard = guard;
    return true;
  }

  /** Returns false once the file is shorter, or has other bytes at its ends. */
  async holds(): Promise<boolean> {
    if (this.isPseudo) return true;
    const args = { fd: this.#fd, guard: this.#guard, size: this.#fileSize };
    const holds = await this.#options.pool.run('holds', args, { path: this.#path });
    this.isInDoubt ||= !holds;
    return holds;
  }

  override async isUnlinked(): Promise<boolean> {
    const entry = await this.#options.pool.run('stats', { fd: this.#fd }, { path: this.#path });
    return statsOf(entry).nlink === 0;
  }

  /** Compares the texts of two readings of a pseudo file. */
  hasTextOf(other: FileGeneration): boolean {
    const [mine, theirs] = [this.stream, other.stream];
    return mine.type === 'bytes' && theirs.type === 'bytes' && Buffer.from(mine.bytes).equals(theirs.bytes);
  }

  protected release(): void {
    const close = () => this.#options.pool.closeFile(this.#path, this.#fd);
    if (!this.#unpacking) close();
    else void this.#unpacking.close().then(close);
  }
}

async function openOnce(path: string, options: GenerationOptions): Promise<OpenFile> {
  const { pool } = options;
  const members = new Set<string>();
  const frame = options.frame?.();
  const endBytes = frame ? END_BYTES : MAGIC_BYTES;
  const { fd, entry, pseudo, head, tail, member } = await pool.run(
    'open',
    { path, endBytes },
    { path, late: (opened) => pool.closeFile(path, opened.fd) },
  );
  let unpacking: Unpacking | null = null;
  try {
    const stats = statsOf(entry);
    if (pseudo) {
      const { bytes, problem } = pseudo;
      const handle: StreamHandle = { type: 'bytes', bytes, size: bytes.length };
      const text = { handle, head: await sniff(handle, pool), problem, isPseudo: true };
      return { fd, stats, unpacking, members, ...text, header: NOTHING, guard: NO_GUARD };
    }
    const found = frame?.(fileEnds({ head, tail }, stats.size)) ?? UNFRAMED;
    const text = framedText(path, fd, stats.size, found, head);
    const compression = compressionOf(head);
    if (compression) {
      const onMember = (name: string) => members.add(name);
      const unpack = { ...options.unpack, onMember, member: member ?? undefined };
      unpacking = new Unpacking(new DiskFile(pool, path, fd, stats), compression, unpack);
      await unpacking.more();
    }
    const handle = unpacking?.handle ?? text.handle;
    const header = unpacking ? NOTHING : text.header;
    const [guard, first] = await Promise.all([
      guardOf(path, fd, stats.size, { ...text, header }, options),
      sniff(handle, pool),
    ]);
    const problem = unpacking?.problem ?? null;
    return { fd, stats, unpacking, members, handle, header, guard, head: first, isPseudo: false, problem };
  } catch (error) {
    await unpacking?.close();
    pool.closeFile(path, fd);
    throw error;
  }
}

const NOTHING = new Uint8Array();
const NO_GUARD: FileGuard = { start: 0, size: 0, head: NOTHING, tail: NOTHING };

/** Where a file's text is, and the header in front of it. */
interface FramedText {
  handle: Extract<StreamHandle, { type: 'file' }>;
  header: Uint8Array;
}

function framedText(
  path: string,
  fd: number,
  size: number,
  { start, end }: TextFrame,
  head: Uint8Array,
): FramedText {
  const handle = { type: 'file', fd, size: Math.max(0, (end ?? size) - start), start, path } as const;
  return { handle, header: head.slice(0, start) };
}

async function textOf(
  path: string,
  fd: number,
  size: number,
  options: GenerationOptions,
): Promise<FramedText> {
  const frame = options.frame?.();
  if (!frame) return framedText(path, fd, size, UNFRAMED, NOTHING);
  const ends = await options.pool.run('ends', { fd, size, endBytes: END_BYTES }, { path });
  return framedText(path, fd, size, frame(fileEnds(ends, size)), ends.head);
}

/** Excludes the header, which may be rewritten, and a footer, which may be added. */
function guardOf(
  path: string,
  fd: number,
  fileSize: number,
  { handle, header }: FramedText,
  { pool }: GenerationOptions,
): Promise<FileGuard> {
  const start = header.length;
  return pool.run('takeGuard', { fd, size: start > 0 ? start + handle.size : fileSize, start }, { path });
}
