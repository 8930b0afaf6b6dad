/**
 * Completes the record of a capture whose recorder died. Several processes may do so at once: each derives the same
 * record from the same files, and a late one finds the work done.
 */
import { closeSync, readSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import type { Cause } from '../../shared/artifact.ts';
import { GIB } from '../../shared/limits.ts';
import { isFailure } from '../../shared/recording.ts';
import { BINARY_SNIFF_BYTES, detectContentType } from '../reader/bytes/content-type.ts';
import { detectUnicode, newlineUnit } from '../reader/bytes/encoding.ts';
import { countPlain } from '../reader/lines/newlines.ts';
import { joinTail, tailSegments } from './contents/join-tail.ts';
import { type CaptureEntry, fullRecord, isOpen, readEntry } from './format/entry.ts';
import { inFolder, readAgain, type SessionFolder } from './format/folder.ts';
import { recordFile, timesFile } from './format/names.ts';
import { isAlive, QUIET_MS } from './format/owner.ts';
import { lstatOrNull, sandboxOf } from './format/places.ts';
import { type CaptureRecord, type Gap, recordText, type StreamRecord } from './format/record.ts';
import { openOwn, replaceFile } from './format/small-file.ts';
import { decodeArrivals, TIMES_RECORD_BYTES } from './format/times.ts';
import { isRunning } from './retention/retention.ts';

/** More than recorders write into one segment. */
const MAX_SEGMENT_BYTES = 16 * 1024 * 1024;
/** Streams up to this size get their line count here; larger ones when they are read. */
const COUNT_BYTES = 1024 * 1024;
const MAX_TRIES = 5;
const BACKGROUND_LOST =
  'The recorder died before the background processes ended: their later output was not stored';

export function needsMending(entry: CaptureEntry): boolean {
  const { record, problem } = entry;
  if (problem !== null || !isOpen(record)) return false;
  if (record.recorder === null || !isAlive(record.recorder, () => writtenMs(entry))) return true;
  // Any process may be named there, such as one that never ends.
  return sandboxOf(entry.folder) !== null && Date.now() - writtenMs(entry) >= QUIET_MS;
}

/** Returns when the capture's files were last written, in milliseconds since the epoch. */
function writtenMs({ folder, id, record }: CaptureEntry): number {
  const names = [recordFile(id), timesFile(id), ...record.streams.flatMap(({ file }) => file ?? [])];
  const time = sandboxOf(folder) === null ? 'mtimeMs' : 'ctimeMs';
  return Math.max(...names.map((name) => lstatOrNull(join(folder, name))?.[time] ?? 0));
}

/**
 * Returns the mended capture: `interrupted`, or as it ended when only background processes were still recorded.
 * Returns what another process wrote when that was quicker, and null when the capture is gone. Never throws: a record
 * that can't be written is still shown as mended.
 */
export function mend(entry: CaptureEntry): CaptureEntry | null {
  let now: CaptureEntry | null = entry;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    // Read again: a recorder of background processes may have taken over since.
    now = readEntry(entry.folder, entry.id);
    if (!now || !needsMending(now)) return now;
    try {
      write(now, mended(now));
    } catch (error) {
      if (error instanceof Changed) continue;
      return shownAs(now, error);
    }
  }
  return now;
}

/** Mends every capture of a session whose recorder died, and updates `folder.captures`. */
export function mendFolder(folder: SessionFolder): void {
  folder.captures = folder.captures.map((capture) => {
    if (capture.record === null || !isOpen(capture.record) || isRunning(capture)) return capture;
    const entry = readEntry(capture.folder, capture.id);
    const mended = entry && mend(entry);
    return mended?.problem === null ? { ...readAgain(capture), record: mended.record } : capture;
  });
}

/** Whether nobody has looked for the cause of this failed command, as when the recorder died. */
export function lacksCause({ record, problem }: CaptureEntry): boolean {
  const { kind, cause, status } = record;
  return problem === null && kind === 'cmd' && cause === undefined && !isOpen(record) && isFailure(status);
}

/** Adds the cause to the record, or that there is none. Throws the system's errors, or where the record has changed. */
export function addCause(entry: CaptureEntry, cause: Cause | null): void {
  // The entry keeps its old stamp, so that a cache reads the record again.
  write({ ...entry }, { ...fullRecord(entry), cause });
}

/** Another process wrote the record since it was read. */
class Changed extends Error {}

function mended(entry: CaptureEntry): CaptureRecord {
  let record = fullRecord(entry);
  for (const [i, stream] of record.streams.entries()) {
    if (stream.file === null) continue;
    const gap = joined(entry, stream, (gap) => {
      record = withStream(record, i, { gap });
      write(entry, record);
    });
    record = withStream(record, i, { gap });
  }
  return ended(record, entry);
}

