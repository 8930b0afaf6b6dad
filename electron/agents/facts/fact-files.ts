/**
 * Reads the files beside captures: small JSON files, and transcripts with a JSON value on each line. Reads a bounded
 * part of regular files only, and follows no link at the end of the path. Ignores unreadable files.
 */
import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isoTime } from '../../store/format/times.ts';
import type { Disk, DiskFile } from '../../workers/disk.ts';
import { Calls, field, parsed, text, timeMs } from './calls.ts';
import { type FileDescription, outcome, type UserFolders } from './described.ts';
import { Stores } from './stores.ts';

const MAX_JSON_BYTES = 4 * 1024 * 1024;
/** Read of a transcript that was not read before: its end. */
const MAX_FIRST_BYTES = 32 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;
/** A longer line is skipped. */
const MAX_LINE_BYTES = 8 * 1024 * 1024;
/** Transcripts whose calls are remembered. */
const MAX_TRANSCRIPTS = 200;
const MAX_JSON_FILES = 500;
const MAX_LOOKS = 500;
/** Don't read the same file again within this time. */
const FRESH_MS = 250;

/** Takes what one line of a transcript tells. */
export interface CallReader {
  /** A line without any of these texts is not parsed. */
  readonly marks: readonly string[];
  take(value: unknown, calls: Calls): void;
}

interface Transcript {
  calls: Calls;
  ino: number;
  /** Bytes that were read. */
  offset: number;
  /** The beginning of a line whose end has not come. */
  rest: Buffer[];
  restBytes: number;
  isSkipping: boolean;
  checkedAt: number;
  reading: Promise<void> | null;
}

export class FactFiles {
  readonly user: UserFolders;
  /** SQLite databases. */
  readonly stores: Stores;
  readonly #disk: Disk;
  readonly #transcripts = new Map<string, Transcript>();
  readonly #json = new Map<string, { stamp: string; value: unknown }>();
  readonly #listed = new Map<string, { at: number; names: string[] }>();

  constructor(user: UserFolders, disk: Disk) {
    this.user = user;
    this.#disk = disk;
    this.stores = new Stores(disk);
  }

  /** The value in a JSON file; null where there is none. */
  async json(path: string): Promise<unknown> {
    const text = await this.text(path);
    return text === null ? null : this.#parsed(path, text);
  }

  /** The text of a small file; null where there is none. */
  async text(path: string, most = MAX_JSON_BYTES): Promise<string | null> {
    return this.#withFile(path, async (file) => {
      if (file.stats.size > most) return null;
      return (await file.read(0, file.stats.size)).toString('utf8');
    });
  }

  /** Names in a folder; empty where there is none. */
  async names(folder: string): Promise<string[]> {
    const known = this.#listed.get(folder);
    if (known && performance.now() - known.at < FRESH_MS) return known.names;
    const entries = await this.#disk.entries(folder).catch(() => []);
    const names = entries.map(({ name }) => name);
    keep(this.#listed, folder, { at: performance.now(), names }, MAX_JSON_FILES);
    return names;
  }

  /** Paths in a folder whose names sort last, where names begin with a time. */
  async last(folder: string, count: number): Promise<string[]> {
    const names = [...(await this.names(folder))].sort();
    return names
      .slice(-count)
      .reverse()
      .map((name) => join(folder, name));
  }

  /** Paths in a folder, those last written to first. Looks at no more than `MAX_LOOKS`. */
  async newest(folder: string, ending: string, count: number): Promise<string[]> {
    const names = (await this.names(folder)).filter((name) => name.endsWith(ending)).slice(0, MAX_LOOKS);
    return this.lastWritten(
      names.map((name) => join(folder, name)),
      count,
    );
  }

  /** The paths that were last written to, the newest first. */
  async lastWritten(paths: readonly string[], count: number): Promise<string[]> {
    const times = await Promise.all(paths.map((path) => this.writtenAt(path)));
    const order = paths.map((path, at) => ({ path, ms: times[at] ?? 0 })).sort((a, b) => b.ms - a.ms);
    return order.slice(0, count).map(({ path }) => path);
  }

  /** Returns the calls in a transcript, additions included; null if the file does not exist. */
  async calls(path: string, reader: CallReader): Promise<Calls | null> {
    let known = this.#transcripts.get(path);
    if (known && performance.now() - known.checkedAt < FRESH_MS) {
      await known.reading;
      return known.calls;
    }
    known ??= fresh(0);
    const transcript = known;
    keep(this.#transcripts, path, transcript, MAX_TRANSCRIPTS);
    transcript.checkedAt = performance.now();
    transcript.reading ??= this.#withFile(path, (file) => readOn(transcript, file, reader))
      .then((done) => {
        if (done === null) this.#transcripts.delete(path);
      })
      .finally(() => {
        transcript.reading = null;
      });
    await transcript.reading;
    return this.#transcripts.has(path) ? transcript.calls : null;
  }

  /** When a file was last written, in milliseconds since the epoch; null if there is none. */
  async writtenAt(path: string): Promise<number | null> {
    const look = await this.#disk.stat(path).catch((error: Error) => error);
    return look instanceof Error ? null : look.mtimeMs;
  }

  async #withFile<T>(path: string, use: (file: DiskFile) => Promise<T>): Promise<T | null> {
    const file = await this.#disk.open(path).catch(() => null);
    try {
      return file && (await use(file));
    } catch {
      return null;
    } finally {
      file?.close();
    }
  }

  #parsed(path: string, text: string): unknown {
    const known = this.#json.get(path);
    if (known?.stamp === text) return known.value;
    const value = parsed(text);
    if (text.length < CHUNK_BYTES) keep(this.#json, path, { stamp: text, value }, MAX_JSON_FILES);
    return value;
  }
}

