/**
 * Counts names (files, targets, tests, options), bounded, with their first and last places. A name at the end of the
 * output leads back to earlier lines about it.
 */
import { HashSlots } from './hash-slots.ts';
import type { LinePlace } from './shape-table.ts';

/** Where a name came, as a line and an offset each: at first, at last, and in the line before that. */
const FIRST = 0;
const BEFORE = 2;
const LAST = 4;
const FIELDS = 6;

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
    const last = slot * FIELDS + LAST;
    if (places[last] !== line) {
      places[slot * FIELDS + BEFORE] = places[last]!;
      places[slot * FIELDS + BEFORE + 1] = places[last + 1]!;
      places[last] = line;
      places[last + 1] = offset;
    }
    this.#counts[slot]!++;
  }

  countOf(hash: number): number {
    const slot = this.#slots.find(hash);
    return slot < 0 ? 0 : this.#counts[slot]!;
  }

  /** Its first line, and its last two. */
  placesOf(hash: number): LinePlace[] {
    const slot = this.#slots.find(hash);
    if (slot < 0) return [];
    const places = [FIRST, BEFORE, LAST].map((field) => ({
      line: this.#places[slot * FIELDS + field]!,
      offset: this.#places[slot * FIELDS + field + 1]!,
    }));
    return places.filter(({ line }, i) => line > 0 && places.findIndex((place) => place.line === line) === i);
  }
}
