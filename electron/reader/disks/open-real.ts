/** Opens files by their real paths, for reading, and checks them again later. */
import { closeSync, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs';
import { pathBytes } from '../bytes/path-text.ts';
import { type PackedStats, READ_FLAGS, realPlace, splitAtArchive, statAll, statsOf } from './stats.ts';

/** Tries at a file that is replaced repeatedly. */
const MAX_TRIES = 20;
/** More than a tick of any file system's clock. */
const TICK_MS = 50;

/**
 * Opens a path that was a plain file, links resolved, when it was checked. It may since have become a pipe (opening
 * one waits for a writer) or a link, or lie behind a folder that became a link: then it counts as missing. Throws
 * system errors.
 */
export function openReal(path: string): { fd: number; stats: Stats } {
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const opened = openOnce(path);
    if (opened) return opened;
  }
  throw withCode('ENOENT');
}

/** Null when another file has taken the name meanwhile. */
function openOnce(path: string): { fd: number; stats: Stats } | null {
  const bytes = pathBytes(splitAtArchive(path).file);
  const fd = openSync(bytes, READ_FLAGS);
  let isKept = false;
  try {
    const stats = fstatSync(fd);
    const named = lstatSync(bytes);
    if (!stats.isFile()) throw withCode('EISDIR');
    if (realPlace(path) !== path || !named.isFile()) throw withCode('ENOENT');
    isKept = stats.dev === named.dev && stats.ino === named.ino;
    return isKept ? { fd, stats } : null;
  } finally {
    if (!isKept) closeSync(fd);
  }
}

/** A file that is held open, as it was when it was read. */
export interface HeldFile {
  readonly fd: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly guard: FileGuard;
  /** The header in front of its text. */
  readonly header: Uint8Array;
  /** Time of the last check, in milliseconds since the epoch. */
  readonly checkedAt: number;
}

export interface FileCheck {
  entry: PackedStats;
  /** Whether the held file still has the bytes that were read, and the header. */
  holds: boolean;
  hasHeader: boolean;
}

/**
 * Looks at the file at a real path, without following links, and checks that it may still be read.
 *
 * Throws system errors: `ELOOP` if a link replaced the file, `ENOENT` if a link replaced a folder above it,
 * `EISDIR` for anything but a file, `EACCES` without permission, even while an open descriptor can still read it.
 */
export function checkFile(path: string, held: HeldFile | null): FileCheck {
  const entry = statAll([path]);
  if (entry.codes[0] !== null) throw withCode(entry.codes[0]!);
  const stats = statsOf(entry);
  if (stats.isSymbolicLink()) throw withCode('ELOOP');
  if (!stats.isFile()) throw withCode('EISDIR');
  if (realPlace(path) !== path) throw withCode('ENOENT');
  if (!stats.readable) throw withCode('EACCES');
  const isTouched = held !== null && (stats.size !== held.size || stats.mtimeMs !== held.mtimeMs);
  // File systems' clocks tick every few milliseconds, so a later change can have the time of the last check.
  const isSure = held === null || (!isTouched && held.checkedAt - stats.mtimeMs >= TICK_MS);
  return {
    entry,
    holds: isSure || guardHolds(held.fd, held.guard),
    hasHeader: isSure || !isTouched || hasHeader(held),
  };
}

function hasHeader({ fd, header }: HeldFile): boolean {
  const now = Buffer.alloc(header.length);
  return readSync(fd, now, 0, now.length, 0) < now.length || now.equals(header);
}

function withCode(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code });
}

const GUARD_BYTES = 256;

/**
 * Tells whether a file is still the one that was indexed. Events, inode and size are not enough (copytruncate and
 * unlink-and-create keep the inode while the size grows), so birth time and some bytes at both ends are compared too.
 */
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