/** Returns the words of a shell of ours whose stdout is the file; null if none is known. */
export async function wordsOfWriter(path: string): Promise<string[] | null> {
  for (const pid of await readdir('/proc').catch(() => [])) {
    // A link's text: looking at the file may wait for a file system.
    if (!/^\d+$/.test(pid) || (await readlink(`/proc/${pid}/fd/1`).catch(() => null)) !== path) continue;
    const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
    if (words.some((word) => /^-\w*c$/.test(word))) return words.slice(0, -1);
  }
  return null;
}

/** Whether a process with that id runs here. */
export function processExists(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 1) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function readOn(known: Transcript, file: DiskFile, reader: CallReader): Promise<true> {
  const { stats } = file;
  if (stats.ino !== known.ino || stats.size < known.offset) {
    const offset = Math.max(0, stats.size - MAX_FIRST_BYTES);
    // From the middle of a line: that one is skipped.
    Object.assign(known, {
      ...fresh(offset),
      ino: stats.ino,
      isSkipping: offset > 0,
      checkedAt: known.checkedAt,
    });
  }
  while (known.offset < stats.size) {
    const chunk = await file.read(known.offset, Math.min(CHUNK_BYTES, stats.size - known.offset));
    if (chunk.length === 0) break;
    known.offset += chunk.length;
    takeLines(known, chunk, reader);
  }
  return true;
}

function takeLines(known: Transcript, chunk: Buffer, reader: CallReader): void {
  let start = 0;
  for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
    const line = Buffer.concat([...known.rest, chunk.subarray(start, end)]);
    if (!known.isSkipping) takeLine(line, known.calls, reader);
    known.rest = [];
    known.restBytes = 0;
    known.isSkipping = false;
    start = end + 1;
  }
  if (start === chunk.length) return;
  known.restBytes += chunk.length - start;
  if (known.restBytes > MAX_LINE_BYTES) known.isSkipping = true;
  if (known.isSkipping) known.rest = [];
  else known.rest.push(chunk.subarray(start));
}

function takeLine(line: Buffer, calls: Calls, reader: CallReader): void {
  if (!reader.marks.some((mark) => line.includes(mark))) return;
  const value = parsed(line.toString('utf8'));
  if (value !== null) reader.take(value, calls);
}

function fresh(offset: number): Transcript {
  return {
    calls: new Calls(),
    ino: -1,
    offset,
    rest: [],
    restBytes: 0,
    isSkipping: false,
    checkedAt: Number.NEGATIVE_INFINITY,
    reading: null,
  };
}

function keep<V>(map: Map<string, V>, key: string, value: V, most: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > most) map.delete(map.keys().next().value!);
}

// Reads facts of a command from the JSON that an agent keeps beside its output, whatever the agent calls them.

const RUNNING = new Set(['running', 'pending', 'active', 'in_progress', 'started']);
const STOPPED = new Set(['killed', 'cancelled', 'canceled', 'stopped', 'aborted', 'terminated']);

/** Returns the facts found; none for a value that is not an object. */
export function factsOf(value: unknown): FileDescription {
  const first = (...names: string[]) =>
    names.map((name) => field(value, name)).find((found) => found != null);
  const command = text(first('command', 'cmd', 'commandLine'));
  const cwd = text(first('cwd', 'directory', 'workingDirectory', 'workdir'));
  const started = timeMs(first('startedAt', 'started_at', 'startTime', 'start_time', 'createdAt'));
  const ended = timeMs(first('endedAt', 'ended_at', 'endTime', 'end_time', 'completedAt', 'finishedAt'));
  const exit = first('exitCode', 'exit_code');
  const pid = first('pid', 'processId');
  const truncated = first('truncated', 'outputTruncated');
  const word = text(first('status', 'state'))?.toLowerCase() ?? '';
  return {
    ...(command === null ? {} : { command }),
    ...(cwd === null ? {} : { cwd, project: cwd }),
    ...(started === null ? {} : { started_at: isoTime(started) }),
    ...(ended === null ? {} : { ended_at: isoTime(ended) }),
    ...(started === null || ended === null ? {} : { duration_ms: Math.max(0, ended - started) }),
    ...(typeof pid === 'number' && Number.isInteger(pid) ? { pid } : {}),
    ...(Number.isInteger(exit) ? outcome(exit as number) : statusOf(word, pid)),
    ...(typeof truncated === 'boolean' ? { truncated } : {}),
    ...(STOPPED.has(word) ? { status: 'cancelled' as const } : {}),
    ...(word === 'timed_out' || word === 'timeout' ? { status: 'timed_out' as const } : {}),
  };
}

function statusOf(word: string, pid: unknown): FileDescription {
  if (word === 'failed' || word === 'error') return { status: 'failed' };
  if (word === '' && typeof pid === 'number' && processExists(pid)) return { status: 'running' };
  if (!RUNNING.has(word)) return {};
  // An agent that was killed never says that its command ended.
  return { status: typeof pid === 'number' && !processExists(pid) ? 'interrupted' : 'running' };
}
