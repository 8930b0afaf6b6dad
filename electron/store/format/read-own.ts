/** Reads a small file of ours: neither through a link nor from anything that could make a reader wait. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** Null when there is no such file, or it can't be read. */
export function readOwn(path: string): string | null {
  try {
    const fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      return fstatSync(fd).isFile() ? readFileSync(fd, 'utf8') : null;
    } finally {
      closeSync(fd);
    }
  } catch {
    return null;
  }
}
