/** Removes what dead processes left half done, and the folders of sessions that are empty. */
import { lstatSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ourFile } from '../format/artifact-files.ts';
import {
  type Capture,
  type CaptureFile,
  HeldFolder,
  inFolder,
  type SessionFolder,
} from '../format/folder.ts';
import { SESSION_RECORD } from '../format/names.ts';
import { pinsFolder } from '../format/sandbox.ts';
import { entryNames, lstatOrNull } from '../format/walk.ts';
import { isProcessAlive } from '../processes.ts';
import { removeCapture } from './removal.ts';
import { hasOwner, isAbandoned, isRunning, usedMs } from './retention.ts';
import { putBackSession } from './sessions.ts';

/** A temporary file older than this belongs to no process that still renames it. */
const STALE_MS = 60 * 60 * 1000;
/** A session used more recently than this may be about to be used again. */
const RESTING_MS = 60 * 1000;

/** Continues removals whose process has ended; restores captures that were pinned since. */
export async function finishRemovals(folders: readonly SessionFolder[]): Promise<void> {
  for (const { captures } of folders) {
    for (const capture of captures) {
      if (capture.gone !== null && !isAtWork(capture.gone.pid)) await removeCapture(capture);
    }
  }
}

/** Removes stale temporary files and tail segments. `now`: milliseconds since the epoch. */
export function sweepStaleFiles(folders: readonly SessionFolder[], now: number): void {
  for (const folder of folders) {
    const { path, captures, temporaries, strays } = folder;
    const old = (file: CaptureFile) => isStale(file, now);
    for (const file of temporaries.filter(old)) remove(folder, file.name);
    for (const capture of captures) {
      if (capture.gone || capture.record === null || isRunning(capture)) continue;
      for (const file of capture.files) {
        if (old(file) && (file.temporary || isTailSegment(capture, file))) remove(folder, file.name);
      }
    }
    for (const name of strays) if (isLostPin(path, name, now)) remove(folder, name);
  }
}

/** Removes pins of captures from sandboxes that are gone. `folders`: all there are. */
export function sweepPins(home: string, folders: readonly SessionFolder[], now: number): void {
  const pins = pinsFolder(home);
  const known = new Set(folders.flatMap(({ captures }) => captures.map(({ id }) => id)));
  for (const name of entryNames(pins)) {
    const id = ourFile(name)?.id;
    if (id === undefined || known.has(id) || !isLostPin(pins, name, now)) continue;
    try {
      unlinkSync(join(pins, name));
    } catch {
      // Another cleanup was quicker.
    }
  }
}

/**
 * Removes the folder of an empty session that has ended, or whose owner has, or that has no defaults, or was unused
 * for `retentionMs`. Returns true when it was removed. A foreign file keeps it.
 */
export function removeIfSpent(folder: SessionFolder, retentionMs: number, now: number): boolean {
  if (!mayGo(folder, retentionMs, now)) return false;
  let held: HeldFolder;
  try {
    held = HeldFolder.open(folder.path, folder.identity);
  } catch {
    return false;
  }
  try {
    if (readdirSync(held.at('.')).some((name) => name !== SESSION_RECORD)) return false;
    if (folder.session) unlinkSync(held.at(SESSION_RECORD));
    // By its path, which names no other folder with anything in it: such a one is not removed.
    rmdirSync(folder.path);
    return true;
  } catch {
    // A capture came into it meanwhile, or another process removed it first.
    if (folder.session) putBackSession(held, folder.session);
    return false;
  } finally {
    held.close();
  }
}

/** Tells whether `removeIfSpent` would remove the folder at `time`, once the captures in `went` are gone. */
export function wouldGoAt(
  folder: SessionFolder,
  went: ReadonlySet<string>,
  retentionMs: number,
  time: number,
): boolean {
  return (
    mayGo(folder, retentionMs, time) &&
    folder.strays.every((name) => isLostPin(folder.path, name, time)) &&
    folder.temporaries.every((file) => isStale(file, time)) &&
    folder.captures.every(
      ({ id, gone, pinned }) => went.has(id) || (gone !== null && !pinned && !isAtWork(gone.pid)),
    )
  );
}

/** True when `removeIfSpent` keeps the folder only until `RESTING_MS` have passed since its last use. */
export function goesOnceRested(
  folder: SessionFolder,
  went: ReadonlySet<string>,
  retentionMs: number,
  now: number,
): boolean {
  const rested = usedMs(folder) + RESTING_MS;
  const goesAt = (time: number) => wouldGoAt(folder, went, retentionMs, time);
  return rested > now && !goesAt(now) && goesAt(rested);
}

function mayGo(folder: SessionFolder, retentionMs: number, now: number): boolean {
  const { session } = folder;
  const used = usedMs(folder);
  // A session record that can't be read keeps its folder.
  if (session === null)
    return used <= now - RESTING_MS && lstatOrNull(join(folder.path, SESSION_RECORD)) === null;
  if (session.ended_at !== null || isAbandoned(folder)) return true;
  if (hasOwner(folder)) return false;
  const plain = session.cwd === null && Object.keys(session.env).length === 0;
  return used <= now - (plain ? RESTING_MS : Math.max(RESTING_MS, retentionMs));
}

/**
 * True while the removing process is alive. Our own cleanups never overlap, so our id on it is from an earlier
 * process.
 */
function isAtWork(pid: number): boolean {
  return pid !== process.pid && isProcessAlive(pid);
}

/** A tail segment whose capture has ended: its bytes are in the stream's file already. */
function isTailSegment({ record }: Capture, { suffix }: CaptureFile): boolean {
  return record?.recorder === null && /\.tail\.\d+\.\d+$/.test(suffix);
}

function isStale(file: CaptureFile, now: number): boolean {
  return file.regular && file.mtimeMs <= now - STALE_MS;
}

/** A pin without a capture: the process that made it died before it could notice. */
function isLostPin(folder: string, name: string, now: number): boolean {
  if (ourFile(name)?.suffix !== 'pin') return false;
  const stats = lstatOrNull(join(folder, name));
  return stats?.isFile() === true && stats.size === 0 && stats.mtimeMs <= now - STALE_MS;
}

function remove({ path, identity }: SessionFolder, name: string): void {
  try {
    inFolder(path, (folder) => lstatSync(folder.at(name)).isFile() && unlinkSync(folder.at(name)), identity);
  } catch {
    // The next cleanup finds it again.
  }
}
