/**
 * Clones a file into another of the same file system; they then share their blocks (reflink: btrfs, XFS). Works on
 * descriptors, so the source may have been deleted or replaced.
 */
import { constants, copyFile, fchmodSync, fstatSync, ftruncateSync } from 'node:fs';
import { promisify } from 'node:util';

const copy = promisify(copyFile);
const OWN_MODE = 0o600;

/**
 * Resolves with whether `to`, which is empty, holds the first `bytes` bytes of `from` now. Linux alone lets a
 * descriptor be opened by a name.
 */
export async function cloneFile(from: number, to: number, bytes: number): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  try {
    await copy(`/proc/self/fd/${from}`, `/proc/self/fd/${to}`, constants.COPYFILE_FICLONE_FORCE);
    // The source may have grown since it was measured, or have been cut.
    const isWhole = fstatSync(to).size >= bytes;
    ftruncateSync(to, isWhole ? bytes : 0);
    return isWhole;
  } catch {
    return false;
  } finally {
    // It was given the mode of the source.
    fchmodSync(to, OWN_MODE);
  }
}
