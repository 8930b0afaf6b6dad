/** The files of one recording: the record, a file for each stream, the times of arrival. Never throws. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { formatCount } from '../../../shared/text/format.ts';
import { realPathSync } from '../../reader/bytes/path-text.ts';
import { recordFile } from '../../store/format/names.ts';
import { ownerOf } from '../../store/format/owner.ts';
import {
  type CaptureRecord,
  type Gap,
  MAX_FOLDED_BYTES,
  recordText,
  type StreamRecord,
} from '../../store/format/record.ts';
import { replaceFile } from '../../store/format/small-file.ts';
import { childrenOf, descriptorsOn, programName } from '../../store/openers.ts';
import type { Clock } from './clock.ts';
import {
  closeFiles,
  type LeftFiles,
  type OpenFiles,
  openFiles,
  type RecordingOptions,
  removeFiles,
  reopenFiles,
  unwritable,
} from './open-files.ts';
import {
  addToCounts,
  type CommandOutcome,
  concluded,
  type End,
  type StreamCounts,
  withGap,
} from './outcome.ts';
import type { FinishedStream, RecordedStream } from './recorded-stream.ts';
import { createLineCounter, type LineCounter } from './stream-file.ts';

/** Milliseconds between two checks that the files still exist. */
const CHECK_MS = 1000;
/** Freed on a full disk so that the record can be written. */
const ROOM_BYTES = 64 * 1024;

export class RecordingFiles {
  readonly warnings: string[] = [];
  readonly problem: string | null;
  readonly #clock: Clock;
  readonly #counts: readonly StreamCounts[];
  readonly #lines: LineCounter = createLineCounter();
  readonly #selfReader = new SelfReader();
  #open: OpenFiles | null = null;
  /** The warning for each stream whose storing was stopped. */
  readonly #stops = new Map<string, string>();
  /** Number of warnings already in the record. */
  #noted = 0;
  #checkedAt: number;
  /** Sizes of files that other programs have changed, by their index. */
  readonly #changes = new Map<number, number>();
  /** For want of room on the disk, a record could not be written. */
  #isFull = false;
  /** The last record could not be written. */
  #isUnfinished = false;

