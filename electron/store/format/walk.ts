/**
 * The way to the captures of a home: the folders of its sessions, and the names in each. Links are not followed, and a folder
 * that vanishes meanwhile is empty.
 */
import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';

/** What lies in the folder of all captures, by path, in the order of names. Each is still to be looked at: it may be no folder. */
export function sessionPaths(captures: string): string[] {
  if (!isFolder(captures)) return [];
  return namesIn(captures)
    .sort()
    .map((name) => join(captures, name));
}

/** In no order. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** A link to a folder is none. */
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

/** How long a walk may keep the thread to itself, in milliseconds. */
const SLICE_MS = 8;

/** Reading synchronously is three times as fast as asking for each file; so it is done in slices. */
export function takeTurns(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < SLICE_MS) return;
    await new Promise((resolve) => setImmediate(resolve));
    began = performance.now();
  };
}
