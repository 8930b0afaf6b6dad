/** Opens a file by its real path, for reading. */
import { closeSync, constants, fstat, fstatSync, lstatSync, open, openSync, read, type Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { pathBytes, realPath, realPathSync } from '../../../reader/bytes/path-text.ts';

const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
/** Bytes at each end of a file that identify it and its type. */
const END_BYTES = 4096;
/** Tries at a file that is replaced repeatedly. */
const MAX_TRIES = 20;

/**
 * Opens a path that was a plain file, links resolved, when it was checked. It may since have become a pipe (opening
 * one waits for a writer) or a link, or lie behind a folder that became a link: then it counts as missing. Throws
 * system errors.
 */
export function openReal(path: string): number {
  const bytes = pathBytes(path);
  const fd = openSync(bytes, FLAGS);
  try {
    check(path, fstatSync(fd), lstatSync(bytes), realPathSync(path));
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/**
 * The same without blocking this thread, for a slow file system. Afterwards the file's ends are in the page cache.
 */
export async function openRealSoon(path: string): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const fd = await openNow(path);
    if (fd !== null) return fd;
    if (tries === MAX_TRIES) throw missing();
  }
}

/** Null when another file has taken the name meanwhile. */
async function openNow(path: string): Promise<number | null> {
  const bytes = pathBytes(path);
  const fd = await promisify(open)(bytes, FLAGS);
  try {
    const opened = await promisify(fstat)(fd);
    const [named, real] = [await lstat(bytes), await realPath(path)];
    const isReplaced = real === path && named.isFile() && !isSame(opened, named);
    if (!isReplaced) {
      check(path, opened, named, real);
      if (opened.size > 0) await readEndsOf(fd, opened.size);
      return fd;
    }
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  closeSync(fd);
  return null;
}

/** Ignores errors: the file's reader meets them again, and reports them with more detail. */
async function readEndsOf(fd: number, size: number): Promise<void> {
  const bytes = Buffer.allocUnsafe(END_BYTES);
  for (const at of [0, Math.max(0, size - END_BYTES)])
    await promisify(read)(fd, bytes, 0, END_BYTES, at).catch(() => {});
}

function check(path: string, opened: Stats, named: Stats, real: string): void {
  if (!opened.isFile()) throw Object.assign(new Error('not a file'), { code: 'EISDIR' });
  if (real !== path || !isSame(opened, named)) throw missing();
}

function isSame(one: Stats, other: Stats): boolean {
  return one.dev === other.dev && one.ino === other.ino;
}

function missing(): NodeJS.ErrnoException {
  return Object.assign(new Error('another file'), { code: 'ENOENT' });
}
