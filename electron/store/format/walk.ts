/** Walks folders: the names in each, and what they are. Follows no links. A folder that vanishes meanwhile counts as empty. */
import { lstatSync, readdirSync, type Stats } from 'node:fs';

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
