/** Pins captures: a file `<artifact>.pin` keeps a capture from every cleanup. */
import { closeSync, existsSync, mkdirSync, openSync, unlinkSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ArtifactId } from '../../../shared/artifact.ts';
import { isFileId } from '../../../shared/artifact-names.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { PinResult } from '../../../shared/lifecycle.ts';
import { offerIds } from '../../../shared/text/nearest.ts';
import { type HeldFolder, inFolder, pinPathIn } from './folder.ts';
import { idOfRecordFile, ourFile, recordFile } from './names.ts';
import { isProcessAlive } from './owner.ts';
import { entryNames, isFolder, sandboxOf, sessionPaths } from './places.ts';

/**
 * Throws `not_found` with the nearest ids, `unsupported` for a watched file, `no_permission` when the system refuses.
 */
export async function pinCapture(home: string, id: string): Promise<PinResult> {
  const folder = folderOf(home, id);
  const changed = make(folder, id);
  // Make the pin first, look for the record second: a cleanup removing it either sees the pin or is seen here
  // (removal.ts).
  for (let tries = 0; !existsSync(join(folder, recordFile(id))); tries += 1) {
    if (tries >= TRIES || !isBeingRemoved(folder, id)) {
      if (changed) remove(folder, id);
      throw noSuchCapture(home, id);
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return { artifact_id: id, pinned: true, changed };
}

/** Throws as `pinCapture` does. */
export function unpinCapture(home: string, id: string): PinResult {
  return { artifact_id: id, pinned: false, changed: remove(folderOf(home, id), id) };
}

/** Waits at most one second for a cleanup that is removing the capture. */
const TRIES = 100;
const PAUSE_MS = 10;

function folderOf(home: string, id: string): string {
  if (isFileId(id) && ArtifactId.safeParse(id).success) {
    throw new SpillwayError(
      'unsupported',
      'a watched file cannot be pinned, as Spillway never removes it',
      'pin a capture instead: `spillway list --kind cmd` lists some',
    );
  }
  if (!ArtifactId.safeParse(id).success) throw noSuchCapture(home, id);
  const all = folders(home);
  const folder =
    all.find((path) => existsSync(join(path, recordFile(id)))) ??
    all.find((path) => isBeingRemoved(path, id));
  if (folder === undefined) throw noSuchCapture(home, id);
  return folder;
}

function folders(home: string): string[] {
  return sessionPaths(home).filter(isFolder);
}

/** True while a running process removes the capture. */
function isBeingRemoved(folder: string, id: string): boolean {
  return entryNames(folder).some((name) => {
    const ours = name.endsWith('.gone') ? ourFile(name) : null;
    return ours?.id === id && ours.remover !== null && isProcessAlive(ours.remover);
  });
}

/** Makes the pin; false when it existed. */
function make(folder: string, id: string): boolean {
  try {
    inFolder(folder, (held) => {
      const path = pinPathIn(held, id);
      if (sandboxOf(folder) !== null) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      closeSync(openSync(path, 'wx', 0o600));
      tellOf(held);
    });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    throw refused('pinned', id, code);
  }
}

/** Removes the pin; false when there was none. */
function remove(folder: string, id: string): boolean {
  try {
    inFolder(folder, (held) => {
      unlinkSync(pinPathIn(held, id));
      tellOf(held);
    });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return false;
    throw refused('unpinned', id, code);
  }
}

/** A pin elsewhere changes nothing in the session's folder, which is what readers watch. */
function tellOf(held: HeldFolder): void {
  const now = new Date();
  if (sandboxOf(held.path) !== null) utimesSync(held.at('.'), now, now);
}

function refused(done: string, id: string, code: string | undefined): SpillwayError {
  return new SpillwayError(
    'no_permission',
    `${id} cannot be ${done} (${code})`,
    'make its folder writable and free some disk space: `spillway doctor` names the folder',
  );
}

/** Builds the error for an unknown id, malformed ones included, with the nearest known ids. */
export function noSuchCapture(home: string, id: string): SpillwayError {
  const ids = folders(home).flatMap((folder) =>
    entryNames(folder).flatMap((name) => idOfRecordFile(name) ?? []),
  );
  return new SpillwayError(
    'not_found',
    `no capture has the id ${JSON.stringify(id.length > 200 ? `${id.slice(0, 200)}…` : id)}`,
    offerIds(id, ids, 'nothing is captured yet, record a command with `spillway run -- CMD`'),
  );
}
