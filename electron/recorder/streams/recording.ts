/**
 * Records one artifact: bytes, their times of arrival, and a record beside them. It never disturbs the command: nothing
 * here throws; bytes that cannot be stored are counted, and a warning says why.
 */
import { join } from 'node:path';
import type { Status } from '../../../shared/artifact.ts';
import { isoTime } from '../../store/format/times.ts';
import { machineClock, type RecordingClock, startClock, wallClock } from './clock.ts';
import type { LeftFiles, RecordingOptions } from './open-files.ts';
import { type CommandOutcome, type End, noCounts, type RecordedStreamName } from './outcome.ts';
import type { Sample } from './preview.ts';
import { type FinishedStream, type InlineBudget, RecordedStream } from './recorded-stream.ts';
import { RecordingFiles } from './recording-files.ts';

export interface Finished {
  artifactId: string | null;
  status: Status;
  startedAt: string;
  endedAt: string;
  /** Milliseconds. */
  durationMs: number;
  /** The outcome's warnings, and what was not stored and why. */
  warnings: string[];
  streams: FinishedStream[];
}

/** Plain data with which another process continues in the same files (`resumeRecording`). */
export interface HandOver extends LeftFiles {
  budgets: Partial<Record<RecordedStreamName, InlineBudget>>;
  /** The recording's time, and the machine's monotonic clock at that moment; milliseconds. */
  clock: { time: number; monotonic: number };
}

export interface Recording {
  /** Null if nothing is recorded; `problem` says why. */
  readonly artifactId: string | null;
  readonly problem: string | null;
  /** Why nothing is recorded, or what of it is not, so far. */
  readonly warnings: readonly string[];
  /** ISO 8601. */
  readonly startedAt: string;
  /** The session's folder, where the files are; null when nothing is recorded. */
  readonly folder: string | null;
  /** Records the command's process, which leads a process group, so that a person can stop it. */
  noteCommand(pid: number): void;
  /** Path of a stream's file; null if there is none. */
  filePath(stream: RecordedStreamName): string | null;
  /**
   * Lets a stream's file share the first `bytes` bytes of another file, if the file system can. If it returns true, the
   * file holds these bytes; write them next, so that they are counted.
   */
  clone(stream: RecordedStreamName, fd: number, bytes: number): Promise<boolean>;
  /** Takes the chunk before it returns: its memory may be used again. */
  write(stream: RecordedStreamName, chunk: Uint8Array): void;
  /** Bytes and line ends that arrived so far. */
  progress(stream: RecordedStreamName): { bytes: number; newlines: number };
  /** Returns the part of a stream that is in memory. */
  sample(stream: RecordedStreamName): Sample;
  /** Returns the bytes of `.times` so far; empty where they can't be read. */
  arrivals(): Buffer;
  /** The command has exited: its duration ends here, however long its failure takes to explain. */
  noteExit(): void;
  /** Writes the rest and the record; null keeps the recorded outcome. Call once. */
  finish(outcome: CommandOutcome | null): Promise<Finished>;
  /**
   * Like `finish`, while this process still records the output of background children: the outcome is already recorded.
   */
  soFar(outcome: CommandOutcome): Finished;
  /**
   * Like `finish`, while background children hold streams open: records the outcome and leaves later bytes to the
   * process that continues the recording. Null if nothing is recorded.
   */
  handOver(outcome: CommandOutcome): { finished: Finished; handOver: HandOver | null };
}

/** Never throws; errors are in `problem`. */
export function startRecording(options: RecordingOptions): Recording {
  const clock = options.clock ?? startClock();
  const start = clock();
  const { contentType = null, budgets = {} } = options;
  const cap = options.settings.maxStreamBytes;
  const counts = options.streams.map(noCounts);
  const streams = options.streams.map(
    (name, index) =>
      new RecordedStream({ name, contentType, budget: budgets[name] ?? null, cap, counts: counts[index]! }),
  );
  return new OneRecording(streams, new RecordingFiles(options, clock, counts), budgets, clock, start);
}

