/** Looks at the file at a real path, without following links, and checks that it may still be read. */
import { lstat, type Stats } from 'node:fs';
import { promisify } from 'node:util';
import { mayBeRead } from '../../../library/files/readable.ts';
import { pathBytes, realPath } from '../../../reader/bytes/path-text.ts';

const look = promisify(lstat);

/**
 * Throws system errors: `ELOOP` if a link replaced the file, `ENOENT` if a link replaced a folder above it,
 * `EISDIR` for anything but a file, `EACCES` without permission, even while an open descriptor can still read it.
 *
 * @param readable the file's state when it was last found to be readable. Permissions are the same as long as its
 *   change time is.
 */
export async function lookAtFile(path: string, readable: Stats | null): Promise<Stats> {
  const stats = await look(pathBytes(path));
  if (stats.isSymbolicLink()) throw withCode('ELOOP');
  if (!stats.isFile()) throw withCode('EISDIR');
  if ((await realPath(path)) !== path) throw withCode('ENOENT');
  const isSame = readable?.ctimeMs === stats.ctimeMs && readable.ino === stats.ino;
  if (!isSame && !mayBeRead(path, stats)) throw withCode('EACCES');
  return stats;
}

function withCode(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code });
}
