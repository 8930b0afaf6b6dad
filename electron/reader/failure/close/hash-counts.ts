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