/** Continues where another process stopped. `now` is this machine's monotonic clock. Never throws. */
export function resumeRecording(left: HandOver, now = machineClock()): Recording {
  const passed = left.clock.time + (now - left.clock.monotonic);
  const clock = startClock(wallClock, machineClock, passed);
  const cap = left.settings.maxStreamBytes;
  const streams = left.record.streams.map(({ name, file }, index) => {
    const budget = left.budgets[name] ?? null;
    const resumed = new RecordedStream({ name, budget, cap, counts: left.counts[index]! });
    resumed.resume(file === null ? null : join(left.folder, file));
    return resumed;
  });
  const start = Date.parse(left.record.started_at);
  return new OneRecording(streams, new RecordingFiles(left, clock, left.counts), left.budgets, clock, start);
}

class OneRecording implements Recording {
  readonly startedAt: string;
  readonly #clock: RecordingClock;
  /** Start time of the monotonic clock. */
  readonly #begun: number;
  readonly #streams: RecordedStream[];
  readonly #files: RecordingFiles;
  readonly #budgets: HandOver['budgets'];
  #exit: End | null = null;

  constructor(
    streams: RecordedStream[],
    files: RecordingFiles,
    budgets: HandOver['budgets'],
    clock: RecordingClock,
    start: number,
  ) {
    this.#streams = streams;
    this.#files = files;
    this.#budgets = budgets;
    this.#clock = clock;
    this.#begun = clock.monotonic() - (clock() - start);
    this.startedAt = isoTime(start);
  }

  get artifactId(): string | null {
    return this.#files.artifactId;
  }

  get problem(): string | null {
    return this.#files.problem;
  }

  get warnings(): readonly string[] {
    return this.problem === null ? this.#files.warnings : [this.problem, ...this.#files.warnings];
  }

  get folder(): string | null {
    return this.#files.folder;
  }

  noteCommand(pid: number): void {
    this.#files.noteCommand(pid);
  }

  filePath(stream: RecordedStreamName): string | null {
    return this.#files.path(this.#index(stream));
  }

  clone(stream: RecordedStreamName, fd: number, bytes: number): Promise<boolean> {
    return this.#files.clone(this.#index(stream), fd, bytes);
  }

  write(stream: RecordedStreamName, chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    const index = this.#index(stream);
    this.#files.write(index, chunk);
    this.#streams[index]!.push(chunk);
  }

  progress(stream: RecordedStreamName): { bytes: number; newlines: number } {
    const { bytes, newlines } = this.#streams[this.#index(stream)]!.counts;
    return { bytes, newlines };
  }

  sample(stream: RecordedStreamName): Sample {
    return this.#streams[this.#index(stream)]!.sample();
  }

  arrivals(): Buffer {
    return this.#files.arrivals();
  }

  noteExit(): void {
    this.#exit = this.#now();
  }

  async finish(outcome: CommandOutcome | null): Promise<Finished> {
    const end = this.#end();
    this.#files.finish(this.#streams, outcome, end);
    return this.#finished(outcome, end);
  }

  soFar(outcome: CommandOutcome): Finished {
    const end = this.#end();
    this.#files.note(this.#streams, outcome, end);
    return this.#finished(outcome, end);
  }

  handOver(outcome: CommandOutcome): { finished: Finished; handOver: HandOver | null } {
    const end = this.#end();
    const left = this.#files.leave(this.#streams, outcome, end);
    const clock = { time: this.#clock(), monotonic: machineClock() };
    const handOver = left === null ? null : { ...left, budgets: this.#budgets, clock };
    return { finished: this.#finished(outcome, end), handOver };
  }

  #end(): End {
    return this.#exit ?? this.#now();
  }

  #now(): End {
    const durationMs = Math.max(0, Math.round(this.#clock.monotonic() - this.#begun));
    return { at: isoTime(this.#clock()), durationMs };
  }

  #finished(outcome: CommandOutcome | null, end: End): Finished {
    return {
      artifactId: this.artifactId,
      status: outcome?.status ?? 'finished',
      startedAt: this.startedAt,
      endedAt: end.at,
      durationMs: end.durationMs,
      warnings: [...(outcome?.warnings ?? []), ...this.#files.warnings],
      streams: this.#streams.map((stream, index) => this.#files.facts(stream, index)),
    };
  }

  #index(name: RecordedStreamName): number {
    const index = this.#streams.findIndex((stream) => stream.name === name);
    if (index < 0) throw new Error(`this recording has no stream ${name}`);
    return index;
  }
}