function joined(entry: CaptureEntry, stream: StreamRecord, onGap: (gap: Gap) => void): Gap | null {
  const file = stream.file!;
  return inFolder(entry.folder, (held) => {
    const folder = held.at('.');
    const segments = tailSegments(folder, file).map(({ name }) => lstatOrNull(join(folder, name)));
    const head = lstatOrNull(join(folder, file));
    const isOurs = (stats: Stats | null, most: number) =>
      stats?.isFile() === true && stats.nlink === 1 && stats.size <= most;
    // Never write through a link, and copy no more than a recorder would have kept.
    if (segments.length === 0 || !isOurs(head, mostOfHead(entry.folder))) return stream.gap;
    if (!segments.every((stats) => isOurs(stats, MAX_SEGMENT_BYTES))) return stream.gap;
    return joinTail({ folder, streamFile: file, gap: stream.gap, onGap });
  });
}

/** The head's lines are counted here. A sparse file of any size is made at once. */
function mostOfHead(folder: string): number {
  return sandboxOf(folder) === null ? Number.POSITIVE_INFINITY : 2 * GIB;
}

function ended(record: CaptureRecord, { folder, id }: CaptureEntry): CaptureRecord {
  const started = Date.parse(record.started_at);
  let last = lastArrival(join(folder, timesFile(id)));
  const streams = record.streams.map((stream): StreamRecord => {
    const stats = stream.file === null ? null : lstatOrNull(join(folder, stream.file));
    // Folded or never written: keep. Deleted: nothing is stored.
    if (!stats?.isFile()) return stream.file === null ? stream : { ...stream, file: null, total_bytes: 0 };
    last ??= stats.mtimeMs;
    const head = firstBytes(join(folder, stream.file!), Math.min(stats.size, COUNT_BYTES));
    return {
      ...stream,
      total_bytes: stats.size,
      total_lines:
        stats.size <= COUNT_BYTES && isBytes(head) ? linesOf(head) + (stream.gap?.lines ?? 0) : null,
      content_type: detectContentType(head.subarray(0, BINARY_SNIFF_BYTES), {
        size: stats.size,
      }),
    };
  });
  // The command had ended; only its background processes were still recorded.
  if (record.status !== 'running') {
    return {
      ...record,
      recorder: null,
      stop: null,
      warnings: [...record.warnings, BACKGROUND_LOST],
      streams,
    };
  }
  const at = Math.max(started || 0, Math.floor(last ?? 0));
  return {
    ...record,
    status: 'interrupted',
    recorder: null,
    stop: null,
    // Its last byte: retention counts from then. Nobody saw the end, so there is no duration.
    ended_at: new Date(at).toISOString(),
    duration_ms: null,
    streams,
  };
}

/** Writes the record. Throws `Changed` when the one on disk has been replaced since it was read. */
function write(entry: CaptureEntry, record: CaptureRecord): void {
  const { folder, id } = entry;
  if (readEntry(folder, id)?.stamp !== entry.stamp) throw new Changed();
  inFolder(folder, (held) => replaceFile(held.at(recordFile(id)), recordText(record)));
  entry.stamp = readEntry(folder, id)?.stamp ?? '';
}

/** Returns the mended capture without writing it, with a warning that says why. */
function shownAs(entry: CaptureEntry, error: unknown): CaptureEntry {
  const { code, message } = error as NodeJS.ErrnoException;
  const warning = `The recorder died, and the record could not be updated (${code ?? message})`;
  const record = ended(entry.record, entry);
  return { ...entry, record: { ...record, warnings: [...record.warnings, warning] } };
}

function withStream(record: CaptureRecord, at: number, change: Partial<StreamRecord>): CaptureRecord {
  const streams = record.streams.map((stream, i) => (i === at ? { ...stream, ...change } : stream));
  return { ...record, streams };
}

/** Returns the time of the last arrival in a `.times` file, in milliseconds since the epoch; null without one. */
function lastArrival(path: string): number | null {
  const stats = lstatOrNull(path);
  const records = stats?.isFile() ? Math.floor(stats.size / TIMES_RECORD_BYTES) : 0;
  if (records === 0) return null;
  const bytes = readAt(path, (records - 1) * TIMES_RECORD_BYTES, TIMES_RECORD_BYTES);
  return decodeArrivals(bytes)[0]?.time ?? null;
}

function linesOf(bytes: Buffer): number {
  const ends = countPlain(bytes, 0, bytes.length, 'byte');
  return ends + (bytes.length > 0 && bytes.at(-1) !== 10 ? 1 : 0);
}

/** False for UTF-16, whose lines are counted when it is read. */
function isBytes(head: Buffer): boolean {
  return newlineUnit(detectUnicode(head)) === 'byte';
}

function firstBytes(path: string, bytes: number): Buffer {
  return readAt(path, 0, bytes);
}

function readAt(path: string, position: number, bytes: number): Buffer {
  const fd = openOwn(path);
  if (fd === null) return Buffer.alloc(0);
  try {
    const into = Buffer.alloc(bytes);
    return into.subarray(0, bytes === 0 ? 0 : readSync(fd, into, 0, bytes, position));
  } finally {
    closeSync(fd);
  }
}
