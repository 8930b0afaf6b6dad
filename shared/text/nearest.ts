/** Finds what someone probably meant: the known names nearest to a wrong one. */

/** Longest part of a name that is compared. */
const MAX_NAME_CHARS = 128;
/** Cells of distance tables filled in one call, about 20 ms: names beyond are not considered. */
const MAX_WORK = 4_000_000;

/**
 * Returns at most `count` of `known`, nearest first: strings that contain `name`, and those within a third of its
 * length in edits (insertion, deletion, substitution, transposition). Ignores case.
 */
export function nearest(name: string, known: Iterable<string>, count = 3): string[] {
  const wanted = name.slice(0, MAX_NAME_CHARS).toLowerCase();
  if (wanted === '') return [];
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  const found: { candidate: string; distance: number }[] = [];
  let work = 0;
  for (const candidate of known) {
    const lower = candidate.slice(0, MAX_NAME_CHARS).toLowerCase();
    work += 16;
    let distance = limit + 1;
    if (wanted.length >= 3 && lower.includes(wanted)) distance = lower.startsWith(wanted) ? 0.5 : 1.5;
    if (distance > 1 && Math.abs(lower.length - wanted.length) <= limit) {
      work += wanted.length * (2 * limit + 1);
      distance = Math.min(distance, editDistance(wanted, lower, limit));
    }
    if (distance <= Math.max(limit, 1.5)) found.push({ candidate, distance });
    if (work > MAX_WORK) break;
  }
  found.sort((a, b) => a.distance - b.distance);
  return found.slice(0, count).map((f) => f.candidate);
}

/** Optimal string alignment distance of two strings; any number above `limit` when the distance exceeds it. */
export function editDistance(a: string, b: string, limit = Number.POSITIVE_INFINITY): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  const band = Math.min(limit, Math.max(a.length, b.length));
  let before: number[] = [];
  let above: number[] = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row: number[] = new Array<number>(b.length + 1).fill(band + 1);
    if (i <= band) row[0] = i;
    let least = row[0]!;
    for (let j = Math.max(1, i - band); j <= Math.min(b.length, i + band); j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, before[j - 2]! + 1);
      }
      row[j] = cost;
      least = Math.min(least, cost);
    }
    if (least > limit) return limit + 1;
    before = above;
    above = row;
  }
  return above[b.length]!;
}

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
