/** Looks at folders and files, and reads them, on the threads of their disks (pool.ts). Rejects with `stalled`. */

import type { Entry } from '../reader/disks/entries.ts';
import { farPathOf, isMountPlace } from '../reader/disks/mounts.ts';
import type { FileGuard } from '../reader/disks/open-real.ts';
import { type FileStats, type StatsOrError, statsIn, statsOf } from '../reader/disks/stats.ts';
import type { PackedFile } from '../reader/gzip/compression.ts';
import type { NewRows, WantedRows } from '../reader/sqlite.ts';
import type { Opener } from '../store/openers.ts';
import type { OpenedFile } from './file-tasks.ts';
import { createPool, noAnswerMessage, type Pool } from './pool.ts';

/** They don't report what other machines change: NFS, SMB, SMB2, CIFS, AFS, Ceph, 9P, FUSE. */
const SILENT = new Set([
  0x6969, 0x517b, 0xfe534d42, 0xff534d42, 0x5346414f, 0x00c36400, 0x01021997, 0x65735546,
]);
/** File systems in memory: tmpfs and ramfs. */
const IN_MEMORY = new Set([0x01021994, 0x858458f6]);

export interface Space {
  freeBytes: number;
  totalBytes: number;
  inMemory: boolean;
}

export class Disk {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  entries(folder: string): Promise<Entry[]> {
    return this.#pool.run('entries', { folder }, { path: folder });
  }

  /** The look at a path or its error. */
  async stat(path: string): Promise<StatsOrError> {
    const entries = await this.#pool.run('lstat', { paths: [path] }, { path });
    return statsIn(entries)[0]!;
  }

  /**
   * Looks at paths in a folder, each in order. `isReal`: whether the folder's own path has no link in it; null when that
   * can't be told.
   */
  async statInside(
    folder: string,
    paths: readonly string[],
  ): Promise<{ entries: StatsOrError[]; isReal: boolean | null }> {
    // What is mounted in the folder is on another disk.
    const isOwn = (path: string) => !isMountPlace(path);
    const own = paths.filter(isOwn);
    const inside = await this.#pool.run('statInside', { folder, paths: own }, { path: folder });
    const found = statsIn(inside.entries);
    if (own.length === paths.length) return { entries: found, isReal: inside.isReal };
    const entries = paths.map((path) => {
      if (isOwn(path)) return found.shift()!;
      return this.stat(path).catch((error: NodeJS.ErrnoException) => error);
    });
    return { entries: await Promise.all(entries), isReal: inside.isReal };
  }

  /** Where a path leads, links resolved, and what is there. Throws what the system throws. */
  async place(path: string): Promise<{ real: string; stats: FileStats }> {
    const { real, entry } = await this.#pool.run('place', { path }, { path });
    return { real, stats: statsOf(entry) };
  }

  /** The directory that each path leads to; null where none is, or where its disk does not answer. */
  async foldersAt(paths: readonly string[]): Promise<(string | null)[]> {
    const found = new Map<string, string | null>();
    const ofDisk = new Map<string, string[]>();
    for (const path of paths) {
      const disk = farPathOf(path)?.mount.place ?? '';
      ofDisk.set(disk, [...(ofDisk.get(disk) ?? []), path]);
    }
    await Promise.all(
      [...ofDisk.values()].map(async (some) => {
        const folders = await this.#pool.run('folders', { paths: some }, { path: some[0]! }).catch(() => []);
        for (const [index, path] of some.entries()) found.set(path, folders[index] ?? null);
      }),
    );
    return paths.map((path) => found.get(path) ?? null);
  }

  /** Whether it is an executable file, and not a folder, which may have the same permission. */
  isProgram(path: string): Promise<boolean> {
    return this.#pool.run('isProgram', { path }, { path }).catch(() => false);
  }

  /** This user's processes that have a file open; none if the system does not say. */
  openers(path: string): Promise<Opener[]> {
    return this.#pool.run('openers', { path }, { path: '/proc', priority: 'bulk' });
  }

  link(path: string): Promise<string> {
    return this.#pool.run('link', { path }, { path });
  }

