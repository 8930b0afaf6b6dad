/** Creates the files of a recording, or opens those of another process. Throws the system's errors. */
import { closeSync, existsSync, futimesSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { ContentType, Kind } from '../../../shared/artifact.ts';
import { END_SOME, SpillwayError } from '../../../shared/errors.ts';
import type { Settings } from '../../../shared/settings.ts';
import {
  commandStreamFile,
  DEFAULT_SESSION,
  newArtifactId,
  outputFile,
  recordFile,
  timesFile,
} from '../../store/format/names.ts';
import { SIGN_OF_LIFE_MS, thisProcess } from '../../store/format/owner.ts';
import {
  type CaptureRecord,
  MAX_ARGS_BYTES,
  madeIn,
  RECORD_VERSION,
  recordText,
} from '../../store/format/record.ts';
import { openSessionFolder } from '../../store/format/session.ts';
import { removeFile, replaceFile } from '../../store/format/small-file.ts';
import { encodeArrival, isoTime, TIMES_RECORD_BYTES } from '../../store/format/times.ts';
import type { Clock, RecordingClock } from './clock.ts';
import type { RecordedStreamName, StreamCounts } from './outcome.ts';
import type { InlineBudget } from './recorded-stream.ts';
import { guardSpace, type LineCounter, StreamFile, type StreamProgress } from './stream-file.ts';

export interface RecordingOptions {
  /** The prepared, private home; null to record nothing, for the reason in `unrecorded`. */
  home: string | null;
  unrecorded?: string | null;
  settings: Settings;
  session: string;
  kind: Exclude<Kind, 'file'>;
  label: string;
  command: string | null;
  args: readonly string[] | null;
  cwd: string | null;
  envNames: readonly string[] | null;
  /** `stdout` and `stderr` of a command on pipes, `output` of everything else. */
  streams: readonly RecordedStreamName[];
  /** The content type if known; else it is detected at the end. */
  contentType?: ContentType | undefined;
  /** A stream within its budget is folded into the record at the end; without a budget, no stream is. */
  budgets?: Partial<Record<RecordedStreamName, InlineBudget>>;
  /** The agent that ran the command. */
  agent?: { name: string; session: string | null } | null;
  /** Path of the file being copied. */
  origin?: string | null;
  /** The recorder ends with this command and passes SIGTERM on to it. */
  passesSignals?: boolean;
  /** A terminal's size in characters. */
  terminal?: { columns: number; rows: number } | null;
  clock?: RecordingClock;
}

/** Plain data with which another recorder process can continue. */
export interface LeftFiles {
  folder: string;
  record: CaptureRecord;
  progress: StreamProgress[];
  counts: StreamCounts[];
  settings: { maxStreamBytes: number; minFreeBytes: number | null };
}

export interface OpenFiles {
  folder: string;
  record: CaptureRecord;
  files: StreamFile[];
  arrivals: ArrivalLog;
  settings: Pick<Settings, 'maxStreamBytes' | 'minFreeBytes'>;
}

interface FileTools {
  lines: LineCounter;
  clock: Clock;
  counts: readonly StreamCounts[];
  onStop: (stream: string, reason: string) => void;
}

/** Tries to find a free id, and to make a folder again that was cleaned up. */
const ATTEMPTS = 20;

export function openFiles(options: RecordingOptions, home: string, tools: FileTools): OpenFiles {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return tryOpen(options, home, tools);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if ((code !== 'EEXIST' && code !== 'ENOENT') || attempt === ATTEMPTS) throw error;
    }
  }
}

export function reopenFiles(left: LeftFiles, tools: FileTools): OpenFiles {
  const { folder, settings, progress } = left;
  const record = { ...left.record, recorder: thisProcess() };
  const files = record.streams.map((stream, index) =>
    openStream(folder, index, stream.name, stream.file ?? '', settings, tools, progress[index]),
  );
  const arrivals = new ArrivalLog(folder, timesFile(record.artifact_id), true);
  replaceFile(join(folder, recordFile(record.artifact_id)), recordText(record));
  return { folder, record, files, arrivals, settings };
}

