/** Decides whether a command starts threads: one takes as long to start as all of a small search. */
import { statSync } from 'node:fs';
import { pathNamed } from '../reader/bytes/path-text.ts';
import { farPathOf, isServed } from '../reader/disks/mounts.ts';

/** Two threads search or summarise more in less time, their start included. */
const LARGE_BYTES = 64e6;

/** Matches repetitions, groups and backreferences: without them, an expression takes little time on any line. */
const MAY_NOT_END = /[*+?{(]|\\[1-9k]/;

/**
 * Whether a search of `given` needs threads: only in one can a search that never ends be stopped. An id's size is not
 * known yet, so it may be large.
 */
export function searchNeedsThreads(given: string, pattern: string, fixed = false): boolean {
  if (!fixed && MAY_NOT_END.test(pattern)) return true;
  const bytes = sizeOf(given);
  return bytes === null || bytes > LARGE_BYTES;
}

/** Whether a summary of `given` takes less time with threads. */
export function summaryNeedsThreads(given: string): boolean {
  return (sizeOf(given) ?? 0) > LARGE_BYTES;
}

/** Returns null if the file does not exist, or is on a share, which may not answer. */
function sizeOf(given: string): number | null {
  const far = farPathOf(pathNamed(given));
  if (far !== null && isServed(far)) return null;
  return statSync(given, { throwIfNoEntry: false })?.size ?? null;
}
