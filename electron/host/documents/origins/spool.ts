/** The folder and limits for unpacking compressed files that cannot be read at random. */
import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UnpackOptions } from '../../../reader/gzip/unpack-options.ts';

/** Most bytes of one unpacked file on the disk. */
const MAX_SPOOL_BYTES = 8 * 1024 ** 3;
/** Most bytes of its text: some minutes of unpacking. */
const MAX_TEXT_BYTES = 64 * 1024 ** 3;
/** Bytes to leave free on the disk. Like `minFreeBytes`: 1 GiB or 5 %, the smaller. */
const MIN_FREE_BYTES = 1024 ** 3;

export function spoolIn(home: string): UnpackOptions {
  return {
    directory: () => spoolDirectory(home),
    limit: (stored) => spoolLimit(home, stored),
    mostBytes: MAX_TEXT_BYTES,
  };
}

function spoolDirectory(home: string): string {
  const run = join(home, 'run');
  return existsSync(run) ? run : tmpdir();
}

/** Returns the most bytes that the temporary file may have; it has `stored` now. */
function spoolLimit(home: string, stored: number): number {
  const { bavail, blocks, bsize } = statfsSync(spoolDirectory(home));
  const reserve = Math.min(MIN_FREE_BYTES, blocks * bsize * 0.05);
  return Math.max(0, Math.min(MAX_SPOOL_BYTES, stored + bavail * bsize - reserve));
}