  /** Null if the system does not say. */
  async space(path: string): Promise<Space | null> {
    const space = await this.#pool.run('space', { path }, { path }).catch(() => null);
    if (space === null) return null;
    const { type, ...sizes } = space;
    return { ...sizes, inMemory: process.platform === 'linux' && IN_MEMORY.has(type) };
  }

  /** Whether changes may not be reported: Linux only. */
  async isSilent(path: string): Promise<boolean> {
    if (process.platform !== 'linux') return false;
    const space = await this.#pool.run('space', { path }, { path }).catch(() => null);
    return space !== null && SILENT.has(space.type);
  }

  /** Opens a plain file that is not a link. Throws what the system throws. */
  async open(path: string): Promise<DiskFile> {
    const late = ({ fd }: { fd: number }) => this.#pool.closeFile(path, fd);
    const { fd, entry } = await this.#pool.run('openPlain', { path }, { path, late });
    return new DiskFile(this.#pool, path, fd, statsOf(entry));
  }

  /** Opens a plain file by its real path. */
  async openReal(path: string): Promise<DiskFile> {
    const late = ({ fd }: { fd: number }) => this.#pool.closeFile(path, fd);
    const { fd, entry } = await this.#pool.run('openReal', { path }, { path, late });
    return new DiskFile(this.#pool, path, fd, statsOf(entry));
  }

  newRows(path: string, tables: readonly WantedRows[]): Promise<(NewRows | null)[]> {
    return this.#pool.run('newRows', { path, tables }, { path });
  }

  watch: Pool['watch'] = (folder, hints) => this.#pool.watch(folder, hints);

  answering(path: string): Promise<void> {
    return this.#pool.answering(path);
  }
}

/** An open file. */
export class DiskFile implements PackedFile {
  readonly fd: number;
  readonly path: string;
  /** As it was opened. */
  readonly stats: FileStats;
  readonly #pool: Pool;

  constructor(pool: Pool, path: string, fd: number, stats: FileStats) {
    this.#pool = pool;
    this.path = path;
    this.fd = fd;
    this.stats = stats;
  }

  /** Whether the descriptor is one of this process. */
  get isHere(): boolean {
    return !this.#pool.hasOwnProcess(this.path);
  }

  /** What it is now. */
  async stat(): Promise<FileStats> {
    return statsOf(await this.#pool.run('stats', { fd: this.fd }, { path: this.path }));
  }

  /** Fewer bytes than asked for at the end of the file. */
  async read(at: number, bytes: number): Promise<Buffer> {
    const { fd, path } = this;
    const stream = { type: 'file', fd, size: Number.MAX_SAFE_INTEGER, path } as const;
    const { buffer, byteOffset, length } = await this.#pool.run('read', { stream, at, bytes }, { path });
    return Buffer.from(buffer, byteOffset, length);
  }

  /** Its first and last bytes. */
  ends(endBytes: number, size = this.stats.size): Promise<Pick<OpenedFile, 'head' | 'tail'>> {
    const { fd, path } = this;
    return this.#pool.run('ends', { fd, size, endBytes }, { path });
  }

  takeGuard(size: number, start = 0): Promise<FileGuard> {
    return this.#pool.run('takeGuard', { fd: this.fd, size, start }, { path: this.path });
  }

  /** Whether it still has the bytes of the guard, and `size` bytes. */
  holds(guard: FileGuard, size = guard.size): Promise<boolean> {
    return this.#pool.run('holds', { fd: this.fd, guard, size }, { path: this.path });
  }

  close(): void {
    this.#pool.closeFile(this.path, this.fd);
  }
}

/** Whether a look failed because the disk does not answer. */
export function isUnanswered(error: unknown): boolean {
  return (error as { code?: string } | null)?.code === 'stalled';
}

/** Says what becomes of a source whose file system does not answer. */
export function listedLaterMessage(path: string): string {
  return `${noAnswerMessage(path)}: what is in it is listed when it does`;
}

let here: Disk | null = null;

/** Looks at files for a process that needs no threads for it: shares are asked by a process of theirs. */
export function diskHere(): Disk {
  here ??= new Disk(createPool(0));
  return here;
}