/** Closes all, and removes the files of streams that the record holds now. */
export function removeFiles(open: OpenFiles, folded: readonly boolean[]): void {
  closeFiles(open);
  if (folded.every(Boolean)) open.arrivals.remove();
  open.files.forEach((file, index) => {
    if (folded[index]) file.remove();
  });
}

/** May be called again. */
export function closeFiles({ files, arrivals }: OpenFiles): void {
  arrivals.close();
  for (const file of files) file.close();
}

function tryOpen(options: RecordingOptions, home: string, tools: FileTools): OpenFiles {
  const startedAt = new Date(tools.clock());
  const session = options.session || DEFAULT_SESSION;
  const folder = openSessionFolder(home, session, startedAt);
  const id = newArtifactId(options.kind, options.label, startedAt);
  const { maxStreamBytes, minFreeBytes } = options.settings;
  const settings = { maxStreamBytes, minFreeBytes };
  const files: StreamFile[] = [];
  let arrivals: ArrivalLog | null = null;
  try {
    for (const [index, name] of options.streams.entries())
      files.push(openStream(folder, index, name, fileOf(id, name, options), settings, tools));
    // Another capture has this id: its stream files were folded into its record.
    if (existsSync(join(folder, recordFile(id)))) throw Object.assign(new Error(), { code: 'EEXIST' });
    arrivals = new ArrivalLog(folder, timesFile(id), false);
    const record = firstRecord(options, session, id, startedAt, files);
    replaceFile(join(folder, recordFile(id)), recordText(record));
    return { folder, record, files, arrivals, settings };
  } catch (error) {
    arrivals?.close();
    arrivals?.remove();
    for (const file of files) {
      file.close();
      file.remove();
    }
    throw error;
  }
}

function openStream(
  folder: string,
  index: number,
  stream: RecordedStreamName,
  name: string,
  settings: OpenFiles['settings'],
  { lines, clock, counts, onStop }: FileTools,
  progress?: StreamProgress,
): StreamFile {
  const space = guardSpace(folder, settings.minFreeBytes, clock);
  const cap = settings.maxStreamBytes;
  return new StreamFile(
    { folder, name, cap, lines, space, counts: counts[index]!, onStop: (reason) => onStop(stream, reason) },
    progress,
  );
}

function fileOf(id: string, stream: RecordedStreamName, { kind, contentType }: RecordingOptions): string {
  if (stream !== 'output') return commandStreamFile(id, stream);
  return outputFile(id, kind === 'cmd' || kind === 'terminal' ? 'log' : (contentType ?? 'text'));
}

function firstRecord(
  options: RecordingOptions,
  session: string,
  id: string,
  startedAt: Date,
  files: readonly StreamFile[],
): CaptureRecord {
  const args = options.args && keptArgs(options.args);
  return {
    version: RECORD_VERSION,
    artifact_id: id,
    kind: options.kind,
    label: options.label,
    command: options.command,
    args: args && [...args],
    cwd: options.cwd,
    env_names: options.envNames === null ? null : [...options.envNames],
    session,
    agent: options.agent ?? null,
    origin: options.origin ?? madeIn(process.env),
    status: 'running',
    exit_code: null,
    signal: null,
    started_at: isoTime(startedAt),
    ended_at: null,
    duration_ms: null,
    warnings:
      args === options.args ? [] : [`Only the first ${MAX_ARGS_BYTES} bytes of the arguments were kept`],
    recorder: thisProcess(),
    stop: options.passesSignals ? 'recorder' : null,
    streams: options.streams.map((name, index) => ({
      name,
      file: files[index]!.name,
      folded: null,
      total_bytes: 0,
      total_lines: null,
      gap: null,
      content_type: options.contentType ?? 'unknown',
    })),
    times: null,
    terminal: options.terminal ?? null,
  };
}

