/** Whether this process may read a file that it can see. */
import { closeSync, constants, openSync, type Stats } from 'node:fs';

type Owned = Pick<Stats, 'mode' | 'uid' | 'gid'>;

/** Readable by anybody: nothing needs to be asked. Everything else, access lists included, only the system can tell. */
function isPlain(stats: Owned): boolean {
  return (stats.mode & 0o444) === 0o444;
}

/**
 * Tries to open the file, unless its mode lets everybody read it. `stats` are those of a regular file; a pipe that took
 * its place does not block. Any other error than a refusal counts as readable: the reader will meet it and say more.
 */
export function mayBeRead(path: string, stats: Owned): boolean {
  if (isPlain(stats)) return true;
  try {
    closeSync(openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)));
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code !== 'EACCES' && code !== 'EPERM';
  }
}
