/** Stops storing before the disk is full: below `minFreeBytes` nothing more is written (CONTRACT 4). */

import { statfsSync } from 'node:fs';
import { GIB, MIB } from '../../../shared/limits.ts';

/** Asking takes some microseconds, so ask once for this many bytes or milliseconds. */
const ASK_BYTES = 4 * MIB;
const ASK_MS = 1000;

export interface SpaceGuard {
  /** Why `bytes` more must not be written; null if they may. */
  before(bytes: number): string | null;
}

/** `minFreeBytes` null: 1 GiB or 5 % of the disk, the smaller. `now` is in milliseconds. */
export function guardSpace(folder: string, minFreeBytes: number | null, now: () => number): SpaceGuard {
  let since = Number.POSITIVE_INFINITY;
  let asked = Number.NEGATIVE_INFINITY;
  let room = Number.POSITIVE_INFINITY;
  let answer: string | null = null;
  return {
    before(bytes) {
      const time = now();
      if (since + bytes > Math.min(ASK_BYTES, room) || time - asked > ASK_MS) {
        const space = look(folder, minFreeBytes);
        asked = time;
        since = 0;
        room = space === null ? Number.POSITIVE_INFINITY : space.room;
        answer = space !== null && space.room < bytes ? space.reason : null;
      }
      since += bytes;
      return answer;
    },
  };
}

/** How many bytes may be written, and the warning if none may. Null if the system does not say. */
function look(folder: string, minFreeBytes: number | null): { room: number; reason: string } | null {
  try {
    const { bavail, bsize, blocks } = statfsSync(folder);
    const keep = minFreeBytes ?? Math.min(GIB, blocks * bsize * 0.05);
    if (keep === 0) return null;
    const free = bavail * bsize;
    return {
      room: free - keep,
      reason: `only ${Math.floor(free / MIB)} MiB are free on the disk (minFreeBytes is ${Math.ceil(keep / MIB)} MiB)`,
    };
  } catch {
    return null;
  }
}
