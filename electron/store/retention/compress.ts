/**
 * Compressing finished streams: `<stream>` becomes `<stream>.gz`, while the record goes on naming `<stream>`, so that
 * what was given out keeps resolving: readers take whichever of the two is there, `<stream>` first.
 *
 *     <stream>.gz.<8 hex>.tmp  written, synced, read back  ─rename─>  <stream>.gz  ─>  unlink <stream>
 *
 * Stopped anywhere, `<stream>` or `<stream>.gz` is whole; both are when it stopped before the last step, and the next
 * time does it again. Descriptors that are open keep reading the original.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  statfsSync,
  unlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { type GzipOptions, gzipFile, sampleRatio } from '../contents/gzip-file.ts';
import { otherForm } from '../format/artifact-files.ts';
import { isOpen } from '../format/entry.ts';
import { type Capture, readFolders, type SessionFolder } from '../format/folder.ts';
import { recordFile } from '../format/names.ts';
import { isFolder, lstatOrNull } from '../format/walk.ts';
import { endedMs, isRunning, usedMs } from './retention.ts';

/** A session that was left alone for so long is taken to rest. Milliseconds. */
const IDLE_MS = 60 * 60 * 1000;
/** It must become at least so much smaller. */
const WORTH_IT = 0.9;

export interface CompressOptions extends GzipOptions {
  /** Streams of more bytes; 0: none. */
  above: number;
  /** Bytes that must stay free on the disk; null: as the setting's default. */
  minFreeBytes: number | null;
  /** Streams that were not worth it, so that they are not tried again; kept by the caller. */
  tried?: Set<string>;
  /** Milliseconds since the epoch. */
  now?: number;
}

export interface Compressed {
  artifact_id: string;
  path: string;
  before: number;
  after: number;
}

/** Streams of sessions that have ended or rest. What cannot be compressed stays as it is; throws only when it is cancelled. */
export async function compressStreams(home: string, options: CompressOptions): Promise<Compressed[]> {
  if (options.above === 0) return [];
  const done: Compressed[] = [];
  const now = options.now ?? Date.now();
  for await (const folder of readFolders(home)) {
    if (!isResting(folder, now)) continue;
    for (const capture of folder.captures) {
      // What a dead recorder left is put together first (mend.ts), by whoever cleans up.
      if (capture.gone || capture.record === null || isOpen(capture.record)) continue;
      for (const { file } of capture.record.streams) {
        const one = file === null ? null : await compressOne(capture, file, options);
        if (one) done.push(one);
      }
    }
  }
  return done;
}

function isResting(folder: SessionFolder, now: number): boolean {
  if (folder.captures.some((capture) => isRunning(capture))) return false;
  const ended = Date.parse(folder.session?.ended_at ?? '');
  // What came into it after its end may be one of more to come.
  const since = folder.captures.reduce((latest, capture) => Math.max(latest, endedMs(capture)), 0);
  return (!Number.isNaN(ended) && since <= ended) || usedMs(folder) <= now - IDLE_MS;
}

async function compressOne(
  { id, folder, files }: Capture,
  file: string,
  options: CompressOptions,
): Promise<Compressed | null> {
  const known = files.find(({ name }) => name === file);
  if (!known?.regular || known.bytes <= options.above || !isFolder(folder)) return null;
  const path = join(folder, file);
  const key = `${path}/${known.mtimeMs}/${known.bytes}`;
  if (options.tried?.has(key)) return null;
  const target = otherForm(path);
  const temporary = `${target}.${randomBytes(4).toString('hex')}.tmp`;
  let fd: number | null = null;
  try {
    fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    const stats = fstatSync(fd);
    if (!stats.isFile() || !hasRoom(folder, stats.size, options)) return null;
    const worthIt = (await sampleRatio(fd, stats.size)) <= WORTH_IT;
    const after = worthIt ? await gzipFile(fd, stats.size, temporary, stats, options) : stats.size;
    if (after > stats.size * WORTH_IT) {
      options.tried?.add(key);
      return null;
    }
    return replace(folder, id, path, temporary, target, stats)
      ? { artifact_id: id, path: target, before: stats.size, after }
      : null;
  } catch (error) {
    if (options.signal?.aborted) throw error;
    return null;
  } finally {
    if (fd !== null) closeSync(fd);
    rmSync(temporary, { force: true });
  }
}

/** False when the artifact went, or its file is another by now. */
function replace(
  folder: string,
  id: string,
  path: string,
  temporary: string,
  target: string,
  before: Stats,
): boolean {
  const now = lstatOrNull(path);
  if (!now || now.ino !== before.ino || now.size !== before.size || now.mtimeMs !== before.mtimeMs)
    return false;
  const there = lstatOrNull(target);
  if (there && !there.isFile()) return false;
  renameSync(temporary, target);
  // A cleanup that took it meanwhile did not know of this file.
  if (!existsSync(join(folder, recordFile(id)))) {
    unlinkSync(target);
    return false;
  }
  unlinkSync(path);
  return true;
}

/** Until the original goes, both take room. */
function hasRoom(folder: string, bytes: number, { minFreeBytes }: CompressOptions): boolean {
  const { bavail, blocks, bsize } = statfsSync(folder);
  return bavail * bsize - bytes >= (minFreeBytes ?? Math.min(GIB, blocks * bsize * 0.05));
}

const GIB = 1024 ** 3;
