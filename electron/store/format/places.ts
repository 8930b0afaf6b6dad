/**
 * Where captures lie:
 *
 *     captures/<session>/             ours
 *     sandboxes/<agent>/<session>/    of commands that ran in an agent's sandbox, which lets them write nowhere else
 *                                     of ours (sandbox.ts)
 */
import type { Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { CAPTURES_FOLDER, SANDBOXES_FOLDER } from '../../../shared/artifact-names.ts';
import { entryNames, isFolder } from './walk.ts';

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
