/**
 * Declares the small tasks that touch a disk: looking, opening, reading a few bytes. A thread of that disk runs them
 * (pool.ts), and a command of the command line itself.
 */
import {
  closeSync,
  fstatSync,
  openSync,
  readlinkSync,
  readSync,
  type Stats,
  statfsSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { SpillwayError } from '../../shared/errors.ts';
import type { StreamHandle } from '../reader/bytes/open-stream.ts';
import { pathBytes, pathText } from '../reader/bytes/path-text.ts';
import { openStream } from '../reader/bytes/streams.ts';
import { entriesOf, folderAt, isProgram, placeOf, statInside } from '../reader/disks/entries.ts';
import {
  checkFile,
  type FileGuard,
  guardHolds,
  type HeldFile,
  takeGuard,
} from '../reader/disks/open-real.ts';
import { type PackedStats, packed, READ_FLAGS, splitAtArchive, statAll } from '../reader/disks/stats.ts';
import { newRows, type WantedRows } from '../reader/sqlite.ts';
import { openTrusted } from '../store/format/small-file.ts';
import { openersOf } from '../store/openers.ts';

/** What is needed to know what kind of text a file holds. */
export interface OpenedFile {
  fd: number;
  entry: PackedStats;
  /** The text of a file that the system makes up. */
  pseudo: PseudoText | null;
  /** Its first and last bytes. */
  head: Uint8Array;
  tail: Uint8Array;
  /** The member of the archive that the path leads to; null for the file as a whole. */
  member: string | null;
}

export const fileTasks = {
  lstat: (args: { paths: readonly string[] }) => statAll(args.paths),
  statInside: (args: { folder: string; paths: readonly string[] }) => statInside(args.folder, args.paths),
  entries: (args: { folder: string }) => entriesOf(args.folder),
  place: (args: { path: string }) => placeOf(args.path),
  folders: (args: { paths: readonly string[] }) => args.paths.map(folderAt),
  link: (args: { path: string }) => pathText(readlinkSync(pathBytes(args.path), 'buffer')),
  openers: (args: { path: string }) => openersOf(args.path),
  isProgram: (args: { path: string }) => isProgram(args.path),
  space(args: { path: string }) {
    const { type, bavail, bsize, blocks } = statfsSync(pathBytes(args.path));
    return { type: type >>> 0, freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  },
  checkFile: (args: { path: string; held: HeldFile | null }) => checkFile(args.path, args.held),
  /** `endBytes`: how many bytes of each end to return. */
  open(args: { path: string; endBytes: number }): OpenedFile {
    const { fd, stats } = openTrusted(args.path);
    try {
      const pseudo = readPseudoFile(fd, stats);
      const ends = pseudo ? NO_ENDS : endsOf(fd, stats.size, args.endBytes);
      return { fd, entry: packed(stats), pseudo, ...ends, member: splitAtArchive(args.path).member };
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  },
  openReal(args: { path: string }) {
    const { fd, stats } = openTrusted(args.path);
    return { fd, entry: packed(stats) };
  },
  openPlain(args: { path: string }) {
    const fd = openSync(pathBytes(args.path), READ_FLAGS);
    const stats = fstatSync(fd);
    if (stats.isFile()) return { fd, entry: packed(stats) };
    closeSync(fd);
    throw Object.assign(new Error('not a file'), { code: 'EISDIR' });
  },
  newRows: (args: { path: string; tables: readonly WantedRows[] }) => newRows(args.path, args.tables),
  ends: (args: { fd: number; size: number; endBytes: number }) => endsOf(args.fd, args.size, args.endBytes),
  takeGuard: (args: { fd: number; size: number; start: number }) => takeGuard(args.fd, args.size, args.start),
  holds: (args: { fd: number; guard: FileGuard; size: number }) =>
    fstatSync(args.fd).size >= args.size && guardHolds(args.fd, args.guard),
  stats: (args: { fd: number }) => packed(fstatSync(args.fd)),
  /** Fewer bytes than asked for where the stream ends before. */
  read(args: { stream: StreamHandle; at: number; bytes: number }) {
    const bytes = new Uint8Array(args.bytes);
    return bytes.subarray(0, openStream(args.stream).read(bytes, args.at));
  },
  close: (args: { fd: number }) => closeSync(args.fd),
  /** Returns the bytes written: fewer on a full disk. */
  write(args: { fd: number; bytes: Uint8Array; at: number }) {
    let done = 0;
    try {
      while (done < args.bytes.length)
        done += writeSync(args.fd, args.bytes, done, args.bytes.length - done, args.at + done);
    } catch (error) {
      if (!FULL.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
    return done;
  },
  /**
   * Creates a file and removes its name, so that the system frees it when it is closed. On Windows, where open files
   * can't be removed, the next cleanup removes it.
   */
  nameless(args: { folder: string }) {
    const name = `unpacked-${process.pid}-${Math.random().toString(36).slice(2)}.tmp`;
    const path = join(args.folder, name);
    const fd = openSync(path, 'wx+', 0o600);
    try {
      unlinkSync(path);
    } catch {
      // Windows.
    }
    return { fd };
  },
} as const;

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const NO_ENDS = { head: new Uint8Array(), tail: new Uint8Array() };

function endsOf(fd: number, size: number, endBytes: number): { head: Uint8Array; tail: Uint8Array } {
  const head = readAt(fd, 0, Math.min(endBytes, size));
  return { head, tail: size <= endBytes ? head : readAt(fd, size - endBytes, endBytes) };
}

function readAt(fd: number, position: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  return length > 0 ? bytes.subarray(0, readSync(fd, bytes, 0, length, position)) : bytes;
}

const MAX_BYTES = 16 * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;
/** Files of /sys are a page long by stat. Believe the size of larger files. */
const MAX_CLAIMED_BYTES = 64 * 1024;

/**
 * Reads files that the system generates on reading (/proc, /sys). stat says that their size is 0, or larger than their
 * text. Such a file is read once, to its end or up to `MAX_BYTES`.
 */
export interface PseudoText {
  bytes: Uint8Array;
  /** Why the text is incomplete, as a sentence. */
  problem: string | null;
}

/** Returns null for an ordinary file. Throws `changed` if the file changes meanwhile, and the system's errors. */
export function readPseudoFile(fd: number, { size }: Stats): PseudoText | null {
  if (size > MAX_CLAIMED_BYTES) return null;
  const first = readChunk(fd, 0, Math.max(size, CHUNK_BYTES));
  if (first.length === size) return null;
  if (fstatSync(fd).size !== size) {
    throw new SpillwayError('changed', 'the file changed while it was opened', 'ask again');
  }
  const chunks = [first];
  let total = first.length;
  while (total < MAX_BYTES) {
    const chunk = readChunk(fd, total, CHUNK_BYTES);
    if (chunk.length === 0) return { bytes: Buffer.concat(chunks), problem: null };
    chunks.push(chunk);
    total += chunk.length;
  }
  const problem = `the system makes up this file, and it does not end: only its first ${total} bytes were read`;
  return { bytes: Buffer.concat(chunks), problem };
}

/** Returns the bytes of one read; none if nothing is available, as the descriptor does not block. */
function readChunk(fd: number, position: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  try {
    return buffer.subarray(0, readSync(fd, buffer, 0, length, position));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return Buffer.alloc(0);
    throw error;
  }
}
