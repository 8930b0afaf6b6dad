/**
 * Holds a folder open, so that what is written, renamed or removed in it stays in it. Its path may lead elsewhere a
 * moment after it was looked at: whoever may rename above it can put a link in its place. Node lacks `openat`; on Linux
 * a descriptor has a path of its own. Elsewhere each path that is given out is checked just before.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, type Stats, statSync } from 'node:fs';
import { sep } from 'node:path';

/** Which folder it was when it was listed. */
export type FolderIdentity = Pick<Stats, 'dev' | 'ino'>;

export class HeldFolder {
  readonly path: string;
  readonly #identity: FolderIdentity;
  readonly #fd: number | null;

  private constructor(path: string, identity: FolderIdentity, fd: number | null) {
    this.path = path;
    this.#identity = identity;
    this.#fd = fd;
  }

  /** Follows no link. Throws ENOENT for anything but a folder, and unless it is the one with the identity. */
  static open(path: string, identity?: FolderIdentity): HeldFolder {
    if (!canName()) {
      const stats = folderAt(path);
      if (identity !== undefined && !isSame(stats, identity)) throw gone(path);
      return new HeldFolder(path, stats, null);
    }
    const fd = opened(path);
    const stats = fstatSync(fd);
    if (identity === undefined || isSame(stats, identity)) return new HeldFolder(path, stats, fd);
    closeSync(fd);
    throw gone(path);
  }

  /** Returns a path of an entry of the folder, to use at once. Throws ENOENT if the folder is no longer there. */
  at(name: string): string {
    if (this.#fd !== null) return `/proc/self/fd/${this.#fd}/${name}`;
    if (!isSame(folderAt(this.path), this.#identity)) throw gone(this.path);
    return `${this.path}${sep}${name}`;
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
  }
}

/** Throws what `HeldFolder.open` does, and what `use` does. */
export function inFolder<T>(path: string, use: (folder: HeldFolder) => T, identity?: FolderIdentity): T {
  const folder = HeldFolder.open(path, identity);
  try {
    return use(folder);
  } finally {
    folder.close();
  }
}

function opened(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'ELOOP' || code === 'ENOTDIR' ? gone(path) : error;
  }
}

function folderAt(path: string): Stats {
  const stats = lstatSync(path);
  if (stats.isDirectory()) return stats;
  throw gone(path);
}

function isSame(one: FolderIdentity, other: FolderIdentity): boolean {
  return one.dev === other.dev && one.ino === other.ino;
}

function gone(path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${path} is another folder now`), { code: 'ENOENT' });
}

let hasNames: boolean | undefined;

/** Whether the system names descriptors: Linux does, where /proc is mounted. */
function canName(): boolean {
  hasNames ??= process.platform === 'linux' && doesName();
  return hasNames;
}

function doesName(): boolean {
  const fd = opened('/');
  try {
    return isSame(statSync(`/proc/self/fd/${fd}/`), fstatSync(fd));
  } catch {
    return false;
  } finally {
    closeSync(fd);
  }
}