/** Returns the arguments themselves, or as many as a record may hold. */
function keptArgs(args: readonly string[]): readonly string[] {
  if (JSON.stringify(args).length <= MAX_ARGS_BYTES) return args;
  const kept: string[] = [];
  let bytes = 0;
  for (const arg of args) {
    bytes += JSON.stringify(arg).length + 1;
    if (bytes > MAX_ARGS_BYTES) break;
    kept.push(arg);
  }
  return kept;
}

/** Returns a sentence: why nothing can be stored, and what to do. */
export function unwritable(error: unknown): string {
  if (error instanceof SpillwayError) return error.message;
  const { code, message, path } = error as NodeJS.ErrnoException;
  const todo = REMEDIES[code ?? ''] ?? 'check its permissions, or set SPILLWAY_HOME to another folder';
  return `${path ?? 'the home'} cannot be written (${code ?? message}): ${todo}`;
}

const MAKE_ROOM = 'make room on its disk, or set SPILLWAY_HOME to a place on another';
const REMEDIES: Record<string, string> = {
  ENOSPC: MAKE_ROOM,
  EDQUOT: MAKE_ROOM,
  EROFS: 'set SPILLWAY_HOME to a place on a disk that can be written to',
  EFBIG: 'raise the limit of a file’s size (ulimit -f)',
  EMFILE: END_SOME,
  ENFILE: END_SOME,
};

// Writes the times of arrival (store/format/times.ts) in batches: one record for each millisecond and stream. While
// nothing arrives, updates the file's own time now and then as a sign of life.

/** How far the file may lag behind. */
const LAG_MS = 50;
const BATCH_RECORDS = 256;

export class ArrivalLog {
  readonly name: string;
  #path: string;
  readonly #buffer = Buffer.alloc(BATCH_RECORDS * TIMES_RECORD_BYTES);
  #fd: number;
  #count = 0;
  #oldest = 0;
  #last = { time: -1, stream: -1 };
  #timer: NodeJS.Timeout | null = null;
  #broken = false;
  readonly #signs: NodeJS.Timeout;

  /** Throws the system's errors. With `goOn`, appends to an existing file. */
  constructor(folder: string, name: string, goOn: boolean) {
    this.name = name;
    this.#path = join(folder, name);
    this.#fd = openSync(this.#path, goOn ? 'a+' : 'wx+', 0o600);
    this.#signs = setInterval(() => this.#giveSign(), SIGN_OF_LIFE_MS).unref();
  }

  /** `time` in milliseconds since the epoch; `end` as in `Arrival`. Never throws. */
  add(time: number, stream: number, end: number): void {
    const whole = Math.floor(time);
    const sameRecord = this.#count > 0 && this.#last.time === whole && this.#last.stream === stream;
    if (!sameRecord) {
      if (this.#count === BATCH_RECORDS || (this.#count > 0 && whole - this.#oldest >= LAG_MS)) this.flush();
      if (this.#count === 0) this.#oldest = whole;
      this.#count += 1;
      this.#last = { time: whole, stream };
    }
    encodeArrival({ time: whole, stream, end }, this.#buffer, (this.#count - 1) * TIMES_RECORD_BYTES);
    this.#timer ??= setTimeout(() => this.flush(), LAG_MS).unref();
  }

  flush(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const length = this.#count * TIMES_RECORD_BYTES;
    this.#count = 0;
    try {
      for (let at = 0; at < length && !this.#broken; )
        at += writeSync(this.#fd, this.#buffer, at, length - at);
    } catch {
      // A partial record would shift all later ones.
      this.#broken = true;
    }
  }

  /** Reads all of them from the disk, after `close` too. Throws the system's errors. */
  read(): Buffer {
    this.flush();
    return readFileSync(this.#path);
  }

  movedTo(folder: string): void {
    this.#path = join(folder, this.name);
  }

  close(): void {
    clearInterval(this.#signs);
    this.flush();
    if (this.#fd >= 0) closeSync(this.#fd);
    this.#fd = -1;
  }

  remove(): void {
    removeFile(this.#path);
  }

  #giveSign(): void {
    try {
      const now = new Date();
      futimesSync(this.#fd, now, now);
    } catch {
      // The next sign of life or arrival makes up for it.
    }
  }
}