  /** `counts`: each stream's counts so far. */
  constructor(from: RecordingOptions | LeftFiles, clock: Clock, counts: readonly StreamCounts[]) {
    this.#clock = clock;
    this.#counts = counts;
    this.#checkedAt = clock();
    const onStop = (name: string, why: string) => this.#stopped(name, why);
    const tools = { lines: this.#lines, clock, counts, onStop };
    let problem: string | null = null;
    try {
      if ('folder' in from) this.#open = reopenFiles(from, tools);
      else if (from.home === null) problem = from.unrecorded ?? 'there is no home';
      else this.#open = openFiles(from, from.home, tools);
    } catch (error) {
      problem = unwritable(error);
    }
    this.problem = problem;
  }

  get artifactId(): string | null {
    return this.#open?.record.artifact_id ?? null;
  }

  get folder(): string | null {
    return this.#open?.folder ?? null;
  }

  path(index: number): string | null {
    const file = this.#open?.record.streams[index]?.file ?? null;
    return this.#open === null || file === null ? null : join(this.#open.folder, file);
  }

  /** Records the command's process, which leads a process group. */
  noteCommand(pid: number): void {
    if (this.#open) this.#write({ ...this.#open.record, stop: ownerOf(pid) });
  }

  /** Fills a stream's file by a clone of the first `bytes` bytes of another file. */
  async clone(index: number, fd: number, bytes: number): Promise<boolean> {
    const file = this.#open?.files[index];
    return file !== undefined && (await file.clone(fd, bytes));
  }

  /** Stores the chunk, if the recording has files, and counts it. */
  write(index: number, chunk: Uint8Array): void {
    const open = this.#open;
    const counts = this.#counts[index]!;
    if (open === null) {
      addToCounts(counts, chunk, this.#lines.count(chunk));
      return;
    }
    const file = open.files[index]!;
    const time = this.#clock();
    file.write(chunk);
    open.arrivals.add(time, index, counts.bytes);
    if (time - this.#checkedAt >= CHECK_MS) {
      this.#checkedAt = time;
      if (file.isGone() && open.files.every((one) => one.isGone())) this.#giveUp(DELETED);
    }
    if (this.#open !== null && this.#selfReader.isDue(counts.bytes)) this.#stopLoop(this.#open, index);
  }

  arrivals(): Buffer {
    try {
      return this.#open?.arrivals.read() ?? Buffer.alloc(0);
    } catch {
      return Buffer.alloc(0);
    }
  }

  /** Writes the final record. Without an outcome, it keeps the one it has. */
  finish(streams: readonly RecordedStream[], outcome: CommandOutcome | null, end: End): void {
    const open = this.#stillThere();
    if (open === null) return;
    try {
      this.#finish(open, streams, outcome, end);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      this.warnings.push(`its files could not be finished (${code ?? message})`);
    } finally {
      closeFiles(open);
    }
  }

  #finish(
    open: OpenFiles,
    streams: readonly RecordedStream[],
    outcome: CommandOutcome | null,
    end: End,
  ): void {
    // Its descriptor may be the last one, which the steps below need.
    open.arrivals.close();
    const folded = streams.map((stream) => stream.isInline && stream.counts.bytes <= MAX_FOLDED_BYTES);
    const gaps = open.files.map((file, index) =>
      folded[index] ? null : file.end((gap) => this.#write(withGap(open.record, index, gap))),
    );
    const record = concluded(open.record, outcome, end);
    record.recorder = null;
    this.#noteChanges(open, folded);
    record.streams = streams.map((stream, index) =>
      this.#streamRecord(stream, open, index, folded[index]!, gaps[index]!),
    );
    record.times = folded.every(Boolean) ? open.arrivals.read().toString('base64') : null;
    this.#takeBack(streams.filter((_, index) => folded[index]));
    record.warnings = [...record.warnings, ...this.warnings.slice(this.#noted)];
    if (!this.#writeFinal(record, open, streams)) {
      this.#isUnfinished = true;
      open.record = record;
      return;
    }
    // Remove the files only after the record holds their bytes.
    removeFiles(open, folded);
  }

  /** Records the outcome while streams are still open. */
  note(streams: readonly RecordedStream[], outcome: CommandOutcome, end: End): OpenFiles | null {
    const open = this.#stillThere();
    if (open === null) return null;
    open.arrivals.flush();
    const record = concluded(open.record, outcome, end);
    this.#noteChanges(open);
    record.streams = streams.map((stream, index) => this.#streamRecord(stream, open, index, false, null));
    record.warnings = [...record.warnings, ...this.warnings];
    this.#noted = this.warnings.length;
    this.#write(record);
    open.record = record;
    return open;
  }

  /** The same, and leaves the files to another process that continues. */
  leave(streams: readonly RecordedStream[], outcome: CommandOutcome, end: End): LeftFiles | null {
    const open = this.note(streams, outcome, end);
    if (open === null) return null;
    const progress = open.files.map((file) => file.progress);
    closeFiles(open);
    const { folder, record, settings } = open;
    return { folder, record, progress, counts: [...this.#counts], settings };
  }

  facts(stream: RecordedStream, index: number): FinishedStream {
    const stored = this.#open?.record.streams[index];
    return {
      name: stream.name,
      file_path: this.path(index),
      total_lines: stream.totalLines,
      total_bytes: stored?.total_bytes ?? stream.counts.bytes,
      dropped_bytes: stored?.gap?.bytes ?? 0,
      whole: this.#isWhole(stream, index),
      content_type: stream.contentType,
      spilled: stream.budget !== null && !stream.isInline,
      sample: stream.sample(),
    };
  }

  /** While a stream is recorded, everything after its head is in segments, up to the cap. */
  #isWhole({ counts }: RecordedStream, index: number): boolean {
    const open = this.#open;
    if (open === null || this.#isUnfinished || this.#changes.has(index)) return false;
    const { record, settings } = open;
    if (record.streams[index]!.total_bytes === counts.bytes) return true;
    const { stopped } = open.files[index]!.progress;
    const isWithinCap = settings.maxStreamBytes === 0 || counts.bytes <= settings.maxStreamBytes;
    return record.recorder !== null && !stopped && isWithinCap;
  }

  /** Replaces the record. Returns false, and adds a warning, on failure. */
  #write(record: CaptureRecord): boolean {
    const open = this.#open;
    if (open === null) return false;
    try {
      replaceFile(join(open.folder, recordFile(record.artifact_id)), recordText(record));
      open.record = record;
      return true;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      this.#isFull = code === 'ENOSPC' || code === 'EDQUOT';
      const why = `its record could not be written (${code ?? message})`;
      this.warnings.push(`${why}: what was stored is in ${open.folder}`);
      return false;
    }
  }

  #writeFinal(record: CaptureRecord, open: OpenFiles, streams: readonly RecordedStream[]): boolean {
    const before = this.warnings.length;
    if (this.#write(record)) return true;
    if (!this.#isFull) return false;
    // Free a few stored bytes to have room for the record.
    const largest = open.files
      .map((file, index) => ({ file, index }))
      .sort((a, b) => b.file.progress.stored - a.file.progress.stored)[0]!;
    if (!largest.file.shrink(ROOM_BYTES)) return false;
    const { index, file } = largest;
    const isFolded = record.streams[index]!.folded !== null;
    const gap = isFolded ? null : file.missingEnd();
    const shorter = {
      ...record,
      streams: record.streams.with(index, this.#streamRecord(streams[index]!, open, index, isFolded, gap)),
    };
    if (!this.#write(shorter)) return false;
    this.warnings.length = before;
    return true;
  }

  /** Follows files that were moved. Null if they, or the record alone, were deleted. */
  #stillThere(): OpenFiles | null {
    const open = this.#open;
    if (open === null) return null;
    const name = recordFile(open.record.artifact_id);
    // What can't be looked at may be there.
    if (!isMissing(join(open.folder, name))) return open;
    const folder = open.files.map((file) => file.folderNow()).find((found) => found !== null) ?? null;
    if (open.files.every((file) => file.isGone())) this.#giveUp(DELETED);
    else if (folder !== null && !isMissing(join(folder, name))) {
      open.folder = folder;
      for (const file of [...open.files, open.arrivals]) file.movedTo(folder);
      this.warnings.push(`its folder was moved while it was recorded: it is ${folder} now`);
    } else
      this.#giveUp(
        `its record was deleted while it was recorded: files are left in ${folder ?? open.folder}`,
      );
    return this.#open;
  }

  /** Stops recording after its record was deleted; doesn't create it again. */
  #giveUp(why: string): void {
    const open = this.#open;
    if (open === null) return;
    this.#open = null;
    closeFiles(open);
    this.warnings.push(why);
  }

  /** Looks whether the files hold what was stored. What is in the record does not depend on them. */
  #noteChanges({ files, record }: OpenFiles, folded: readonly boolean[] = []): void {
    files.forEach((file, index) => {
      const size = folded[index] ? null : file.changed;
      if (size === null) return;
      const isKnown = this.#changes.has(index);
      this.#changes.set(index, size);
      const missing = file.progress.stored - size;
      const what = file.isGone()
        ? 'was deleted'
        : missing > 0
          ? `was cut short by another program: ${formatCount(missing)} bytes are missing`
          : 'was written by another program, too';
      if (!isKnown) this.warnings.push(`the file of ${record.streams[index]!.name} ${what}`);
    });
  }

  /** Removes warnings about folded streams, which are whole in the record though their files are not. */
  #takeBack(folded: readonly RecordedStream[]): void {
    for (const { name } of folded) {
      const at = this.warnings.indexOf(this.#stops.get(name) ?? '', this.#noted);
      if (at >= 0) this.warnings.splice(at, 1);
    }
  }

  /** Stops storing a stream that the command itself reads, which would fill the disk, and records a warning at once. */
  #stopLoop({ record, files }: OpenFiles, index: number): void {
    const { stopped } = files[index]!.progress;
    const reason = stopped ? null : this.#selfReader.reason(record, this.path(index));
    if (reason === null) return;
    files[index]!.stop();
    this.#stopped(record.streams[index]!.name, reason);
    const warnings = [...record.warnings, ...this.warnings.slice(this.#noted)];
    if (this.#write({ ...record, warnings })) this.#noted = this.warnings.length;
  }

  #stopped(name: string, reason: string): void {
    const warning = `${name} is not stored from some point on: ${reason}`;
    this.#stops.set(name, warning);
    this.warnings.push(warning);
  }

  #streamRecord(
    stream: RecordedStream,
    open: OpenFiles,
    index: number,
    folded: boolean,
    gap: Gap | null,
  ): StreamRecord {
    const file = open.files[index]!;
    const changed = this.#changes.get(index) ?? null;
    return {
      name: stream.name,
      file: folded || (changed !== null && file.isGone()) ? null : file.name,
      folded: folded ? stream.head().toString('base64') : null,
      total_bytes: folded ? stream.counts.bytes : (changed ?? file.progress.stored),
      total_lines: changed === null ? stream.totalLines : null,
      // Nobody knows where in a changed file it would be.
      gap: changed === null ? gap : null,
      content_type: stream.contentType,
    };
  }
}

const DELETED = 'its files were deleted while it was recorded: nothing of it is kept';

/** False for what can't be looked at: it may be there. */
function isMissing(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOTDIR';
  }
}

/** Checks a recording of this size, and again whenever it has doubled, as a check takes milliseconds. */
const FIRST_LOOK_BYTES = 8 * 1024 * 1024;
const MAX_PROCESSES = 1000;

/**
 * Detects a command that reads its own recording, such as `tail -f` on it: it would print each line it reads again,
 * until the disk is full. Linux only: other systems don't say which processes have a file open.
 */
class SelfReader {
  #nextBytes = FIRST_LOOK_BYTES;

  /**
   * Decides by size, not by time, as `tail -f` fills a gigabyte in seconds.
   *
   * @param bytes of the stream so far
   */
  isDue(bytes: number): boolean {
    if (bytes < this.#nextBytes) return false;
    this.#nextBytes = bytes * 2;
    return true;
  }

  /** Returns why storing a stream must stop, as the end of a sentence; null if it may continue. */
  reason({ kind, stop }: CaptureRecord, path: string | null): string | null {
    // In a terminal, a person may look at its own recording.
    if (process.platform !== 'linux' || kind !== 'cmd' || path === null) return null;
    const command = stop === null || stop === 'recorder' ? process.pid : stop.pid;
    const pid = readerBelow(command, realPathSync(path));
    if (pid === null) return null;
    return `process ${pid} (${programName(pid)}) reads this recording and prints it again`;
  }
}

/** Returns the id of `root` or of a descendant that has the file open for reading; null if none has. */
function readerBelow(root: number, path: string): number | null {
  const pids = root === process.pid ? childrenOf(root) : [root];
  for (let at = 0; at < pids.length && at < MAX_PROCESSES; at += 1) {
    const pid = pids[at]!;
    if (descriptorsOn(path, pid).some(({ reads }) => reads)) return pid;
    pids.push(...childrenOf(pid));
  }
  return null;
}
