/** One look at the file at a real path, that goes through no link and tells whether the file may still be read. */
import { lstat, realpath as realpathCallback, type Stats } from 'node:fs';
import { promisify } from 'node:util';
import { mayBeRead } from '../../../library/files/readable.ts';

const realpath = promisify(realpathCallback.native);
const look = promisify(lstat);

/**
 * Throws what the system throws: `ELOOP` when a link took the file's place, `ENOENT` when a folder above it became one,
 * `EISDIR` for whatever is not a file, `EACCES` when it may not be read, though a descriptor that is held still could.
 *
 * @param readable as it was when it was last found to be readable: what decides about that has not changed unless its
 *   time of change has
 */
export async function lookAtFile(path: string, readable: Stats | null): Promise<Stats> {
  const stats = await look(path);
  if (stats.isSymbolicLink()) throw withCode('ELOOP');
  if (!stats.isFile()) throw withCode('EISDIR');
  if ((await realpath(path)) !== path) throw withCode('ENOENT');
  const isSame = readable?.ctimeMs === stats.ctimeMs && readable.ino === stats.ino;
  if (!isSame && !mayBeRead(path, stats)) throw withCode('EACCES');
  return stats;
}

function withCode(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code });
}
