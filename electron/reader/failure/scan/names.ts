/**
 * Counts names (files, targets, tests, options), bounded, with their first and last places. A name at the end of the
 * output leads back to earlier lines about it.
 */
import { HashSlots } from './hash-slots.ts';

export class NameCounts {
  readonly #slots: HashSlots;
  readonly #counts: Uint32Array;
  readonly #firstLine: Float64Array;
  readonly #firstOffset: Float64Array;
  readonly #lastLine: Float64Array;
  readonly #lastOffset: Float64Array;
  readonly #beforeLine: Float64Array;
  readonly #beforeOffset: Float64Array;

  /** Keeps up to `most` names, a power of two. */
  constructor(most: number) {
    this.#slots = new HashSlots(most);
    this.#counts = new Uint32Array(most);
    this.#firstLine = new Float64Array(most);
    this.#firstOffset = new Float64Array(most);
    this.#lastLine = new Float64Array(most);
    this.#lastOffset = new Float64Array(most);
    this.#beforeLine = new Float64Array(most);
    this.#beforeOffset = new Float64Array(most);
  }

  add(hash: number, line: number, offset: number): void {
    let slot = this.#slots.find(hash);
    if (slot < 0) {
      slot = this.#slots.add(hash);
      if (slot < 0) return;
      this.#firstLine[slot] = line;
      this.#firstOffset[slot] = offset;
    } else if (this.#lastLine[slot] !== line) {
      this.#beforeLine[slot] = this.#lastLine[slot]!;
      this.#beforeOffset[slot] = this.#lastOffset[slot]!;
    }
    this.#counts[slot]!++;
    this.#lastLine[slot] = line;
    this.#lastOffset[slot] = offset;
  }

  countOf(hash: number): number {
    const slot = this.#slots.find(hash);
    return slot < 0 ? 0 : this.#counts[slot]!;
  }

  /** Its first line, and its last two. */
  placesOf(hash: number): { line: number; offset: number }[] {
    const slot = this.#slots.find(hash);
    if (slot < 0) return [];
    const places = [
      { line: this.#firstLine[slot]!, offset: this.#firstOffset[slot]! },
      { line: this.#beforeLine[slot]!, offset: this.#beforeOffset[slot]! },
      { line: this.#lastLine[slot]!, offset: this.#lastOffset[slot]! },
    ];
    return places.filter(({ line }, i) => line > 0 && places.findIndex((p) => p.line === line) === i);
  }
}
