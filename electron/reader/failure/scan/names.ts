/**
 * Counts names (files, targets, tests, options), bounded, with their first and last places. A name at the end of the
 * output leads back to earlier lines about it.
 */
import { HashSlots } from './hash-slots.ts';
import type { LinePlace } from './shape-table.ts';

/** Where a name came at first and at last, as a line and an offset each. */
const FIRST = 0;
const LAST = 2;
const FIELDS = 4;

export class NameCounts {
  readonly #slots: HashSlots;
  readonly #counts: Uint32Array;
  readonly #places: Float64Array;

  /** Keeps up to `most` names, a power of two. */
  constructor(most: number) {
    this.#slots = new HashSlots(most);
    this.#counts = new Uint32Array(most);
    this.#places = new Float64Array(most * FIELDS);
  }

  add(hash: number, line: number, offset: number): void {
    const places = this.#places;
    let slot = this.#slots.find(hash);
    if (slot < 0) {
      slot = this.#slots.add(hash);
      if (slot < 0) return;
      places[slot * FIELDS + FIRST] = line;
      places[slot * FIELDS + FIRST + 1] = offset;
    }
    places[slot * FIELDS + LAST] = line;
    places[slot * FIELDS + LAST + 1] = offset;
    this.#counts[slot]!++;
  }

  countOf(hash: number): number {
    const slot = this.#slots.find(hash);
    return slot < 0 ? 0 : this.#counts[slot]!;
  }

  /** Its first line, and its last. */
  placesOf(hash: number): LinePlace[] {
    const slot = this.#slots.find(hash);
    if (slot < 0) return [];
    const [line, offset, lastLine, lastOffset] = this.#places.subarray(slot * FIELDS, (slot + 1) * FIELDS);
    const first = { line: line!, offset: offset! };
    return line === lastLine ? [first] : [first, { line: lastLine!, offset: lastOffset! }];
  }
}
