/** Lists folders, and resolves paths, in a thread that may wait for a disk. */

import { accessSync, constants, type Dirent, readdirSync, statSync } from 'node:fs';
import { isLossy, pathBytes, pathText, realPathSync } from '../bytes/path-text.ts';
import { type PackedStats, packed, realPlace, splitAtArchive, statAll } from './stats.ts';

export interface Entry {
  /** As `pathText` writes it. */
  readonly name: string;
  /** `unknown` where the file system does not tell: look at it. */
  readonly type: 'file' | 'folder' | 'other' | 'unknown';
}

/** Throws what the system throws. */
export function entriesOf(path: string): Entry[] {
  const bytes = pathBytes(path);
  const entries = readdirSync(bytes, { withFileTypes: true });
  // Node's text of a name may not name its file.
  if (!entries.some(({ name }) => isLossy(name)))
    return entries.map((entry) => ({ name: entry.name, type: typeOf(entry) }));
  return readdirSync(bytes, { withFileTypes: true, encoding: 'buffer' }).map((entry) => ({
    name: pathText(entry.name),
    type: typeOf(entry),
  }));
}

const OTHERS = ['isSymbolicLink', 'isFIFO', 'isSocket', 'isCharacterDevice', 'isBlockDevice'] as const;

function typeOf(entry: Dirent | Dirent<Buffer>): Entry['type'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return OTHERS.some((is) => entry[is]()) ? 'other' : 'unknown';
}

/**
 * Stats some names in a folder. `isReal`: whether the folder's path has no link in it; null when that can't be told.
 */
export function statInside(
  folder: string,
  paths: readonly string[],
): { entries: PackedStats; isReal: boolean | null } {
  // A link may take the place of the folder, or of one above it: then these are stats of something else.
  return { entries: statAll(paths), isReal: isReal(folder) };
}

function isReal(path: string): boolean | null {
  try {
    return realPlace(path) === path;
  } catch (error) {
    return isVague(error) ? null : false;
  }
}

/** Where a path leads, links resolved, and what is there. Throws what the system throws. */
export function placeOf(path: string): { real: string; entry: PackedStats } {
  const real = realPlace(path);
  return { real, entry: packed(statSync(pathBytes(splitAtArchive(real).file))) };
}

/** The directory that a path leads to, links resolved; null without one. */
export function folderAt(path: string): string | null {
  try {
    return statSync(pathBytes(path)).isDirectory() ? realPathSync(path) : null;
  } catch {
    return null;
  }
}

const GONE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']);
const REFUSED = new Set(['EACCES', 'EPERM']);

export function isGone(error: NodeJS.ErrnoException): boolean {
  return GONE.has(error.code ?? '');
}

export function isRefused(error: NodeJS.ErrnoException): boolean {
  return REFUSED.has(error.code ?? '');
}

/**
 * True for an error that says nothing about the path (no free descriptor, a share that does not answer): keep the known
 * state.
 */
export function isVague(entry: unknown): boolean {
  if (!(entry instanceof Error)) return false;
  const { code = '' } = entry as NodeJS.ErrnoException;
  return !GONE.has(code) && !REFUSED.has(code);
}

// Whether a path is an executable file, and not a folder, which may have the same permission.

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
