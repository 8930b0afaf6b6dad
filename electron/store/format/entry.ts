/** Reads one capture from disk: its record (or a stand-in for a damaged one), and what its files hold now. */
import type { Stats } from 'node:fs';
import { join } from 'node:path';
import type { Kind } from '../../../shared/artifact.ts';
import { isTerminalId } from '../../../shared/artifact-names.ts';
import { believed, believedSession, foreignIn, pinPath } from './folder.ts';
import { commandStreamFile, nameFile, outputFile, pinFile, recordFile, SESSION_RECORD } from './names.ts';
import { lstatOrNull, sandboxOf } from './places.ts';
import {
  type CaptureRecord,
  parseRecord,
  RECORD_VERSION,
  type StreamRecord,
  unreadableRecord,
} from './record.ts';
import { parseSession } from './session.ts';
import { MAX_SMALL_BYTES, readOwn } from './small-file.ts';

export interface CaptureEntry {
  id: string;
  /** Path of the session's folder. */
  folder: string;
  /**
   * Without folded bytes (`fullRecord` has them), as ten thousand of these are kept in memory. Derived from the id
   * and the files when the record can't be read.
   */
  record: CaptureRecord;
  /** Why the record on disk was not used, as a sentence; null when it was. */
  problem: string | null;
  pinned: boolean;
  /** A terminal's name in its editor, from a file of its own; else null. */
  name: string | null;
  streams: readonly StoredFile[];
  /** Changes whenever the record does. */
  stamp: string;
  /** Written so recently that the next version could have the same stamp. */
  fresh: boolean;
}

/** A stream's file beside the record. */
interface StoredFile {
  /** Null when the stream was folded into the record, or nothing was stored. */
  path: string | null;
  /** Size of the stored stream, before compression. */
  bytes: number;
}

/** Names of the files in the folder, when known: saves an lstat for each. */
export type FileNames = ReadonlySet<string>;

/** Returns the capture, or null when the folder has no record of it. Returns `known` itself when nothing changed. */
export function readEntry(
  folder: string,
  id: string,
  known?: CaptureEntry,
  names?: FileNames,
): CaptureEntry | null {
  const stats = lstatOrNull(join(folder, recordFile(id)));
  if (!stats) return null;
  const stamp = stampOf(stats);
  const same = known && known.stamp === stamp && !known.fresh ? known : null;
  const { record, problem } = same ?? readRecord(folder, id, stats);
  const pinned = isPinned(folder, id, names);
  const name = givenName(folder, id, names);
  const streams = record.streams.map((stream) =>
    storedFile(folder, stream, isOpen(record) || problem !== null, names),
  );
  if (same && same.pinned === pinned && same.name === name && sameFiles(same.streams, streams)) return same;
  return { id, folder, record, problem, pinned, name, streams, stamp, fresh: isFresh(stats) };
}

function isPinned(folder: string, id: string, names: FileNames | undefined): boolean {
  return sandboxOf(folder) === null
    ? has(folder, pinFile(id), names)
    : lstatOrNull(pinPath(folder, id)) !== null;
}

/** As people know it. */
export function shownLabel({ name, record }: Pick<CaptureEntry, 'name' | 'record'>): string {
  return name ?? record.label;
}

/** Bytes of a name; a longer one is none. */
const MAX_NAME_BYTES = 1024;

function givenName(folder: string, id: string, names: FileNames | undefined): string | null {
  if (!isTerminalId(id) || names?.has(nameFile(id)) === false) return null;
  return readOwn(join(folder, nameFile(id)), MAX_NAME_BYTES)?.trim() || null;
}

function readRecord(folder: string, id: string, stats: Stats): Pick<CaptureEntry, 'record' | 'problem'> {
  const text =
    stats.isFile() && stats.size <= MAX_SMALL_BYTES
      ? readOwn(join(folder, recordFile(id)), MAX_SMALL_BYTES, true)
      : null;
  const parsed =
    text === null
      ? ({ ok: false, problem: unreadableRecord(stats.size), newer: false } as const)
      : parseRecord(text);
  if (!parsed.ok) return { record: recordFromFiles(folder, id, parsed.newer), problem: parsed.problem };
  const problem = wrongIn(parsed.record, id) ?? foreignIn(parsed.record, folder);
  return problem === null
    ? { record: believed(withoutBytes(parsed.record), folder), problem }
    : { record: recordFromFiles(folder, id, false), problem };
}

/** Reads the record again, with its folded bytes. Throws ENOENT when it can no longer be read. */
export function fullRecord({ folder, id }: Pick<CaptureEntry, 'folder' | 'id'>): CaptureRecord {
  const parsed = parseRecord(readOwn(join(folder, recordFile(id))) ?? '');
  if (parsed.ok) return believed(parsed.record, folder);
  throw Object.assign(new Error(`${id}: ${parsed.problem}`), { code: 'ENOENT' });
}

function withoutBytes(record: CaptureRecord): CaptureRecord {
  return {
    ...record,
    streams: record.streams.map((stream) => (stream.folded === null ? stream : { ...stream, folded: '' })),
    times: record.times === null ? null : '',
  };
}

