/**
 * Counts shapes by their 64-bit hash, with the first line of each and an example. Bounded: with too many shapes, it
 * drops the rarer half, and counts are lower bounds from then on (`exact` is false).
 */

import { exampleEnd, shapeOf } from './shape.ts';

/** Most shapes counted at a time. */
export const MAX_TRACKED = 16 * 1024;
const MAX_EXAMPLE_BYTES = 4 * 1024 * 1024;
/** Most slots to try for a shape. Only hashes made to collide need more; their shapes are not counted. */
const MAX_PROBES = 256;
/** Shapes above this count are equally unlikely to be dropped. */
const RARE = 1024;

/** The contents of a table, to be sent to another thread. Entry i of each belongs to the same shape. */
export type ShapeCounts = {
  exact: boolean;
  /** Two for each shape. */
  hashes: Int32Array;
  counts: Float64Array;
  firstLines: Float64Array;
  exampleLengths: Uint16Array;
  /** The examples, UTF-8, one after the other. */
  examples: Uint8Array;
};

/** One of the most frequent shapes. */
export interface TopShape {
  /** Equal for equal shapes. */
  hash: string;
  count: number;
  firstLine: number;
  /** The beginning of the first line, UTF-8. */
  example: Uint8Array;
}

/** The lookup memory of a table, for the most shapes it may hold. */
interface ShapeStorage {
  /** Twice as many as shapes. */
  slots: Int32Array;
  low: Int32Array;
  high: Int32Array;
  counts: Float64Array;
}

/** Sees some lines of each shape while they are counted. */
export interface ShapeWatcher {
  /** It sees so many lines of each shape, and of the rest one in SEEN_OF_REST. */
  most: number;
  /** Returns true if it wants all lines of this shape. The line text is in `bytes`, from `start` up to `end`. */
  see(entry: number, bytes: Uint8Array, start: number, end: number, line: number): boolean;
  /** Called before the table forgets all, as it is full. */
  forget(): void;
  /** Asked at each new shape. Returns true if it need not be counted. */
  isFull(): boolean;
}

export const SEEN_OF_REST = 256;
/** From this count on, all lines of a shape are seen: adding them leaves it below zero. */
const WANTED = -(2 ** 52);

export class ShapeTable {
  /** Is shown lines; the table then forgets all where it is full. */
  watcher: ShapeWatcher | null = null;
  exact = true;
  #size = 0;
  #slots: Int32Array = new Int32Array(1 << 9);
  #low: Int32Array = new Int32Array(256);
  #high: Int32Array = new Int32Array(256);
  #counts: Float64Array = new Float64Array(256);
  #firstLines = new Float64Array(256);
  #exampleStarts = new Uint32Array(256);
  #exampleLengths = new Uint16Array(256);
  #examples = new Uint8Array(16 * 1024);
  #examplesEnd = 0;
  readonly #maxShapes: number;

  /** Keeps hashes and counts in `storage` if given. */
  constructor(maxShapes: number = MAX_TRACKED, storage?: ShapeStorage) {
    this.#maxShapes = Math.max(2, maxShapes);
    if (!storage) return;
    this.#slots = storage.slots;
    this.#low = storage.low;
    this.#high = storage.high;
    this.#counts = storage.counts;
    this.#firstLines = new Float64Array(maxShapes);
    this.#exampleStarts = new Uint32Array(maxShapes);
    this.#exampleLengths = new Uint16Array(maxShapes);
  }

  /** Forgets everything, but keeps the memory. */
  clear(): void {
    this.exact = true;
    this.#size = 0;
    this.#examplesEnd = 0;
    this.#slots.fill(0);
  }

  /** Counts a line by its shape: its line text, UTF-8 from `start` up to `end`. `line` is its number. */
  count(bytes: Uint8Array, start: number, end: number, line: number): void {
    const [low, high] = shapeOf(bytes, start, end).hash;
    const entry = this.add(low, high, 1, line, bytes, start, exampleEnd(bytes, start, end));
    if (entry >= 0) this.show(entry, bytes, start, end, line);
  }

  /** Shows the watcher a line that was counted, if it wants it. */
  show(entry: number, bytes: Uint8Array, start: number, end: number, line: number): void {
    if (!this.watcher) return;
    const count = this.#counts[entry]!;
    if (count > this.watcher.most && count % SEEN_OF_REST !== 0) return;
    if (this.watcher.see(entry, bytes, start, end, line) && count > 0) this.#counts[entry] = WANTED;
  }

  countOf(entry: number): number {
    return this.#counts[entry]!;
  }

