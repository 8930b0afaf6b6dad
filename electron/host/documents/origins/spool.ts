/** Where compressed files that cannot be read at random are unpacked to, and how much of them. */
import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UnpackOptions } from '../../../reader/gzip/unpack-options.ts';

/** Bytes on the disk of one unpacked file, at the most. */
const MAX_SPOOL_BYTES = 8 * 1024 ** 3;
/** Bytes of its text: some minutes of unpacking. */
const MAX_TEXT_BYTES = 64 * 1024 ** 3;
/** Left free on the disk: as `minFreeBytes`, 1 GiB or 5 %, the smaller. */
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

/** Returns how many bytes the temporary file may have, given that it has `stored` already. */
function spoolLimit(home: string, stored: number): number {
  const { bavail, blocks, bsize } = statfsSync(spoolDirectory(home));
  const reserve = Math.min(MIN_FREE_BYTES, blocks * bsize * 0.05);
  return Math.max(0, Math.min(MAX_SPOOL_BYTES, stored + bavail * bsize - reserve));
}
