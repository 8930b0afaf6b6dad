/** Reads and replaces the small files of the store: records, pins and session records. */
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { openReal } from '../../reader/disks/open-real.ts';
import { randomHex } from './names.ts';
import { isForeignFile } from './places.ts';

/** A larger record is damaged: ours are far smaller (`MAX_FOLDED_BYTES`, `MAX_ARGS_BYTES`). */
export const MAX_SMALL_BYTES = 1024 * 1024;

/** Opens a file by its real path. One in a sandbox that has other names counts as missing. Throws system errors. */
export function openTrusted(path: string): { fd: number; stats: Stats } {
  const opened = openReal(path);
  if (!isForeignFile(path, opened.stats)) return opened;
  closeSync(opened.fd);
  throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' });
}

/**
 * Opens a file for reading; null when it is missing, unreadable or not a regular file. Follows no link and never blocks
 * on a pipe or device.
 *
 * @param isChecked the caller has just seen a regular file there: a second look would cost a third of the reading
 */
export function openOwn(path: string, isChecked = false): number | null {
  let fd: number | null = null;
  try {
    fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const stats = isChecked ? null : fstatSync(fd);
    if (stats === null || (stats.isFile() && !isForeignFile(path, stats))) return fd;
  } catch {
    if (fd === null) return null;
  }
  closeSync(fd);
  return null;
}

/** Returns the text of a file that `openOwn` opens; null also when it is larger than `maxBytes`. */
export function readOwn(path: string, maxBytes = MAX_SMALL_BYTES, isChecked = false): string | null {
  const fd = openOwn(path, isChecked);
  if (fd === null) return null;
  try {
    if (!isChecked && fstatSync(fd).size > maxBytes) return null;
    return readText(fd, maxBytes);
  } catch {
    return null;
  } finally {
    closeSync(fd);
  }
}

/** Shared by all reads: twenty thousand records are read one after the other. */
const shared = Buffer.allocUnsafeSlow(64 * 1024);

/** Returns the text from the start on; null when it is longer than `maxBytes`. */
function readText(fd: number, maxBytes: number): string | null {
  const first = readSync(fd, shared, 0, shared.length, 0);
  if (first < shared.length) return first > maxBytes ? null : shared.toString('utf8', 0, first);
  const chunks = [Buffer.from(shared)];
  let total = first;
  for (let got = first; got > 0 && total <= maxBytes; total += got) {
    const chunk = Buffer.allocUnsafe(shared.length);
    got = readSync(fd, chunk, 0, chunk.length, total);
    chunks.push(chunk.subarray(0, got));
  }
  return total > maxBytes ? null : Buffer.concat(chunks).toString('utf8');
}

/**
 * Writes the file so that a reader sees the old text or the new one, never a part, even after a power failure.
 * Throws what the system throws, and then leaves nothing behind.
 *
 * @param owner absent leaves the file to the user of this process
 */
export function replaceFile(
  path: string,
  text: string,
  mode = 0o600,
  owner?: { uid: number; gid: number },
): void {
  const temporary = `${path}.${randomHex(4)}.tmp`;
  try {
    const fd = openSync(temporary, 'wx', 0o600);
    try {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    if (owner) chownSync(temporary, owner.uid, owner.gid);
    if (mode !== 0o600) chmodSync(temporary, mode);
    renameSync(temporary, path);
  } catch (error) {
    removeFile(temporary);
    throw error;
  }
}

/** Removes a file if it is there. `rmSync` also loads what removes folders. Throws what else the system throws. */
export function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
