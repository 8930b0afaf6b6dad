/** Opens a file by its real path, for reading. */
import { closeSync, constants, fstatSync, lstatSync, openSync, realpathSync } from 'node:fs';

/**
 * The path was real, and a file's, when it was looked at. It may have become a pipe since (opening that would wait for a
 * writer), or a link, or lie behind a folder that is now a link to somewhere else: then nothing is there. Throws what
 * the system throws.
 */
export function openReal(path: string): number {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
  try {
    const opened = fstatSync(fd);
    if (!opened.isFile()) throw Object.assign(new Error('not a file'), { code: 'EISDIR' });
    const named = lstatSync(path);
    if (realpathSync.native(path) !== path || named.dev !== opened.dev || named.ino !== opened.ino) {
      throw Object.assign(new Error('another file'), { code: 'ENOENT' });
    }
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}
