/**
 * Stores the bytes of one stream. They go to its file; past the cap, to segments beside it, which are joined when the
 * stream ends (store/contents/join-tail.ts). A failed write never disturbs the caller: `onStop` gets the reason, and
 * the lost bytes are counted.
 */
import {
  closeSync,
  constants,
  copyFile,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readlinkSync,
  readSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { bytesToLeaveFree, MIB } from '../../../shared/limits.ts';
import {
  COUNTER_BYTES,
  countPlain,
  createNewlineCounter,
  type NewlineCounter,
} from '../../reader/lines/newlines.ts';
import {
  joinTail,
  removeTailSegments,
  type TailSegment,
  tailSegmentName,
  tailSegments,
} from '../../store/contents/join-tail.ts';
import type { Gap } from '../../store/format/record.ts';
import { removeFile } from '../../store/format/small-file.ts';
import { addToCounts, type StreamCounts } from './outcome.ts';

const MAX_TAIL_BYTES = 8 * 1024 * 1024;
/** Append: if another program cuts the file short, its size then shows it. Don't create it. */
const GO_ON = constants.O_RDWR | constants.O_APPEND;
/** The least size of a segment: a small cap must not turn every chunk into files. */
const MIN_SEGMENT_BYTES = 1024 * 1024;

interface StreamFileOptions {
  folder: string;
  name: string;
  /** Bytes that are kept, 0 for all of them. */
  cap: number;
  lines: LineCounter;
  space: SpaceGuard;
  /** Counts of everything received so far; `write` adds to them. */
  counts: StreamCounts;
  /** Called once, with the reason why storing stopped. */
  onStop: (reason: string) => void;
}

/** How far a stream is stored: with its counts, all that another recorder needs to continue. */
export interface StreamProgress {
  /** Bytes in the stream's file, and line ends among them. */
  stored: number;
  storedLines: number;
  stopped: boolean;
}

export class StreamFile {
  readonly name: string;
  #folder: string;
  readonly #tailBytes: number;
  readonly #headBytes: number;
  readonly #options: StreamFileOptions;
  #fd: number;
  /** Bytes that the file holds before they are written. */
  #cloned = 0;
  #progress: StreamProgress;
  #segment: (TailSegment & { fd: number; size: number }) | null = null;
  #previous: TailSegment | null = null;

  /** Throws the system's errors: EEXIST if the name is taken. With `progress`, continues in the existing file. */
  constructor(options: StreamFileOptions, progress?: StreamProgress) {
    this.#options = options;
    this.name = options.name;
    this.#folder = options.folder;
    this.#tailBytes = Math.min(MAX_TAIL_BYTES, Math.floor(options.cap / 2));
    this.#headBytes = options.cap === 0 ? Number.POSITIVE_INFINITY : even(options.cap - this.#tailBytes);
    this.#fd = openSync(join(this.#folder, this.name), progress ? GO_ON : 'ax+', 0o600);
    this.#progress = progress ?? { stored: 0, storedLines: 0, stopped: false };
    if (progress && options.counts.bytes > progress.stored && !progress.stopped) this.#resumeSegments();
  }

  get progress(): StreamProgress {
    return { ...this.#progress };
  }

  /**
   * Lets the empty file share the first `bytes` bytes of another file; false where the file system can't. Write these
   * bytes next.
   */
  async clone(fd: number, bytes: number): Promise<boolean> {
    if (bytes <= this.#headBytes && (await cloneFile(fd, this.#fd, bytes))) this.#cloned = bytes;
    return this.#cloned > 0;
  }

  /** Counts the chunk, whether or not all of it can be stored. */
  write(chunk: Uint8Array): void {
    const { counts } = this.#options;
    const progress = this.#progress;
    let lines = 0;
    const room = this.#headBytes - progress.stored;
    const inHead = progress.stopped || counts.bytes > progress.stored ? 0 : Math.min(room, chunk.length);
    if (inHead > 0) {
      const part = inHead === chunk.length ? chunk : chunk.subarray(0, inHead);
      lines += this.#toHead(part);
    }
    if (inHead < chunk.length) {
      const rest = chunk.subarray(inHead);
      const ends = this.#options.lines.count(rest);
      if (!this.#progress.stopped) this.#toTail(rest, counts.newlines + lines);
      lines += ends;
    }
    addToCounts(counts, chunk, lines);
  }

  /** Whether another program has deleted the file. */
  isGone(): boolean {
    try {
      return fstatSync(this.#fd).nlink === 0;
    } catch {
      return true;
    }
  }

  /** Its size if another program has changed it; null if none has. */
  get changed(): number | null {
    const { size, nlink } = fstatSync(this.#fd);
    if (nlink === 0) return 0;
    return size === Math.max(this.#progress.stored, this.#cloned) ? null : size;
  }

  /** The folder where the file is now; null where the system does not say. */
  folderNow(): string | null {
    try {
      const path = readlinkSync(`/proc/self/fd/${this.#fd}`);
      return basename(path) === this.name ? dirname(path) : null;
    } catch {
      return null;
    }
  }

  movedTo(folder: string): void {
    this.#folder = folder;
  }

  /** Stops storing early, for a reason outside this stream. */
  stop(): void {
    if (this.#progress.stopped) return;
    this.#progress.stopped = true;
    // Without the stream's end, the segments are of no use, and the disk may need the space.
    this.#closeSegment();
    this.#removeSegments();
  }

  /** Frees some stored bytes on the disk. Returns false if there are none. */
  shrink(bytes: number): boolean {
    const { stored } = this.#progress;
    if (stored === 0) return false;
    const size = Math.max(0, stored - bytes);
    try {
      ftruncateSync(this.#fd, size);
    } catch {
      return false;
    }
    this.#progress.stored = size;
    this.#progress.storedLines = this.#options.lines.countFile(this.#fd, size);
    this.#progress.stopped = true;
    return true;
  }

  /** Returns the gap, once everything has arrived; `onGap` writes the record before the file is changed. */
  end(onGap: (gap: Gap) => void): Gap | null {
    this.#closeSegment();
    const { bytes, newlines } = this.#options.counts;
    const { stored, storedLines, stopped } = this.#progress;
    if (bytes === stored) return null;
    if (!stopped) {
      try {
        const gap = joinTail({
          folder: this.#folder,
          streamFile: this.name,
          gap: null,
          tailBytes: this.#tailBytes,
          headLines: storedLines,
          onGap,
        });
        this.#progress.stored = bytes - (gap?.bytes ?? 0);
        this.#progress.storedLines = newlines - (gap?.lines ?? 0);
        return gap;
      } catch (error) {
        this.#fail(error);
        this.#progress.stored = fstatSync(this.#fd).size;
        this.#progress.storedLines = this.#options.lines.countFile(this.#fd, this.#progress.stored);
      }
    }
    return this.missingEnd();
  }

  /** The gap of a stream whose storing was stopped. */
  missingEnd(): Gap {
    const { bytes, newlines } = this.#options.counts;
    const { stored, storedLines } = this.#progress;
    return { offset: stored, line: storedLines, bytes: bytes - stored, lines: newlines - storedLines };
  }

  close(): void {
    this.#closeSegment();
    if (this.#fd >= 0) closeSync(this.#fd);
    this.#fd = -1;
  }

  remove(): void {
    removeFile(join(this.#folder, this.name));
  }

  #toHead(chunk: Uint8Array): number {
    const progress = this.#progress;
    if (progress.stored + chunk.length <= this.#cloned) {
      const lines = this.#options.lines.count(chunk);
      progress.stored += chunk.length;
      progress.storedLines += lines;
      return lines;
    }
    const full = this.#options.space.before(chunk.length);
    let written = 0;
    if (full === null) {
      try {
        while (written < chunk.length) written += writeSync(this.#fd, chunk, written);
      } catch (error) {
        this.#fail(error);
      }
    } else this.#stopFor(full);
    const lines = this.#options.lines.count(chunk);
    progress.stored += written;
    progress.storedLines +=
      written === chunk.length ? lines : this.#options.lines.count(chunk.subarray(0, written));
    return lines;
  }

  #toTail(chunk: Uint8Array, linesBefore: number): void {
    let at = 0;
    let lines = linesBefore;
    const segmentBytes = even(Math.max(this.#tailBytes, MIN_SEGMENT_BYTES));
    // The part of a chunk that still went to the head has not been counted as arrived yet.
    const base = Math.max(this.#options.counts.bytes, this.#progress.stored);
    try {
      while (at < chunk.length) {
        if (this.#segment === null || this.#segment.size >= segmentBytes) this.#nextSegment(base + at, lines);
        const segment = this.#segment!;
        const part = chunk.subarray(at, at + segmentBytes - segment.size);
        const full = this.#options.space.before(part.length);
        if (full !== null) {
          this.#stopFor(full);
          return;
        }
        for (let done = 0; done < part.length; ) done += writeSync(segment.fd, part, done);
        segment.size += part.length;
        at += part.length;
        if (at < chunk.length) lines += this.#options.lines.count(part);
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  #nextSegment(start: number, line: number): void {
    const old = this.#previous;
    const current = this.#segment;
    const name = tailSegmentName(this.name, start, line);
    const fd = openSync(join(this.#folder, name), 'wx', 0o600);
    this.#segment = { name, start, line, fd, size: 0 };
    if (current !== null) closeSync(current.fd);
    this.#previous = current;
    if (old !== null) removeTailSegments(this.#folder, [old]);
  }

  #resumeSegments(): void {
    const segments = tailSegments(this.#folder, this.name);
    const last = segments.at(-1);
    if (last === undefined) return;
    this.#previous = segments.at(-2) ?? null;
    const fd = openSync(join(this.#folder, last.name), 'a');
    this.#segment = { ...last, fd, size: fstatSync(fd).size };
  }

  #closeSegment(): void {
    if (this.#segment !== null) closeSync(this.#segment.fd);
    this.#segment = null;
  }

  #removeSegments(): void {
    try {
      removeTailSegments(this.#folder, tailSegments(this.#folder, this.name));
    } catch {
      // They are removed with the folder or the artifact.
    }
  }

  #fail(error: unknown): void {
    const { code, message } = error as NodeJS.ErrnoException;
    this.#stopFor(code === 'ENOSPC' ? 'the disk is full' : `writing failed (${code ?? message})`);
  }

  #stopFor(reason: string): void {
    const isFirst = !this.#progress.stopped;
    this.stop();
    if (isFirst) this.#options.onStop(reason);
  }
}

/** Keeps UTF-16 units whole. */
function even(bytes: number): number {
  return bytes < 2 ? bytes : bytes - (bytes % 2);
}

// Clones a file into another of the same file system; they then share their blocks (reflink: btrfs, XFS). Works on
// descriptors, so the source may have been deleted or replaced.

const copy = promisify(copyFile);
const OWN_MODE = 0o600;

/**
 * Clones `from` into the empty file `to`; resolves with whether `to` now holds its first `bytes` bytes. Linux only, as
 * other systems can't open a descriptor by name.
 */
async function cloneFile(from: number, to: number, bytes: number): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  try {
    await copy(`/proc/self/fd/${from}`, `/proc/self/fd/${to}`, constants.COPYFILE_FICLONE_FORCE);
    // The source may have grown or been truncated since it was measured.
    const isWhole = fstatSync(to).size >= bytes;
    ftruncateSync(to, isWhole ? bytes : 0);
    return isWhole;
  } catch {
    return false;
  } finally {
    // Cloning copied the source's mode.
    fchmodSync(to, OWN_MODE);
  }
}

/** Counts line ends in chunks as they arrive: large ones in WebAssembly, small ones without its set-up. */
export interface LineCounter {
  count(chunk: Uint8Array): number;
  /** In the first `size` bytes of a file. Throws what the system throws. */
  countFile(fd: number, size: number): number;
}

/** Below this, copying into the counter's memory is not worth it. */
const SMALL_BYTES = 4096;

export function createLineCounter(): LineCounter {
  let fast: NewlineCounter | null = null;
  const counter = () => {
    fast ??= createNewlineCounter();
    return fast;
  };
  return {
    count(chunk) {
      if (chunk.length <= SMALL_BYTES) return countPlain(chunk, 0, chunk.length, 'byte');
      const { buffer, count } = counter();
      let lines = 0;
      for (let at = 0; at < chunk.length; at += COUNTER_BYTES) {
        const part = chunk.subarray(at, at + COUNTER_BYTES);
        buffer.set(part);
        lines += count(0, part.length, 'byte');
      }
      return lines;
    },
    countFile(fd, size) {
      const { buffer, count } = counter();
      let lines = 0;
      for (let at = 0; at < size; ) {
        const got = readSync(fd, buffer, 0, Math.min(COUNTER_BYTES, size - at), at);
        if (got === 0) break;
        lines += count(0, got, 'byte');
        at += got;
      }
      return lines;
    },
  };
}

// Stops storing before the disk is full: below `minFreeBytes` nothing more is written (CONTRACT 4).

/** Asking takes some microseconds, so ask once for this many bytes or milliseconds. */
const ASK_BYTES = 4 * MIB;
const ASK_MS = 1000;

interface SpaceGuard {
  /** Why `bytes` more must not be written; null if they may. */
  before(bytes: number): string | null;
}

/** `minFreeBytes` null: 1 GiB or 5 % of the disk, the smaller. `now` is in milliseconds. */
export function guardSpace(folder: string, minFreeBytes: number | null, now: () => number): SpaceGuard {
  let since = Number.POSITIVE_INFINITY;
  let asked = Number.NEGATIVE_INFINITY;
  let room = Number.POSITIVE_INFINITY;
  let answer: string | null = null;
  return {
    before(bytes) {
      const time = now();
      if (since + bytes > Math.min(ASK_BYTES, room) || time - asked > ASK_MS) {
        const space = look(folder, minFreeBytes);
        asked = time;
        since = 0;
        room = space === null ? Number.POSITIVE_INFINITY : space.room;
        answer = space !== null && space.room < bytes ? space.reason : null;
      }
      since += bytes;
      return answer;
    },
  };
}

/** How many bytes may be written, and the warning if none may. Null if the system does not say. */
function look(folder: string, minFreeBytes: number | null): { room: number; reason: string } | null {
  try {
    const { bavail, bsize, blocks } = statfsSync(folder);
    const keep = bytesToLeaveFree(blocks * bsize, minFreeBytes);
    if (keep === 0) return null;
    const free = bavail * bsize;
    return {
      room: free - keep,
      reason: `only ${Math.floor(free / MIB)} MiB are free on the disk (minFreeBytes is ${Math.ceil(keep / MIB)} MiB)`,
    };
  } catch {
    return null;
  }
}
