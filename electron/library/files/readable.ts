/** Tells whether this process may read a file that it can see. */
import { closeSync, constants, openSync, type Stats } from 'node:fs';
import { pathBytes } from '../../reader/bytes/path-text.ts';

type Owned = Pick<Stats, 'mode'>;

/** Readable by everybody. Only the system can tell about any other mode, because of access lists. */
function isPlain(stats: Owned): boolean {
  return (stats.mode & 0o444) === 0o444;
}

/**
 * Returns whether we may read the file: opens it, unless its mode lets everybody read it. `stats` are those of a
 * regular file; a pipe that replaced it does not block. Errors other than a refusal count as readable: the reader
 * reports them in more detail.
 */
export function mayBeRead(path: string, stats: Owned): boolean {
  if (isPlain(stats)) return true;
  try {
    closeSync(
      openSync(
        pathBytes(path),
        constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0),
      ),
    );
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code !== 'EACCES' && code !== 'EPERM';
  }
}
