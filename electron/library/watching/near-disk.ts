/**
 * Looks at files of this machine in this thread, in slices. Requests to libuv's threads cost three times as much, and
 * each waits for a processor: on a busy machine, 1,400 folders took six seconds instead of one.
 */
import { lstatSync, readdirSync } from 'node:fs';
import { isLossy, pathBytes, realPathSync } from '../../reader/bytes/path-text.ts';
import { takeTurns } from '../../store/format/walk.ts';
import { fileSystemOf } from './file-systems.ts';
import { type Disk, exactEntries, farDisk, isVague, MISSING, type StatsOrError } from './look.ts';
import { farPathOf, hasMountBelow } from './mounts.ts';
import { shareDisk } from './share-disk.ts';

export const nearDisk: Disk = {
  async entries(path) {
    const bytes = pathBytes(path);
    const entries = readdirSync(bytes, { withFileTypes: true });
    if (!entries.some(({ name }) => isLossy(name))) return entries;
    return exactEntries(readdirSync(bytes, { withFileTypes: true, encoding: 'buffer' }));
  },
  async stats(paths) {
    const turn = takeTurns();
    const looks: StatsOrError[] = [];
    for (const [index, path] of paths.entries()) {
      looks.push(lookAt(path));
      if (index % LOOKS_OF_A_TURN === 0) await turn();
    }
    return looks;
  },
  async isReal(path) {
    try {
      return realPathSync(path) === path;
    } catch (error) {
      return isVague(error) ? null : false;
    }
  },
};

/** Returns the disk functions for a path that is not known yet. */
export function diskAround(path: string): Disk {
  return farPathOf(path) === null ? farDisk : shareDisk;
}

/** Resolves with the disk functions for a folder's contents: near if none of it can be on another machine. */
export async function diskOf(path: string): Promise<Disk> {
  if (farPathOf(path) !== null) return shareDisk;
  const { isLocal } = await fileSystemOf(path);
  return isLocal && !hasMountBelow(path) ? nearDisk : farDisk;
}

/** A look takes some microseconds. */
const LOOKS_OF_A_TURN = 64;

function lookAt(path: string): StatsOrError {
  try {
    return lstatSync(pathBytes(path), { throwIfNoEntry: false }) ?? MISSING;
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
}
