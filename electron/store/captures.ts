/**
 * Keeps Spillway's own captures up to date with the disk. Reads each record once, and again when it was replaced.
 * `refresh` costs one lstat for each session's folder and one look at each running capture.
 */
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { type Artifact, CAPTURES_SOURCE, type Stream } from '../../shared/artifact.ts';
import {
  type CaptureEntry,
  type FileNames,
  isFresh,
  isOpen,
  readEntry,
  shownLabel,
  stampOf,
} from './format/entry.ts';
import type { KnownRecord } from './format/folder.ts';
import { idOfRecordFile, recordFile } from './format/names.ts';
import { entryNames, isFolder, lstatOrNull, sandboxOf, sessionPaths, takeTurns } from './format/places.ts';
import type { CaptureRecord } from './format/record.ts';
import { mend, needsMending } from './mend.ts';

interface CapturesOptions {
  home: string;
  readonly retentionHours: number;
  /** Called for each new or changed capture; `onRemove` for each removed one. */
  onPut(artifact: Artifact): void;
  onRemove(id: string): void;
}

/** The end of an id: `2026-01-13T10-30-00-abc123`, and of that the time. */
const STAMP_AND_HASH_CHARS = 26;
const STAMP_CHARS = 19;

interface SessionState {
  /** Changes when a record is made, replaced or removed; null if the folder must always be read. */
  mtimeMs: number | null;
  ids: Set<string>;
}

export class Captures {
  readonly #options: CapturesOptions;
  readonly #sessions = new Map<string, SessionState>();
  readonly #entries = new Map<string, CaptureEntry>();
  readonly #running = new Set<string>();
  /** Line counts found by reading, by id and stream, each valid for one size of the stream. */
  readonly #lines = new Map<string, { bytes: number; lines: number }>();
  #refreshing: Promise<void> | null = null;
  /** Every capture on disk was read at least once. */
  #isComplete = false;
  /** Real path of the home; null until it exists. */
  #home: string | null = null;

  constructor(options: CapturesOptions) {
    this.#options = options;
  }

  /** Real path of the home. */
  get home(): string {
    this.#home ??= realOrNull(this.#options.home);
    return this.#home ?? this.#options.home;
  }

  /** Paths of the session folders found so far. */
  get sessionFolders(): string[] {
    return [...this.#sessions.keys()];
  }

  /** Resolves when every capture that was on disk at the call is known. */
  async refresh(): Promise<void> {
    if (this.#refreshing) await this.#refreshing;
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = null;
    });
    return this.#refreshing;
  }

  /**
   * Resolves when the `count` newest captures are known, with true when all are. Reads only as many records as it
   * needs: ids tell when each capture began. `known` records were read just before.
   */
  async newest(count: number, known = 0): Promise<boolean> {
    if (this.#isComplete) {
      await this.refresh();
      return true;
    }
    const found: { folder: string; id: string; began: string }[] = [];
    for (const folder of sessionPaths(this.home)) {
      if (!isFolder(folder)) continue;
      for (const name of entryNames(folder)) {
        const id = idOfRecordFile(name);
        if (id !== null) found.push({ folder, id, began: id.slice(-STAMP_AND_HASH_CHARS) });
      }
    }
    found.sort((a, b) => (a.began < b.began ? 1 : -1));
    if (found.length <= count) {
      await this.refresh();
      return true;
    }
    const turn = takeTurns();
    const last = found[count - 1]?.began.slice(0, STAMP_CHARS) ?? '';
    for (const { folder, id, began } of found.slice(known)) {
      // Ids tell seconds: read all of the last one's.
      if (began.slice(0, STAMP_CHARS) < last) break;
      this.load(folder, id);
      await turn();
    }
    return false;
  }

  /** Returns the current state of one capture, without reading the others; null if no capture has the id. */
  find(id: string): CaptureEntry | null {
    const folder = this.#entries.get(id)?.folder ?? this.#folderOf(id);
    return folder === null ? null : this.load(folder, id);
  }

  /** `find` for a capture whose session folder is known. */
  load(folder: string, id: string, names?: FileNames): CaptureEntry | null {
    const known = this.#entries.get(id);
    let entry = readEntry(folder, id, known, names);
    if (entry && needsMending(entry)) entry = mend(entry);
    if (entry === known) return entry;
    if (entry) this.#put(entry);
    else if (known?.folder === folder) this.#remove(id);
    return entry;
  }

  /** Returns the cached record, as long as its file is unchanged. */
  readonly knownRecord: KnownRecord = (folder, id, { ino, bytes, mtimeMs }) => {
    const entry = this.#entries.get(id);
    if (!entry || entry.folder !== folder || entry.fresh || entry.problem !== null) return null;
    return entry.stamp === stampOf({ ino, size: bytes, mtimeMs }) ? entry.record : null;
  };

  artifactOf(entry: CaptureEntry): Artifact {
    return toArtifact(entry, {
      retentionHours: this.#options.retentionHours,
      lines: (stream, bytes) => {
        const counted = this.#lines.get(`${entry.id}/${stream}`);
        return counted?.bytes === bytes ? counted.lines : null;
      },
    });
  }

  /** Remembers how many lines a stream of `bytes` bytes has; forgotten when its size changes. */
  learn(id: string, stream: string, bytes: number, lines: number): void {
    const entry = this.#entries.get(id);
    const key = `${id}/${stream}`;
    const known = this.#lines.get(key);
    if (!entry || (known?.bytes === bytes && known.lines === lines)) return;
    if (entry.record.streams.find(({ name }) => name === stream)?.total_lines != null) return;
    this.#lines.set(key, { bytes, lines });
    this.#options.onPut(this.artifactOf(entry));
  }

