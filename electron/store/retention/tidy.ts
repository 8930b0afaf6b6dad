/** What a cleanup finds besides captures: what dead processes left half done, and folders with nothing left in them. */
import { lstatSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ourFile } from '../format/artifact-files.ts';
import type { Capture, CaptureFile, SessionFolder } from '../format/folder.ts';
import { SESSION_RECORD } from '../format/names.ts';
import { isFolder, lstatOrNull } from '../format/walk.ts';
import { isProcessAlive } from '../processes.ts';
import { removeCapture } from './removal.ts';
import { hasOwner, isAbandoned, isRunning, usedMs } from './retention.ts';
import { putBackSession } from './sessions.ts';

/** Nobody needs so long between writing a temporary file and renaming it. Milliseconds. */
const LEFT_OVER_MS = 60 * 60 * 1000;
/** A session that was used so recently may just be coming into use again. Milliseconds. */
const RESTING_MS = 60 * 1000;

/** Goes on with removals whose process has ended; gives back those that were pinned. */
export async function finishRemovals(folders: readonly SessionFolder[]): Promise<void> {
  for (const { captures } of folders) {
    for (const capture of captures) {
      if (capture.gone !== null && !isAtWork(capture.gone.pid)) await removeCapture(capture);
    }
  }
}

/** Removes temporary files and ring segments that nobody will finish. `now`: milliseconds since the epoch. */
export function sweepLeftOvers(folders: readonly SessionFolder[], now: number): void {
  for (const { path, captures, temporaries, strays } of folders) {
    const old = (file: CaptureFile) => isLeftOver(file, now);
    for (const file of temporaries.filter(old)) remove(path, file.name);
    for (const capture of captures) {
      if (capture.gone || capture.record === null || isRunning(capture)) continue;
      for (const file of capture.files) {
        if (old(file) && (file.temporary || isSegment(capture, file))) remove(path, file.name);
      }
    }
    for (const name of strays) if (isLostPin(path, name, now)) remove(path, name);
  }
}

/**
 * Removes the folder of a session that holds nothing more and that nobody counts on: it has ended, or its owner has,
 * or it has no defaults, or was not used for `retentionMs`. True when it went. Another's file keeps it.
 */
export function removeIfSpent(folder: SessionFolder, retentionMs: number, now: number): boolean {
  if (!mayGo(folder, retentionMs, now) || !isFolder(folder.path)) return false;
  try {
    if (readdirSync(folder.path).some((name) => name !== SESSION_RECORD)) return false;
    if (folder.session) unlinkSync(join(folder.path, SESSION_RECORD));
    rmdirSync(folder.path);
    return true;
  } catch {
    // A capture came into it meanwhile, or somebody else was quicker.
    if (folder.session) putBackSession(folder.path, folder.session);
    return false;
  }
}

/** The same, asked before those in `went` have gone. */
export function wouldGo(
  folder: SessionFolder,
  went: ReadonlySet<string>,
  retentionMs: number,
  now: number,
): boolean {
  return (
    mayGo(folder, retentionMs, now) &&
    folder.strays.every((name) => isLostPin(folder.path, name, now)) &&
    folder.temporaries.every((file) => isLeftOver(file, now)) &&
    folder.captures.every(
      ({ id, gone, pinned }) => went.has(id) || (gone !== null && !pinned && !isAtWork(gone.pid)),
    )
  );
}

/** It only has to be left alone for a little longer: RESTING_MS from when it was used last. */
export function willGo(
  folder: SessionFolder,
  went: ReadonlySet<string>,
  retentionMs: number,
  now: number,
): boolean {
  const rested = usedMs(folder) + RESTING_MS;
  const at = (then: number) => wouldGo(folder, went, retentionMs, then);
  return rested > now && !at(now) && at(rested);
}

function mayGo(folder: SessionFolder, retentionMs: number, now: number): boolean {
  const { session } = folder;
  const used = usedMs(folder);
  // One that cannot be read is nobody's to remove.
  if (session === null)
    return used <= now - RESTING_MS && lstatOrNull(join(folder.path, SESSION_RECORD)) === null;
  if (session.ended_at !== null || isAbandoned(folder)) return true;
  if (hasOwner(folder)) return false;
  const plain = session.cwd === null && Object.keys(session.env).length === 0;
  return used <= now - (plain ? RESTING_MS : Math.max(RESTING_MS, retentionMs));
}

/** The process that removes it is there. Our own cleanups do not overlap: what bears our number was left by another. */
function isAtWork(pid: number): boolean {
  return pid !== process.pid && isProcessAlive(pid);
}

/** The end of a stream while it is recorded; in the stream's file by the time its record says that it has ended. */
function isSegment({ record }: Capture, { suffix }: CaptureFile): boolean {
  return record?.recorder === null && /\.tail\.\d+\.\d+$/.test(suffix);
}

function isLeftOver(file: CaptureFile, now: number): boolean {
  return file.regular && file.mtimeMs <= now - LEFT_OVER_MS;
}

/** A pin of a capture that is no more: whoever made it was stopped before it could see that. */
function isLostPin(folder: string, name: string, now: number): boolean {
  if (ourFile(name)?.suffix !== 'pin') return false;
  const stats = lstatOrNull(join(folder, name));
  return stats?.isFile() === true && stats.size === 0 && stats.mtimeMs <= now - LEFT_OVER_MS;
}

function remove(folder: string, name: string): void {
  try {
    if (isFolder(folder) && lstatSync(join(folder, name)).isFile()) unlinkSync(join(folder, name));
  } catch {
    // It will be found again.
  }
}
