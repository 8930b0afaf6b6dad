/**
 * Maps hashes to slot numbers in the order of their coming, in a bounded table of typed arrays. Its owner keeps the
 * data of each slot.
 */

export class HashSlots {
  readonly capacity: number;
  readonly #table: Int32Array;
  readonly #mask: number;
  readonly hashes: Int32Array;
  /** A bit for each hash in the table. Looking for those that are not there took half of a scan. */
  readonly #filter: Uint8Array;
  readonly #shift: number;
  count = 0;

  /** Holds up to `capacity` hashes, a power of two. */
  constructor(capacity: number) {
    this.capacity = capacity;
    this.#table = new Int32Array(capacity * 2);
    this.#mask = capacity * 2 - 1;
    this.hashes = new Int32Array(capacity);
    this.#filter = new Uint8Array(capacity);
    this.#shift = Math.clz32(capacity - 1);
  }

  /** The slot of `hash`, or -1. */
  find(hash: number): number {
    if ((this.#filter[hash >>> this.#shift]! & (1 << (hash & 7))) === 0) return -1;
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
    this.#filter[hash >>> this.#shift]! |= 1 << (hash & 7);
    const slot = this.count++;
    this.#table[at] = slot + 1;
    this.hashes[slot] = hash;
    return slot;
  }
}
