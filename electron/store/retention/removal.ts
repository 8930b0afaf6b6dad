/**
 * Removes one capture. Interrupted at any moment, it leaves nothing that is shown, counted or never removed:
 *
 *     rename  <id>.meta.json -> <id>.<pid>.gone     hides the capture; of two processes only one succeeds
 *     look for <id>.pin                             pinned meanwhile: rename back
 *     unlink  its files, by the names seen, except the pin
 *     unlink  <id>.<pid>.gone
 *
 * All of it in the folder that was listed (folder.ts), wherever its path leads by now.
 *
 * A cleanup that finds a `.gone` of an ended process continues from there. Pinning makes the pin first and then looks
 * for the record (pins.ts), so one of the two always sees the other.
 */
import { existsSync, lstatSync, readdirSync, renameSync, rmdirSync, unlink, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Capture,
  type CaptureFile,
  HeldFolder,
  inFolder,
  pinPathIn,
  pinsFolder,
  type SessionFolder,
} from '../format/folder.ts';
import { goneFile, isStreamSuffix, otherForm, ourFile, recordFile, SESSION_RECORD } from '../format/names.ts';
import { isProcessAlive } from '../format/owner.ts';
import { entryNames, isFolder, lstatOrNull, sandboxOf } from '../format/places.ts';
import { hasOwner, isAbandoned, isRunning, usedMs } from './retention.ts';
import { putBackSession } from './sessions.ts';

type Removal = 'removed' | 'pinned' | 'went' | { failed: string };

/** `went`: another process removed it first, or its folder is gone. Never throws. */
export async function removeCapture(capture: Capture, pid = process.pid): Promise<Removal> {
  let folder: HeldFolder;
  try {
    folder = HeldFolder.open(capture.folder, capture.identity);
  } catch (error) {
    return failedWith(error);
  }
  try {
    return await removeFrom(folder, capture, pid);
  } catch (error) {
    return failedWith(error);
  } finally {
    folder.close();
  }
}

async function removeFrom(folder: HeldFolder, capture: Capture, pid: number): Promise<Removal> {
  const { id } = capture;
  const marker = goneFile(id, pid);
  const claimed = claim(folder, capture.gone?.name ?? recordFile(id), marker);
  if (claimed !== 'claimed') return claimed;
  if (existsSync(pinPathIn(folder, id))) return restore(folder, marker, id);
  const problem = await unlinkAll(folder, capture, namesOf(capture, marker));
  if (problem === null) return 'removed';
  // Show it again, so the next cleanup can retry.
  restore(folder, marker, id);
  return { failed: problem };
}

function claim(folder: HeldFolder, from: string, to: string): 'claimed' | 'went' | { failed: string } {
  if (from === to) return existsSync(folder.at(to)) ? 'claimed' : 'went';
  try {
    renameSync(folder.at(from), folder.at(to));
    return 'claimed';
  } catch (error) {
    return failedWith(error);
  }
}

function failedWith(error: unknown): 'went' | { failed: string } {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR' ? 'went' : { failed: `it can't be removed (${code})` };
}

function restore(folder: HeldFolder, marker: string, id: string): 'pinned' | 'went' {
  try {
    renameSync(folder.at(marker), folder.at(recordFile(id)));
    return 'pinned';
  } catch {
    return 'went';
  }
}

/**
 * Returns the files to unlink: all but record and pin. Streams in both forms, as they may have been compressed
 * meanwhile.
 */
function namesOf(capture: Capture, marker: string): string[] {
  const names = new Set<string>();
  const isPinHere = sandboxOf(capture.folder) === null;
  for (const { name, suffix } of capture.files) {
    if (name === marker || suffix === 'meta.json' || (suffix === 'pin' && isPinHere)) continue;
    names.add(name);
    if (isStreamSuffix(suffix)) names.add(otherForm(name));
  }
  // The marker goes last: it tells which capture the others belong to.
  return [...names, marker];
}

/** Unlinks one after the other. Returns the first problem as a sentence, or null. */
async function unlinkAll(
  folder: HeldFolder,
  { files }: Capture,
  names: readonly string[],
): Promise<string | null> {
  const large = new Set(files.flatMap(({ name, bytes }) => (bytes > LARGE_BYTES ? [name] : [])));
  for (const name of names) {
    try {
      // Freeing many blocks takes long: leave it to libuv's threads.
      if (large.has(name)) await unlinkAsync(folder.at(name));
      else unlinkSync(folder.at(name));
    } catch (error) {
      const code = codeOf(error);
      if (code === 'ENOENT' || code === 'ENOTDIR') continue;
      if (isFolder(folder.at(name))) return `${name} is not a file that Spillway wrote`;
      return `${name} can't be removed (${code})`;
    }
  }
  return null;
}

const LARGE_BYTES = 256 * 1024;

function unlinkAsync(path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    unlink(path, (error) => (error ? reject(error) : resolve()));
  });
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException)?.code ?? String(error);
}

// Removes what dead processes left half done, and the folders of sessions that are empty.

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
  const plain = session.cwd === null && session.env_names.length === 0;
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