  /** Reads every capture of a session folder, and drops deleted ones. */
  async readSession(folder: string, turn: () => Promise<void> = takeTurns()): Promise<void> {
    const stats = lstatOrNull(folder);
    const before = this.#sessions.get(folder)?.ids ?? new Set<string>();
    const names = stats?.isDirectory() ? new Set(entryNames(folder)) : new Set<string>();
    const ids = new Set<string>();
    for (const name of names) {
      const id = idOfRecordFile(name);
      if (id === null) continue;
      // Two sessions hold the same id: keep the one found first, unless a sandbox gave it that id.
      const known = this.#entries.get(id);
      if (known && known.folder !== folder && !isOverruled(known.folder, folder)) continue;
      if (this.load(folder, id, names)) ids.add(id);
      await turn();
    }
    for (const id of before) if (!ids.has(id)) this.#remove(id, folder);
    if (stats?.isDirectory())
      this.#sessions.set(folder, { mtimeMs: isFresh(stats) ? null : stats.mtimeMs, ids });
    else this.#sessions.delete(folder);
  }

  /** Updates running captures: how much output has come, and whether the recorder still lives. */
  refreshRunning(): void {
    for (const id of this.#running) {
      const folder = this.#entries.get(id)?.folder;
      if (folder) this.load(folder, id);
    }
  }

  async #refresh(): Promise<void> {
    const turn = takeTurns();
    for (const folder of new Set([...sessionPaths(this.home), ...this.#sessions.keys()])) {
      const stats = lstatOrNull(folder);
      const known = this.#sessions.get(folder);
      if (!known && !stats?.isDirectory()) continue;
      if (!known || !stats || known.mtimeMs !== stats.mtimeMs) await this.readSession(folder, turn);
      await turn();
    }
    this.refreshRunning();
    this.#isComplete = true;
  }

  #folderOf(id: string): string | null {
    const has = (folder: string) => lstatOrNull(join(folder, recordFile(id))) && isFolder(folder);
    return sessionPaths(this.home).find(has) ?? null;
  }

  #put(entry: CaptureEntry): void {
    this.#entries.set(entry.id, entry);
    if (isOpen(entry.record)) this.#running.add(entry.id);
    else this.#running.delete(entry.id);
    this.#options.onPut(this.artifactOf(entry));
  }

  #remove(id: string, folder?: string): void {
    const known = this.#entries.get(id);
    if (!known || (folder !== undefined && known.folder !== folder)) return;
    this.#entries.delete(id);
    this.#running.delete(id);
    for (const { name } of known.record.streams) this.#lines.delete(`${id}/${name}`);
    this.#options.onRemove(id);
  }
}

/** A capture of ours goes before one that a sandbox's commands may have made up with its id. */
function isOverruled(known: string, other: string): boolean {
  return sandboxOf(known) !== null && sandboxOf(other) === null;
}

function realOrNull(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

const HOUR_MS = 3_600_000;

interface ToArtifactOptions {
  retentionHours: number;
  /** Returns the line count of a stream that was read, when its record has none. */
  lines?: (stream: string, bytes: number) => number | null;
}

/** A recorder that died has not seen the command's end. */
function isEndKnown({ status, duration_ms }: CaptureRecord): boolean {
  return status !== 'interrupted' || duration_ms !== null;
}

/** Turns a capture on disk into the artifact that views show (CONTRACT 5). */
function toArtifact(entry: CaptureEntry, { retentionHours, lines }: ToArtifactOptions): Artifact {
  const { record, pinned, problem } = entry;
  const ended = record.ended_at === null ? Number.NaN : Date.parse(record.ended_at);
  const stays = pinned || record.status === 'running' || Number.isNaN(ended);
  return {
    artifact_id: entry.id,
    kind: record.kind,
    label: shownLabel(entry),
    command: record.command,
    args: record.args,
    cwd: record.cwd,
    env_names: record.env_names,
    session: record.session === '' ? null : record.session,
    source: CAPTURES_SOURCE,
    origin: record.origin,
    agent: record.agent && { ...record.agent, project: record.cwd, pid: null, truncated: null },
    status: record.status,
    exit_code: record.exit_code,
    signal: record.signal,
    started_at: record.started_at,
    ended_at: isEndKnown(record) ? record.ended_at : null,
    duration_ms: record.duration_ms,
    pinned,
    expires_at: stays ? null : dateOrNull(ended + retentionHours * HOUR_MS),
    cause: record.cause ?? null,
    warnings: problem === null ? record.warnings : [...record.warnings, sentence(problem)],
    streams: record.streams.map((stream, i): Stream => {
      const { path, bytes } = entry.streams[i]!;
      return {
        name: stream.name,
        file_path: path,
        total_lines: stream.total_lines ?? lines?.(stream.name, bytes) ?? null,
        total_bytes: bytes,
        dropped_bytes: stream.gap?.bytes ?? 0,
        content_type: stream.content_type,
      };
    }),
  };
}

/** Null past the last date JavaScript has, as with a retention of many years. */
function dateOrNull(ms: number): string | null {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

function sentence(problem: string): string {
  return `${problem.charAt(0).toUpperCase()}${problem.slice(1)}: shown is what its files tell`;
}
