/**
 * Where captures lie:
 *
 *     captures/<session>/             ours
 *     sandboxes/<agent>/<session>/    of commands that ran in an agent's sandbox, which lets them write nowhere else
 *                                     of ours (folder.ts)
 */
import { lstatSync, readdirSync, rmdirSync, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { CAPTURES_FOLDER, SANDBOXES_FOLDER } from '../../../shared/artifact-names.ts';

export function capturesFolder(home: string): string {
  return join(home, CAPTURES_FOLDER);
}

/** The folder that an agent's sandbox lets its commands write to. */
export function sandboxFolder(home: string, agent: string): string {
  return join(home, SANDBOXES_FOLDER, agent);
}

/** Returns the folders that hold a folder for each session: ours first. */
export function captureRoots(home: string): string[] {
  const sandboxes = join(home, SANDBOXES_FOLDER);
  const agents = isFolder(sandboxes) ? entryNames(sandboxes).sort() : [];
  return [capturesFolder(home), ...agents.map((agent) => join(sandboxes, agent))].filter(isFolder);
}

/** Returns the paths of all sessions, our own first, sorted by name. The caller checks that each is a folder. */
export function sessionPaths(home: string): string[] {
  return captureRoots(home).flatMap((root) =>
    entryNames(root)
      .sort()
      .map((name) => join(root, name)),
  );
}

/** Returns the agent whose sandbox a session's folder belongs to; null for our own captures. */
export function sandboxOf(folder: string): string | null {
  const root = dirname(folder);
  return basename(dirname(root)) === SANDBOXES_FOLDER ? basename(root) : null;
}

/** A file from a sandbox that has other names, too, may be any file of the disk that was given a name there. */
export function isForeignFile(path: string, { nlink }: Pick<Stats, 'nlink'>): boolean {
  return nlink > 1 && sandboxOf(dirname(path)) !== null;
}

// Lists folders and the kinds of their entries. Follows no links. A folder that was removed meanwhile counts as empty.

/** Returns the names in a folder, unsorted; none when it can't be read. */
export function entryNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** False for a link to a folder. */
export function isFolder(path: string): boolean {
  return lstatOrNull(path)?.isDirectory() === true;
}

export function lstatOrNull(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

/** How long a walk may hold the thread. */
const SLICE_MS = 8;

/**
 * Returns a function that yields to other work every `SLICE_MS`. Synchronous reads in slices are three times as fast
 * as asynchronous ones.
 */
export function takeTurns(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < SLICE_MS) return;
    await new Promise((resolve) => setImmediate(resolve));
    began = performance.now();
  };
}

/** Removes a folder that nobody else has put anything into. */
export function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It holds something, or there is none.
  }
}
