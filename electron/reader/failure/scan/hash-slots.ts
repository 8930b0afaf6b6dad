/**
 * Maps hashes to slot numbers in the order of their coming, in a bounded table of typed arrays. Its owner keeps the
 * data of each slot.
 */

export class HashSlots {
  readonly capacity: number;
  readonly #table: Int32Array;
  readonly #mask: number;
  readonly hashes: Int32Array;
  count = 0;

  /** Holds up to `capacity` hashes, a power of two. */
  constructor(capacity: number) {
    this.capacity = capacity;
    this.#table = new Int32Array(capacity * 2);
    this.#mask = capacity * 2 - 1;
    this.hashes = new Int32Array(capacity);
  }

  /** The slot of `hash`, or -1. */
  find(hash: number): number {
    let at = (hash ^ (hash >>> 15)) & this.#mask;
    for (;;) {
      const slot = this.#table[at]! - 1;
      if (slot < 0) return -1;
      if (this.hashes[slot] === hash) return slot;
      at = (at + 1) & this.#mask;
    }
  }

  /** A new slot for a hash that has none, or -1 when all are taken. */
  add(hash: number): number {
    if (this.count === this.capacity) return -1;
    let at = (hash ^ (hash >>> 15)) & this.#mask;
    while (this.#table[at] !== 0) at = (at + 1) & this.#mask;
    const slot = this.count++;
    this.#table[at] = slot + 1;
    this.hashes[slot] = hash;
    return slot;
  }
}

export class HashCounts {
  readonly #hashes: Int32Array;
  readonly #counts: Int32Array;
  readonly #mask: number;

  /** Holds `most` different hashes. */
  constructor(most: number) {
    const capacity = 2 ** Math.ceil(Math.log2(Math.max(8, most * 1.5)));
    this.#hashes = new Int32Array(capacity);
    this.#counts = new Int32Array(capacity);
    this.#mask = capacity - 1;
  }

  /** Returns how often it came, this time included. */
  add(hash: number): number {
    const at = this.#find(hash);
    this.#hashes[at] = hash;
    return ++this.#counts[at]!;
  }

  of(hash: number): number {
    return this.#counts[this.#find(hash)]!;
  }

  #find(hash: number): number {
    let at = (Math.imul(hash, 0x9e3779b1) >>> 7) & this.#mask;
    while (this.#counts[at] !== 0 && this.#hashes[at] !== hash) at = (at + 1) & this.#mask;
    return at;
  }
}
