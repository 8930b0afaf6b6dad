/**
 * Counts the shapes of lines, bounded: how often each came, its first and last place, its groups of WORDS, how new it
 * was at first, and the values of its first numbers. A value unlike the usual ones is kept as an oddity with its place.
 */
import { HashSlots } from './hash-slots.ts';

/** Numbers of a line whose values are watched. */
export const SLOTS = 5;
/** Most different values of a number that are kept; with more, the number counts as varying. */
const VALUES = 3;
/** When the table is full, the last so many shapes with telling words are kept. */
const LATE = 2048;

/** Number of first lines whose shapes are kept. */
export const FIRST_LINES = 1 << 14;

/** A line that stands for a shape. */
export interface LinePlace {
  line: number;
  offset: number;
}

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
  readonly #values: Int32Array;
  readonly #valueCounts: Uint16Array;
  readonly #magnitudes: Int32Array;
  /** Magnitudes that came twice. */
  readonly #usual: Int32Array;
  readonly oddities = new Oddities();
  /** Lines by the words they have, of shapes that are not kept. */
  readonly uncounted = new Map<number, number>();
  readonly late: (LinePlace & { words: number })[] = [];
  #lateAt = 0;
  /** By line number: the slot of its shape plus one, and where it begins. */
  readonly slotOfLine = new Uint32Array(FIRST_LINES);
  readonly offsetOfLine = new Float64Array(FIRST_LINES);
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
    this.#values = new Int32Array(most * SLOTS * VALUES);
    this.#valueCounts = new Uint16Array(most * SLOTS * VALUES);
    this.#magnitudes = new Int32Array(most * SLOTS);
    this.#usual = new Int32Array(most * SLOTS);
  }

  get size(): number {
    return this.#slots.count;
  }

  /** How often the shape came, 0 when it is not kept. */
  countOf(hash: number): number {
    const slot = this.#slots.find(hash);
    return slot < 0 ? 0 : this.counts[slot]!;
  }

  slotOf(hash: number): number {
    return this.#slots.find(hash);
  }

  /** Adds one line; `values` and `magnitudes` hold its first `count` numbers. Returns the slot of a new shape, else -1. */
  add(
    hash: number,
    coarse: number,
    words: number,
    line: number,
    offset: number,
    values: Int32Array,
    magnitudes: Int32Array,
    count: number,
  ): number {
    let slot = this.#slots.find(hash);
    if (slot >= 0) {
      if (line < FIRST_LINES) this.#note(line, slot, offset);
      this.#newRate *= 0.97;
      const seen = ++this.counts[slot]!;
      this.lastLine[slot] = line;
      this.lastOffset[slot] = offset;
      for (let i = 0; i < count; i++) this.#watch(slot, i, values[i]!, magnitudes[i]!, seen, line, offset);
      return -1;
    }
    slot = this.#slots.count < this.#plain || (words & TELLING) !== 0 ? this.#slots.add(hash) : -1;
    const wasNew = this.#newRate;
    this.#newRate = wasNew * 0.97 + 0.03;
    if (slot < 0) {
      this.uncounted.set(words, (this.uncounted.get(words) ?? 0) + 1);
      if ((words & TELLING) !== 0) {
        this.late[this.#lateAt] = { line, offset, words };
        this.#lateAt = (this.#lateAt + 1) % LATE;
      }
      return -1;
    }
    if (line < FIRST_LINES) this.#note(line, slot, offset);
    this.counts[slot] = 1;
    this.words[slot] = words;
    this.coarse[slot] = coarse;
    this.firstLine[slot] = this.lastLine[slot] = line;
    this.firstOffset[slot] = this.lastOffset[slot] = offset;
    this.novelty[slot] = Math.round((1 - wasNew) * 255);
    for (let i = 0; i < count; i++) {
      const at = (slot * SLOTS + i) * VALUES;
      this.#values[at] = values[i]!;
      this.#valueCounts[at] = 1;
      this.#magnitudes[slot * SLOTS + i] = 1 << magnitudes[i]!;
    }
    return slot;
  }

  /** Whether a number of the shape's first line differs from nearly all others. */
  firstIsOdd(slot: number): boolean {
    const total = this.counts[slot]!;
    if (total < 4) return false;
    for (let i = 0; i < SLOTS; i++) {
      const at = (slot * SLOTS + i) * VALUES;
      if (this.#valueCounts[at] === 1 && this.#valueCounts[at + 1]! >= total - 2) return true;
    }
    return false;
  }

  /** How odd a value is now that all are counted: 0 for not at all, 1 for once among hundreds. */
  oddness({ shape, slot, value, magnitude }: Oddity): number {
    const total = this.counts[shape]!;
    if (magnitude >= 0) {
      const usual = this.#usual[shape * SLOTS + slot]!;
      const isUsual = (usual & (1 << magnitude)) !== 0 || isSmaller(magnitude, usual);
      return isUsual || total < 12 ? 0 : Math.min(1, Math.log2(total) / 10);
    }
    const at = (shape * SLOTS + slot) * VALUES;
    if (this.#valueCounts[at + VALUES - 1] === VARYING) return 0;
    for (let v = 0; v < VALUES; v++) {
      if (this.#values[at + v] !== value) continue;
      const share = this.#valueCounts[at + v]! / total;
      return share > 0.2 ? 0 : Math.min(1, Math.log2(1 / share) / 8);
    }
    return 0;
  }

  #note(line: number, slot: number, offset: number): void {
    this.slotOfLine[line] = slot + 1;
    this.offsetOfLine[line] = offset;
  }

  #watch(
    shape: number,
    slot: number,
    value: number,
    magnitude: number,
    seen: number,
    line: number,
    offset: number,
  ): void {
    const at = (shape * SLOTS + slot) * VALUES;
    const last = this.#valueCounts[at + VALUES - 1]!;
    if (last < VARYING) {
      let v = 0;
      while (v < VALUES && this.#valueCounts[at + v] !== 0 && this.#values[at + v] !== value) v++;
      if (v === VALUES) this.#valueCounts[at + VALUES - 1] = VARYING;
      else {
        const known = this.#valueCounts[at + v]!;
        if (known === 0) {
          this.#values[at + v] = value;
          if (seen >= 3) this.oddities.add({ shape, slot, value, magnitude: -1, line, offset, seen });
        }
        if (known < VARYING - 1) this.#valueCounts[at + v] = known + 1;
      }
    }
    const bit = 1 << magnitude;
    const bits = this.#magnitudes[shape * SLOTS + slot]!;
    if ((bits & bit) !== 0) {
      this.#usual[shape * SLOTS + slot]! |= bit;
      return;
    }
    this.#magnitudes[shape * SLOTS + slot] = bits | bit;
    if (seen >= 12) this.oddities.add({ shape, slot, value, magnitude, line, offset, seen });
  }
}

const VARYING = 0xffff;

/** Where numbers have three or four digits, some have two. */
function isSmaller(magnitude: number, usual: number): boolean {
  const least = 31 - Math.clz32(usual & -usual);
  return magnitude > 0 && magnitude < 16 && magnitude >= least - 1 && usual >> (magnitude + 1) !== 0;
}

/** Words for which a shape is worth keeping: all but success and quiet levels. */
const TELLING = 0x1aff;

/**
 * A line in which a usually constant value changed. Their number is bounded: those of the most frequent shapes stay.
 */
interface Oddity {
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

class Oddities {
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
