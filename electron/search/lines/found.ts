/** Combines results of the scanner, which are valid only until its next call. */

import { SPAN } from '../../../shared/lines/line-container.ts';
import { LineSet } from '../../../shared/lines/line-set.ts';
import type { ScannedLines } from '../scanner/scanner.ts';

export function copied({ count, lines, places }: ScannedLines): ScannedLines {
  return { count, lines: lines.slice(), places: places.slice() };
}

/** Larger than any offset in the scanner's memory. */
const PLACES = 2 ** 23;

/** The empty result. */
export const NONE: ScannedLines = { count: 0, lines: new Uint32Array(), places: new Uint32Array() };

/** Returns each line once, in order, with the first of its places. */
export function uniqueLines(given: readonly ScannedLines[]): ScannedLines {
  const parts = given.filter(({ count }) => count > 0);
  // Usually only one part has lines, and sorting is the most expensive step here.
  if (parts.length < 2) return parts[0] ?? NONE;
  const all = new Float64Array(parts.reduce((sum, part) => sum + part.count, 0));
  let filled = 0;
  for (const { count, lines, places } of parts) {
    for (let i = 0; i < count; i += 1) all[filled + i] = lines[i]! * PLACES + places[i]!;
    filled += count;
  }
  all.sort();
  const lines = new Uint32Array(all.length);
  const places = new Uint32Array(all.length);
  let count = 0;
  for (const each of all) {
    const line = Math.floor(each / PLACES);
    if (count > 0 && lines[count - 1] === line) continue;
    lines[count] = line;
    places[count] = each % PLACES;
    count += 1;
  }
  return { count, lines: lines.subarray(0, count), places: places.subarray(0, count) };
}

/** Returns the lines for which `keep` returns true; stops once there are more than `most`. */
export function filtered(
  found: ScannedLines,
  keep: (line: number, place: number) => boolean,
  most = found.count,
): ScannedLines {
  const lines = new Uint32Array(Math.min(found.count, most + 1));
  const places = new Uint32Array(lines.length);
  let count = 0;
  for (let i = 0; i < found.count && count <= most; i += 1) {
    if (!keep(found.lines[i]!, found.places[i]!)) continue;
    lines[count] = found.lines[i]!;
    places[count] = found.places[i]!;
    count += 1;
  }
  return { count, lines: lines.subarray(0, count), places: places.subarray(0, count) };
}

/** Members of the open container, less its first number. A thread gathers for one search at a time. */
const low = new Uint16Array(SPAN);

/**
 * Collects rising line numbers, given block by block, into a set. A container is made when all its numbers are known:
 * uniting it from what each block adds took as long as finding the lines.
 */
export class GatheredLines {
  readonly #set = new LineSet();
  /** Number of members of the open container, and its key. */
  #count = 0;
  #key = 0;

  /** Adds rising numbers, relative to `base` and above all given before. */
  add(lines: Uint32Array, base: number): void {
    for (let i = 0; i < lines.length; ) {
      const key = Math.floor((base + lines[i]!) / SPAN);
      if (key !== this.#key) {
        this.#close();
        this.#key = key;
      }
      const first = key * SPAN - base;
      const behind = first + SPAN;
      let count = this.#count;
      for (let line = lines[i]!; line < behind; line = lines[i]!) {
        low[count] = line - first;
        count += 1;
        i += 1;
        if (i === lines.length) break;
      }
      this.#count = count;
    }
  }

  /** Returns the set; nothing may be added afterwards. */
  end(): LineSet {
    this.#close();
    return this.#set;
  }

  #close(): void {
    if (this.#count > 0) this.#set.append(low.subarray(0, this.#count), this.#key * SPAN);
    this.#count = 0;
  }
}
