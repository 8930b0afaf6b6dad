/** Whether a directory or a socket is ours alone. On Windows the directories' own access lists see to that. */
import type { Stats } from 'node:fs';
import { chmod, lstat } from 'node:fs/promises';
import { SpillwayError } from '../../../shared/errors.ts';
import { howToClose, isOthersToo, OTHER_FOLDER } from '../settings/home.ts';

/**
 * False when the directory is missing. Refuses one that others may write to, or with `tighten` makes it private:
 * enough for our own directory, since files that others left in it are not owned by us. Errors: `home`.
 */
export async function checkDirectory(directory: string, whenOpen: 'tighten' | 'refuse'): Promise<boolean> {
  const stats = await statsOf(directory);
  if (stats === null) return false;
  if (process.platform === 'win32') return true;
  if (!stats.isDirectory()) throw refusal(directory, 'is not a directory', 'remove it');
  if (!isOurs(stats)) throw refusal(directory, `belongs to user ${stats.uid}, not to you`, OTHER_USER);
  if (whenOpen === 'tighten') {
    if ((stats.mode & 0o777) !== 0o700) await chmod(directory, 0o700);
  } else if ((stats.mode & 0o022) !== 0) {
    const todo = isOthersToo(directory) ? OTHER_FOLDER : howToClose(directory);
    throw refusal(directory, 'may be written to by other users', todo);
  }
  return true;
}

/** False when the socket is missing. Errors: `home` for a link, another kind of file, or another user's socket. */
export async function checkSocketOwner(place: string): Promise<boolean> {
  if (process.platform === 'win32') return true;
  const stats = await statsOf(place);
  if (stats === null) return false;
  if (stats.isSymbolicLink()) throw refusal(place, 'is a symbolic link, not a socket', REMOVE);
  if (!stats.isSocket()) throw refusal(place, 'is not a socket', REMOVE);
  if (!isOurs(stats)) throw refusal(place, `belongs to user ${stats.uid}, not to you`, REMOVE);
  return true;
}

export function isOurs(stats: Stats): boolean {
  return process.platform === 'win32' || stats.uid === process.getuid?.();
}

const REMOVE = 'find out who put it there, then remove it';
const OTHER_USER = 'run Spillway as that user, or set SPILLWAY_HOME to a folder of your own';

function refusal(place: string, what: string, todo: string): SpillwayError {
  return new SpillwayError('home', `${place} ${what}`, todo);
}

async function statsOf(place: string): Promise<Stats | null> {
  try {
    return await lstat(place);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new SpillwayError('no_permission', `${place} can't be checked (${code})`, 'check who owns it');
  }
}