/** Returns what is wrong with a record, as a sentence: it may describe its own artifact and files only. */
function wrongIn(record: CaptureRecord, id: string): string | null {
  if (record.artifact_id !== id) return 'its record is of another artifact';
  const foreign = record.streams.some(({ file }) => file !== null && !file.startsWith(`${id}.`));
  if (foreign) return 'its record names a file that is not its own';
  const names = record.streams.map((stream) => stream.name).join();
  if (names !== 'output' && names !== 'stdout,stderr') return `its record has other streams (${names})`;
  return null;
}

/** True while its files may still be written: by the command, or by its background processes. */
export function isOpen(record: CaptureRecord): boolean {
  return record.recorder !== null || record.status === 'running';
}

/** Returns the file's size on disk when `look`, else the size in the record. */
function storedFile(
  folder: string,
  stream: StreamRecord,
  look: boolean,
  names: FileNames | undefined,
): StoredFile {
  const { file, total_bytes: bytes } = stream;
  if (file === null) return { path: null, bytes };
  const path = join(folder, file);
  const stats = look ? lstatOrNull(path) : null;
  if (stats) return { path, bytes: stats.isFile() ? stats.size : bytes };
  const packed = !has(folder, file, names) && has(folder, `${file}.gz`, names);
  return { path: packed ? `${path}.gz` : path, bytes };
}

function has(folder: string, name: string, names: FileNames | undefined): boolean {
  return names ? names.has(name) : lstatOrNull(join(folder, name)) !== null;
}

function sameFiles(a: readonly StoredFile[], b: readonly StoredFile[]): boolean {
  return a.every((file, i) => file.path === b[i]?.path && file.bytes === b[i]?.bytes);
}

/** Changes when a record is replaced. */
export function stampOf({ ino, size, mtimeMs }: Pick<Stats, 'ino' | 'size' | 'mtimeMs'>): string {
  return `${ino}/${size}/${mtimeMs}`;
}

/** File times have the resolution of a clock tick: within it, a replaced file may look unchanged. */
const FRESH_MS = 100;

export function isFresh({ mtimeMs }: Pick<Stats, 'mtimeMs'>): boolean {
  return Math.abs(Date.now() - mtimeMs) < FRESH_MS;
}

// Derives a record for a capture whose own can't be read: kind, label and start from its id, streams from its files,
// session from its folder.

/** Looks only at which files exist. `newer`: a later version wrote the record, and the command may still run. */
function recordFromFiles(folder: string, id: string, newer: boolean): CaptureRecord {
  const [, kind, label, stamp] = /^([a-z]+)-(.+)-(\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2})-[0-9a-f]{6}$/.exec(
    id,
  )!;
  const started = new Date(stamp!.replace(/T(\d{2})-(\d{2})-(\d{2})$/, 'T$1:$2:$3Z'));
  return {
    version: RECORD_VERSION,
    artifact_id: id,
    kind: kind as Exclude<Kind, 'file'>,
    label: label!,
    command: null,
    args: null,
    cwd: null,
    env_names: null,
    session: sessionNamed(folder),
    agent: null,
    origin: null,
    status: newer ? 'finished' : 'interrupted',
    exit_code: null,
    signal: null,
    started_at: Number.isNaN(started.getTime()) ? new Date(0).toISOString() : started.toISOString(),
    ended_at: null,
    duration_ms: null,
    warnings: [],
    recorder: null,
    stop: null,
    streams: streamsFound(folder, id),
    times: null,
    terminal: null,
  };
}

/** Returns the session's name; empty when its record can't be read either. */
function sessionNamed(folder: string): string {
  const text = readOwn(join(folder, SESSION_RECORD));
  const parsed = text === null ? null : parseSession(text);
  return (parsed?.ok && believedSession(parsed.session, folder)?.name) || '';
}

function streamsFound(folder: string, id: string): StreamRecord[] {
  const commands = (['stdout', 'stderr'] as const).map((name) =>
    streamFound(folder, name, commandStreamFile(id, name)),
  );
  if (commands.some((stream) => stream.file !== null)) return commands;
  const outputs = (['log', 'json', 'text'] as const).map((type) => outputFile(id, type));
  const found = outputs
    .map((file) => streamFound(folder, 'output', file))
    .find((stream) => stream.file !== null);
  return [found ?? streamOf('output', null, 0)];
}

function streamFound(folder: string, name: StreamRecord['name'], file: string): StreamRecord {
  const plain = lstatOrNull(join(folder, file));
  if (plain?.isFile()) return streamOf(name, file, plain.size);
  const packed = !plain && lstatOrNull(join(folder, `${file}.gz`))?.isFile();
  return streamOf(name, packed ? file : null, 0);
}

function streamOf(name: StreamRecord['name'], file: string | null, bytes: number): StreamRecord {
  return {
    name,
    file,
    folded: null,
    total_bytes: bytes,
    total_lines: null,
    gap: null,
    content_type: 'unknown',
  };
}
