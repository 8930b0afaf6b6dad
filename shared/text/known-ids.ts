/** Suggests known ids for an unknown one. */
import { nearest } from './nearest.ts';

const MOST_IDS = 3;

/** Ids that resemble the one that was given, else the newest; `none` where there is nothing to offer. */
export function offerIds(given: string, ids: readonly string[], none: string): string {
  const near = nearest(given, ids, MOST_IDS);
  if (near.length > 0) return theNearest(near);
  const newest = ids.toSorted((a, b) => (timeIn(a) < timeIn(b) ? 1 : -1)).slice(0, MOST_IDS);
  return newest.length > 0 ? `the newest ${isOrAre(newest)}` : none;
}

/** `the nearest is a`, `the nearest are a, b`. */
export function theNearest(names: readonly string[]): string {
  return `the nearest ${isOrAre(names)}`;
}

/** `is a`, `are a, b`. */
export function isOrAre(names: readonly string[]): string {
  return `${names.length === 1 ? 'is' : 'are'} ${names.join(', ')}`;
}

/** An id ends in the time it was given, and six characters. */
function timeIn(id: string): string {
  return id.slice(-26);
}
