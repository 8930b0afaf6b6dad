/**
 * Counts the shapes of lines, bounded: how often each came, its first and last place, its groups of WORDS, and how new it
 * was at first.
 */
import { HashSlots } from './hash-slots.ts';

/** When the table is full, the last so many shapes with telling words are kept. */
const LATE = 2048;

/** A line that stands for a shape. */
export interface LinePlace {
  line: number;
  offset: number;
}

/** Words for which a shape is worth keeping: all but success and quiet levels. */
const TELLING = 0x1aff;

export class FailureShapes {
  readonly #slots: HashSlots;
  readonly counts: Uint32Array;
  readonly words: Uint16Array;
  readonly coarse: Int32Array;
  readonly firstLine: Float64Array;
  readonly firstOffset: Float64Array;
  readonly lastLine: Float64Array;
  readonly lastOffset: Float64Array;
  /** 1 where a line of the shape is at error level. */
  readonly isError: Uint8Array;
  /** How unusual a new shape was there, 0 to 255. */
  readonly novelty: Uint8Array;
  readonly late: LinePlace[] = [];
  #lateAt = 0;
  /** Share of new shapes among the lines just before, moving. */
  #newRate = 0.5;
  readonly #plain: number;

  /** Keeps up to `most` shapes, a power of two; when half of them are taken, only shapes with telling words. */
  constructor(most: number) {
    this.#plain = most / 2;
    this.#slots = new HashSlots(most);
    this.counts = new Uint32Array(most);
    this.words = new Uint16Array(most);
    this.coarse = new Int32Array(most);
    this.firstLine = new Float64Array(most);
    this.firstOffset = new Float64Array(most);
    this.lastLine = new Float64Array(most);
    this.lastOffset = new Float64Array(most);
    this.isError = new Uint8Array(most);
    this.novelty = new Uint8Array(most);
  }

  get size(): number {
    return this.#slots.count;
  }

  /** Adds one line. Returns the slot of a new shape, else -1. */
  add(hash: number, coarse: number, words: number, line: number, offset: number): number {
    let slot = this.#slots.find(hash);
    if (slot >= 0) {
      this.#newRate *= 0.97;
      this.counts[slot]!++;
      this.lastLine[slot] = line;
      this.lastOffset[slot] = offset;
      return -1;
    }
    slot = this.#slots.count < this.#plain || (words & TELLING) !== 0 ? this.#slots.add(hash) : -1;
    const wasNew = this.#newRate;
    this.#newRate = wasNew * 0.97 + 0.03;
    if (slot < 0) {
      if ((words & TELLING) !== 0) {
        this.late[this.#lateAt] = { line, offset };
        this.#lateAt = (this.#lateAt + 1) % LATE;
      }
      return -1;
    }
    this.counts[slot] = 1;
    this.words[slot] = words;
    this.coarse[slot] = coarse;
    this.firstLine[slot] = this.lastLine[slot] = line;
    this.firstOffset[slot] = this.lastOffset[slot] = offset;
    this.novelty[slot] = Math.round((1 - wasNew) * 255);
    return slot;
  }
}
