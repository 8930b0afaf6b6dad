/**
 * Compresses finished streams: `<stream>` becomes `<stream>.gz`. The record keeps naming `<stream>`, so paths given
 * out before still resolve: readers open `<stream>` if it exists, else `<stream>.gz`.
 *
 *     <stream>.gz.<8 hex>.tmp  written, synced, read back  ─rename─>  <stream>.gz  ─>  unlink <stream>
 *
 * Interrupted anywhere, one of the two is whole; both when it stopped before the last step, which the next run
 * repeats. Open file descriptors keep reading the original.
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
import { GIB } from '../../../shared/limits.ts';
import { type GzipOptions, gzipFile, sampleRatio } from '../contents/gzip-file.ts';
import { isOpen } from '../format/entry.ts';
import { type Capture, HeldFolder, readFolders, type SessionFolder } from '../format/folder.ts';
import { otherForm, recordFile } from '../format/names.ts';
import { lstatOrNull } from '../format/places.ts';
import { endedMs, isRunning, usedMs } from './retention.ts';

/** A session unused for so long counts as idle. */
const IDLE_MS = 60 * 60 * 1000;
/** Largest compressed size, as a share of the original, that is worth it. */
const MAX_RATIO = 0.9;

interface CompressOptions extends GzipOptions {
  /** Compress streams larger than this many bytes; 0: none. */
  above: number;
  /** Bytes that must stay free on the disk; null: the setting's default. */
  minFreeBytes: number | null;
  /** Streams that did not shrink enough, kept by the caller so they are not tried again. */
  tried?: Set<string>;
  /** Milliseconds since the epoch. */
  now?: number;
}

interface Compressed {
  artifact_id: string;
  path: string;
  before: number;
  after: number;
}

/**
 * Compresses the streams of sessions that are idle or have ended, and returns those done. Throws only when cancelled.
 */
export async function compressStreams(home: string, options: CompressOptions): Promise<Compressed[]> {
  if (options.above === 0) return [];
  const done: Compressed[] = [];
  const now = options.now ?? Date.now();
  for await (const folder of readFolders(home)) {
    if (!isResting(folder, now)) continue;
    for (const capture of folder.captures) {
      // The next cleanup mends captures of dead recorders first (mend.ts).
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
  // A capture made after the session's end: more may follow.
  const since = folder.captures.reduce((latest, capture) => Math.max(latest, endedMs(capture)), 0);
  return (!Number.isNaN(ended) && since <= ended) || usedMs(folder) <= now - IDLE_MS;
}

async function compressOne(
  capture: Capture,
  file: string,
  options: CompressOptions,
): Promise<Compressed | null> {
  const { id, files } = capture;
  const known = files.find(({ name }) => name === file);
  if (!known?.regular || known.bytes <= options.above) return null;
  const path = join(capture.folder, file);
  const key = `${path}/${known.mtimeMs}/${known.bytes}`;
  if (options.tried?.has(key)) return null;
  const target = otherForm(file);
  const temporary = `${target}.${randomBytes(4).toString('hex')}.tmp`;
  let folder: HeldFolder | null = null;
  let fd: number | null = null;
  try {
    folder = HeldFolder.open(capture.folder, capture.identity);
    fd = openSync(folder.at(file), constants.O_RDONLY | FOLLOW_NOTHING);
    const stats = fstatSync(fd);
    if (!stats.isFile() || !hasRoom(folder.at('.'), stats.size, options)) return null;
    const worthIt = (await sampleRatio(fd, stats.size)) <= MAX_RATIO;
    const after = worthIt ? await gzipFile(fd, stats.size, folder.at(temporary), stats, options) : stats.size;
    if (after > stats.size * MAX_RATIO) {
      options.tried?.add(key);
      return null;
    }
    return replace(folder, id, { file, temporary, target }, stats)
      ? { artifact_id: id, path: join(capture.folder, target), before: stats.size, after }
      : null;
  } catch (error) {
    if (options.signal?.aborted) throw error;
    return null;
  } finally {
    if (fd !== null) closeSync(fd);
    removeIn(folder, temporary);
    folder?.close();
  }
}

/** It may be a pipe by now, which an opener waits for, or a link. */
const FOLLOW_NOTHING = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

function removeIn(folder: HeldFolder | null, name: string): void {
  try {
    if (folder) rmSync(folder.at(name), { force: true });
  } catch {
    // A cleanup finds it again (removal.ts).
  }
}

/** Puts the compressed file in the original's place; false when the artifact or its file has changed since. */
function replace(
  folder: HeldFolder,
  id: string,
  { file, temporary, target }: { file: string; temporary: string; target: string },
  before: Stats,
): boolean {
  const now = lstatOrNull(folder.at(file));
  if (!now || now.ino !== before.ino || now.size !== before.size || now.mtimeMs !== before.mtimeMs)
    return false;
  const there = lstatOrNull(folder.at(target));
  if (there && !there.isFile()) return false;
  renameSync(folder.at(temporary), folder.at(target));
  // A cleanup that removed the artifact meanwhile did not know this file.
  if (!existsSync(folder.at(recordFile(id)))) {
    unlinkSync(folder.at(target));
    return false;
  }
  unlinkSync(folder.at(file));
  return true;
}

/** Original and compressed file both take space until the original is removed. */
function hasRoom(folder: string, bytes: number, { minFreeBytes }: CompressOptions): boolean {
  const { bavail, blocks, bsize } = statfsSync(folder);
  return bavail * bsize - bytes >= (minFreeBytes ?? Math.min(GIB, blocks * bsize * 0.05));
}
