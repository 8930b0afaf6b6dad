/**
 * Reads pages of an SQLite database that another program may be writing: from the committed part of its write-ahead
 * log, else from the database. Takes no lock and makes no files, so the owner is not disturbed. In return, two pages
 * may be from different moments: callers check what they read, and give up rather than guess.
 *
 * Formats: https://www.sqlite.org/fileformat2.html (sections 1.3, the header, and 4, the write-ahead log).
 */
import { closeSync, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { pathBytes } from '../bytes/path-text.ts';
import { READ_FLAGS } from '../disks/looks.ts';

const MAGIC = 'SQLite format 3\0';
const HEADER_BYTES = 100;
const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** A longer log is not read: its owner writes a new one after some 4 MB. */
const MAX_LOG_FRAMES = 64 * 1024;
/** Log magic numbers: the last bit is the byte order of checksums. */
const LOG_MAGIC = 0x377f0682;

/** The files break the format, or changed while they were read. */
export class Unreadable extends Error {}

export class Pages {
  /** Bytes of a page without the part reserved for extensions. */
  readonly usableBytes: number;
  readonly #pageBytes: number;
  readonly #fd: number;
  readonly #log: { fd: number; frames: ReadonlyMap<number, number> } | null;
  readonly #size: number;
  bytesRead = 0;

  /** Throws `Unreadable`, and what the system throws. */
  constructor(path: string) {
    this.#fd = openPlain(path);
    let log: number | null = null;
    try {
      this.#size = plainStats(this.#fd).size;
      const header = this.#bytes(this.#fd, 0, HEADER_BYTES);
      if (header.toString('latin1', 0, 16) !== MAGIC) throw new Unreadable('not a database');
      const size = header.readUInt16BE(16);
      this.#pageBytes = size === 1 ? 65_536 : size;
      this.usableBytes = this.#pageBytes - header[20]!;
      // 1 and 2: with a rollback journal, and with a log.
      if (this.usableBytes < 480 || header[19]! > 2) throw new Unreadable('of another version');
      log = openLog(`${path}-wal`);
      this.#log = log === null ? null : { fd: log, frames: this.#frames(log) };
      // UTF-8; none yet in a database whose first table is in the log alone.
      if (this.page(1).readUInt32BE(56) > 1) throw new Unreadable('its text is not UTF-8');
    } catch (error) {
      closeSync(this.#fd);
      if (log !== null) closeSync(log);
      throw error;
    }
  }

  /** The first page is 1. */
  page(number: number): Buffer {
    const inLog = this.#log?.frames.get(number);
    if (inLog !== undefined) return this.#bytes(this.#log!.fd, inLog, this.#pageBytes);
    const at = (number - 1) * this.#pageBytes;
    if (number < 1 || at + this.#pageBytes > this.#size) throw new Unreadable(`no page ${number}`);
    return this.#bytes(this.#fd, at, this.#pageBytes);
  }

  close(): void {
    closeSync(this.#fd);
    if (this.#log) closeSync(this.#log.fd);
  }

  /** Offsets of pages in the log, of each the last that was committed. */
  #frames(fd: number): ReadonlyMap<number, number> {
    const committed = new Map<number, number>();
    const { size } = fstatSync(fd);
    const step = FRAME_HEADER_BYTES + this.#pageBytes;
    if (size < LOG_HEADER_BYTES + step) return committed;
    if (size > MAX_LOG_FRAMES * step) throw new Unreadable('its log is too long');
    const header = this.#bytes(fd, 0, LOG_HEADER_BYTES);
    const isLog = (header.readUInt32BE(0) & ~1) === LOG_MAGIC;
    if (!isLog || header.readUInt32BE(8) !== this.#pageBytes) return committed;
    const salts = header.toString('latin1', 16, 24);
    let open: [page: number, at: number][] = [];
    for (let at = LOG_HEADER_BYTES; at + step <= size; at += step) {
      const frame = this.#bytes(fd, at, FRAME_HEADER_BYTES);
      // The rest is left over from an earlier round of the log.
      if (frame.toString('latin1', 8, 16) !== salts) break;
      open.push([frame.readUInt32BE(0), at + FRAME_HEADER_BYTES]);
      if (frame.readUInt32BE(4) === 0) continue;
      for (const [page, where] of open) committed.set(page, where);
      open = [];
    }
    return committed;
  }

  #bytes(fd: number, at: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    if (readSync(fd, bytes, 0, length, at) !== length) throw new Unreadable('shorter than it was');
    this.bytesRead += length;
    return bytes;
  }
}

function openPlain(path: string): number {
  return openSync(pathBytes(path), READ_FLAGS);
}

function plainStats(fd: number): Stats {
  const stats = fstatSync(fd);
  if (!stats.isFile()) throw new Unreadable('not a file');
  return stats;
}

/** Null when there is none. */
function openLog(path: string): number | null {
  try {
    return openPlain(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
