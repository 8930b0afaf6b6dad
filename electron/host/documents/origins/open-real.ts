/** Opens a file by its real path, for reading. */
import { closeSync, constants, fstatSync, lstatSync, openSync } from 'node:fs';
import { pathBytes, realPathSync } from '../../../reader/bytes/path-text.ts';

/**
 * Opens a path that was a plain file, links resolved, when it was checked. It may since have become a pipe (opening
 * one waits for a writer) or a link, or lie behind a folder that became a link: then it counts as missing. Throws
 * system errors.
 */
export function openReal(path: string): number {
  const bytes = pathBytes(path);
  const fd = openSync(bytes, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
  try {
    const opened = fstatSync(fd);
    if (!opened.isFile()) throw Object.assign(new Error('not a file'), { code: 'EISDIR' });
    const named = lstatSync(bytes);
    if (realPathSync(path) !== path || named.dev !== opened.dev || named.ino !== opened.ino) {
      throw Object.assign(new Error('another file'), { code: 'ENOENT' });
    }
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}
