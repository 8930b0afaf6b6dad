/**
 * Tells whether a file is still the one that was indexed. Events, inode and size are not enough (copytruncate and
 * unlink-and-create keep the inode while the size grows), so birth time and some bytes at both ends are compared too.
 */
import { readSync, type Stats } from 'node:fs';

const GUARD_BYTES = 256;

export interface FileIdentity {
  readonly dev: number;
  readonly ino: number;
  readonly birthtimeMs: number;
}

export function identityOf(stats: Stats): FileIdentity {
  return { dev: stats.dev, ino: stats.ino, birthtimeMs: stats.birthtimeMs };
}

export function sameFile(a: FileIdentity, b: FileIdentity): boolean {
  return a.dev === b.dev && a.ino === b.ino && a.birthtimeMs === b.birthtimeMs;
}

export interface FileGuard {
  /** Where the part of the file that the guard covers begins and ends. */
  readonly start: number;
  readonly size: number;
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
}

/** Keeps a copy of both ends of a file's bytes from `start` to `size`. */
export function takeGuard(fd: number, size: number, start = 0): FileGuard {
  const bytes = Math.min(GUARD_BYTES, size - start);
  return { start, size, head: readBytes(fd, start, bytes), tail: readBytes(fd, size - bytes, bytes) };
}

/** Returns true while the file holds the guard's bytes at the same offsets. */
export function guardHolds(fd: number, guard: FileGuard): boolean {
  const { start, size, head, tail } = guard;
  return (
    readBytes(fd, start, head.length).equals(head) &&
    readBytes(fd, size - tail.length, tail.length).equals(tail)
  );
}

function readBytes(fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  const got = length > 0 ? readSync(fd, bytes, 0, length, position) : 0;
  return bytes.subarray(0, got);
}