  /**
   * Adds `count` lines of a shape. Of a new shape it keeps `line` and an example: the bytes from `from` up to `to`. Returns
   * the shape's entry, or -1 without room for a new one.
   */
  add(
    low: number,
    high: number,
    count: number,
    line: number,
    bytes: Uint8Array,
    from: number,
    to: number,
  ): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = mixed(low, high) & mask;
    for (let probes = 0; ; probes++) {
      if (probes > MAX_PROBES) {
        this.exact = false;
        return -1;
      }
      const entry = slots[slot]! - 1;
      if (entry < 0) break;
      if (this.#low[entry] === low && this.#high[entry] === high) {
        this.#counts[entry]! += count;
        return entry;
      }
      slot = (slot + 1) & mask;
    }
    return this.#insert(slot, low, high, count, line, bytes, from, to);
  }

  /** Adds another table's counts, whose lines come after `linesBefore` others. */
  merge(other: ShapeCounts, linesBefore: number): void {
    if (!other.exact) this.exact = false;
    let from = 0;
    for (let i = 0; i < other.counts.length; i++) {
      const to = from + other.exampleLengths[i]!;
      const line = other.firstLines[i]! + linesBefore;
      this.add(
        other.hashes[2 * i]!,
        other.hashes[2 * i + 1]!,
        other.counts[i]!,
        line,
        other.examples,
        from,
        to,
      );
      from = to;
    }
  }

  get size(): number {
    return this.#size;
  }

  /** The `count` most frequent, the earlier first among equals. */
  top(count: number): TopShape[] {
    const order = Array.from({ length: this.#size }, (_, i) => i);
    const counts = this.#counts;
    const lines = this.#firstLines;
    order.sort((a, b) => counts[b]! - counts[a]! || lines[a]! - lines[b]!);
    return order.slice(0, count).map((i) => ({
      hash: `${this.#low[i]},${this.#high[i]}`,
      count: counts[i]!,
      firstLine: lines[i]!,
      example: this.#examples.slice(
        this.#exampleStarts[i],
        this.#exampleStarts[i]! + this.#exampleLengths[i]!,
      ),
    }));
  }

  /** Returns a copy of the counts. */
  counts(): ShapeCounts {
    const size = this.#size;
    const hashes = new Int32Array(2 * size);
    for (let i = 0; i < size; i++) {
      hashes[2 * i] = this.#low[i]!;
      hashes[2 * i + 1] = this.#high[i]!;
    }
    return {
      exact: this.exact,
      hashes,
      counts: this.#counts.slice(0, size),
      firstLines: this.#firstLines.slice(0, size),
      exampleLengths: this.#exampleLengths.slice(0, size),
      examples: this.#examples.slice(0, this.#examplesEnd),
    };
  }

  #insert(
    slot: number,
    low: number,
    high: number,
    count: number,
    line: number,
    bytes: Uint8Array,
    from: number,
    to: number,
  ): number {
    const length = to - from;
    if (this.#size >= this.#maxShapes || this.#examplesEnd + length > MAX_EXAMPLE_BYTES) {
      this.#makeRoom();
      return this.add(low, high, count, line, bytes, from, to);
    }
    if (this.#size === this.#low.length) {
      this.#grow();
      return this.add(low, high, count, line, bytes, from, to);
    }
    const entry = this.#size++;
    this.#slots[slot] = entry + 1;
    this.#low[entry] = low;
    this.#high[entry] = high;
    this.#counts[entry] = count;
    this.#firstLines[entry] = line;
    this.#exampleStarts[entry] = this.#examplesEnd;
    this.#exampleLengths[entry] = length;
    if (this.#examplesEnd + length > this.#examples.length) {
      const larger = new Uint8Array(this.#examples.length * 2 + length);
      larger.set(this.#examples);
      this.#examples = larger;
    }
    this.#examples.set(bytes.subarray(from, to), this.#examplesEnd);
    this.#examplesEnd += length;
    return entry;
  }

  #makeRoom(): void {
    if (!this.watcher) {
      this.#forgetRare();
      return;
    }
    this.watcher.forget();
    this.clear();
    this.exact = false;
  }

  #grow(): void {
    const capacity = this.#low.length * 2;
    this.#low = copied(new Int32Array(capacity), this.#low);
    this.#high = copied(new Int32Array(capacity), this.#high);
    this.#counts = copied(new Float64Array(capacity), this.#counts);
    this.#firstLines = copied(new Float64Array(capacity), this.#firstLines);
    this.#exampleStarts = copied(new Uint32Array(capacity), this.#exampleStarts);
    this.#exampleLengths = copied(new Uint16Array(capacity), this.#exampleLengths);
    this.#slots = new Int32Array(capacity * 2);
    this.#fillSlots();
  }

  /** Keeps the more frequent half; among equals at its edge, those seen first. */
  #forgetRare(): void {
    this.exact = false;
    const keep = this.#size >> 1;
    const histogram = new Uint32Array(RARE + 1);
    for (let i = 0; i < this.#size; i++) histogram[Math.min(this.#counts[i]!, RARE)]!++;
    let edge = RARE;
    let above = 0;
    while (edge > 0 && above + histogram[edge]! <= keep) above += histogram[edge--]!;
    let atEdge = keep - above;
    let size = 0;
    let end = 0;
    for (let i = 0; i < this.#size; i++) {
      const count = Math.min(this.#counts[i]!, RARE);
      if (count < edge || (count === edge && atEdge-- <= 0)) continue;
      const start = this.#exampleStarts[i]!;
      const length = this.#exampleLengths[i]!;
      this.#examples.copyWithin(end, start, start + length);
      this.#low[size] = this.#low[i]!;
      this.#high[size] = this.#high[i]!;
      this.#counts[size] = this.#counts[i]!;
      this.#firstLines[size] = this.#firstLines[i]!;
      this.#exampleStarts[size] = end;
      this.#exampleLengths[size] = length;
      size++;
      end += length;
    }
    this.#size = size;
    this.#examplesEnd = end;
    this.#fillSlots();
  }

  #fillSlots(): void {
    const slots = this.#slots.fill(0);
    const mask = slots.length - 1;
    for (let i = 0; i < this.#size; i++) {
      let slot = mixed(this.#low[i]!, this.#high[i]!) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = i + 1;
    }
  }
}

function mixed(low: number, high: number): number {
  let hash = low ^ (high >>> 7);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return hash ^ (hash >>> 13);
}

function copied<T extends Int32Array | Float64Array | Uint32Array | Uint16Array>(into: T, from: T): T {
  into.set(from);
  return into;
}
