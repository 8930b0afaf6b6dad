/** The folder and limits for unpacking compressed files that cannot be read at random. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytesToLeaveFree, GIB } from '../../../../shared/limits.ts';
import type { SpoolFile, SpoolFolder, UnpackOptions } from '../../../reader/gzip/compression.ts';
import type { Pool } from '../../../workers/pool.ts';

/** Most bytes of one unpacked file on the disk. */
const MAX_SPOOL_BYTES = 8 * GIB;
/** Most bytes of its text: some minutes of unpacking. */
const MAX_TEXT_BYTES = 64 * GIB;

export function spoolIn(home: string, pool: Pool): UnpackOptions {
  return {
    async folder() {
      const run = join(home, 'run');
      const exists = await pool.run('place', { path: run }, { path: run }).then(
        () => true,
        () => false,
      );
      return spoolFolder(exists ? run : tmpdir(), pool);
    },
    mostBytes: MAX_TEXT_BYTES,
  };
}

export function spoolFolder(path: string, pool: Pool): SpoolFolder {
  return {
    path,
    async create(): Promise<SpoolFile> {
      const late = (made: { fd: number }) => pool.closeFile(path, made.fd);
      const { fd } = await pool.run('nameless', { folder: path }, { path, late });
      return {
        fd,
        path,
        write: (bytes, at) => pool.run('write', { fd, bytes, at }, { path }),
        close: () => pool.closeFile(path, fd),
      };
    },
    async limit(stored) {
      const { freeBytes, totalBytes } = await pool.run('space', { path }, { path });
      return Math.max(0, Math.min(MAX_SPOOL_BYTES, stored + freeBytes - bytesToLeaveFree(totalBytes)));
    },
  };
}
