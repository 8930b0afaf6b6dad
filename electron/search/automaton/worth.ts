/** Tells when rows cost more than they save, where a simulation with bits can replace them. */

/**
 * Rows are judged after so many entries. An entry takes about 3 us, in which bits.wat reads `bytes` divided by its
 * vectors. New text often needs new entries, so they may be too many a few times in a row.
 */
const JUDGED = { entries: 2048, bytes: 1000, times: 2 };

export class Worth {
  readonly #vectors: number | null;
  /** Since rows were last judged. */
  #entries = 0;
  #bytes = 0;
  /** How often in a row too few bytes were read. */
  #times = 0;

  /** `vectors`: of the bits that can replace the rows; null if none can. */
  constructor(vectors: number | null) {
    this.#vectors = vectors;
  }

  count(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Counts an entry; `read` bytes are not yet counted. Returns true once entries were too many for the bytes read. */
  isLost(read: number): boolean {
    this.#entries += 1;
    if (this.#vectors === null || this.#entries < JUDGED.entries) return false;
    const enough = (JUDGED.entries * JUDGED.bytes) / this.#vectors;
    this.#times = this.#bytes + read < enough ? this.#times + 1 : 0;
    this.#entries = 0;
    this.#bytes = -read;
    if (this.#times < JUDGED.times + this.#vectors) return false;
    this.#times = 0;
    return true;
  }
}
