/**
 * Clones a file into another of the same file system; they then share their blocks (reflink: btrfs, XFS). Works on
 * descriptors, so the source may have been deleted or replaced.
 */
import { constants, copyFile, fchmodSync, fstatSync, ftruncateSync } from 'node:fs';
import { promisify } from 'node:util';

const copy = promisify(copyFile);
const OWN_MODE = 0o600;

/**
 * Clones `from` into the empty file `to`; resolves with whether `to` now holds its first `bytes` bytes. Linux only, as
 * other systems can't open a descriptor by name.
 */
export async function cloneFile(from: number, to: number, bytes: number): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  try {
    await copy(`/proc/self/fd/${from}`, `/proc/self/fd/${to}`, constants.COPYFILE_FICLONE_FORCE);
    // The source may have grown or been truncated since it was measured.
    const isWhole = fstatSync(to).size >= bytes;
    ftruncateSync(to, isWhole ? bytes : 0);
    return isWhole;
  } catch {
    return false;
  } finally {
    // Cloning copied the source's mode.
    fchmodSync(to, OWN_MODE);
  }
}
