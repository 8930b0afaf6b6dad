/**
 * A line in which a usually constant value changed. Their number is bounded: those of the most frequent shapes stay.
 */
export interface Oddity {
  readonly shape: number;
  readonly slot: number;
  readonly value: number;
  /** The order of magnitude that is unusual, from 0 to 30; -1 where the value is, and few others are usual. */
  readonly magnitude: number;
  readonly line: number;
  readonly offset: number;
  /** Lines of the shape until then. */
  readonly seen: number;
}

const MOST_ODD_LINES = 4096;

export class Oddities {
  #list: Oddity[] = [];

  add(oddity: Oddity): void {
    this.#list.push(oddity);
    if (this.#list.length < MOST_ODD_LINES) return;
    this.#list.sort((a, b) => b.seen - a.seen);
    this.#list.length = MOST_ODD_LINES / 2;
  }

  get list(): readonly Oddity[] {
    return this.#list;
  }
}
