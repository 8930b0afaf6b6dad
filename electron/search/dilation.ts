/**
 * The members of a set of lines and all lines up to so many from one of them, each once and in order: what a list of matches with
 * context shows. Of these only counts are kept, one for each 65,536 lines; the k-th is found by binary search and one
 * stretch's worth of shifting bits. Context does not reach over missing lines.
 */
import { type LineGap, unbroken } from '../reader/lines/line-gaps.ts';
import { countBelow, SPAN, select, sizeOf, WORDS } from './line-container.ts';
import { LineSet } from './line-set.ts';

const EMPTY = new Uint32Array(WORDS);

export class Dilation {
  readonly #context: number;
  #set = new LineSet();
  #gaps: readonly LineGap[] = [];
  /** Stretches that were counted, those before each, and all. */
  readonly #keys: number[] = [];
  readonly #before: number[] = [0];
  /** Stretches below this one stay as they were counted, whatever is appended to the set. */
  #settled = 0;
  #last: { key: number; bitmap: Uint32Array } | null = null;

  /** @param context lines, less than 32 */
  constructor(context: number) {
    this.#context = context;
  }

  /** The members from this line on may be others by now. */
  rewind(line: number): void {
    this.#settled = Math.max(0, Math.min(this.#settled, Math.floor(line / SPAN) - 1));
  }

  /** Counts what was appended to the set since. Gaps only come behind what was there. */
  update(set: LineSet, gaps: readonly LineGap[]): void {
    this.#set = set;
    this.#gaps = gaps;
    this.#last = null;
    while (this.#keys.length > 0 && this.#keys.at(-1)! >= this.#settled) {
      this.#keys.pop();
      this.#before.pop();
    }
    const { keys } = set;
    // A member may be near the edge of its stretch.
    let at = keys.length;
    while (at > 0 && keys[at - 1]! >= this.#settled - 1) at -= 1;
    for (; at < keys.length; at += 1) {
      for (const key of [keys[at]! - 1, keys[at]!, keys[at]! + 1]) this.#count(key);
    }
    this.#settled = keys.at(-1) ?? 0;
  }

  get size(): number {
    return this.#before.at(-1)!;
  }

  /** The k-th line, from 0; undefined past the end. */
  kth(k: number): number | undefined {
    if (k < 0 || k >= this.size) return undefined;
    let low = 0;
    let high = this.#keys.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#before[middle]! <= k) low = middle;
      else high = middle - 1;
    }
    const key = this.#keys[low]!;
    return key * SPAN + select(this.#bitmap(key), k - this.#before[low]!);
  }

  /** Lines below `line`: also the place that `line` has, or would have, among them. */
  rank(line: number): number {
    const key = Math.floor(line / SPAN);
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.#keys[middle]! < key) low = middle + 1;
      else high = middle;
    }
    const before = this.#before[low]!;
    return this.#keys[low] === key ? before + countBelow(this.#bitmap(key), line - key * SPAN) : before;
  }

  #count(key: number): void {
    if (key < this.#settled || key <= (this.#keys.at(-1) ?? -1)) return;
    const size = sizeOf(this.#bitmap(key));
    if (size === 0) return;
    this.#keys.push(key);
    this.#before.push(this.size + size);
  }

  #bitmap(key: number): Uint32Array {
    if (this.#last?.key === key) return this.#last.bitmap;
    const bitmap = this.#spread(key);
    this.#correctAtEdges(key, bitmap);
    this.#last = { key, bitmap };
    return bitmap;
  }

  /** Each member's bit, and as many on both sides of it. */
  #spread(key: number): Uint32Array {
    const own = this.#set.bitmap(key) ?? EMPTY;
    const next = this.#set.bitmap(key + 1)?.[0] ?? 0;
    let before = this.#set.bitmap(key - 1)?.[WORDS - 1] ?? 0;
    let word = own[0]!;
    const bitmap = new Uint32Array(WORDS);
    for (let i = 0; i < WORDS; i += 1) {
      const after = i + 1 < WORDS ? own[i + 1]! : next;
      if ((before | word | after) !== 0) {
        let spread = word;
        for (let by = 1; by <= this.#context; by += 1) {
          spread |= (word << by) | (before >>> (32 - by)) | (word >>> by) | (after << (32 - by));
        }
        bitmap[i] = spread;
      }
      before = word;
      word = after;
    }
    return bitmap;
  }

  /** Before the first line and behind each gap begins a part of the text that context does not reach into from outside. */
  #correctAtEdges(key: number, bitmap: Uint32Array): void {
    const start = key * SPAN;
    for (const after of [0, ...this.#gaps.map((gap) => gap.after)]) {
      const first = Math.max(start, after - this.#context + 1);
      const last = Math.min(start + SPAN - 1, after + this.#context);
      for (let line = first; line <= last; line += 1) {
        const bit = 1 << (line & 31);
        if (this.#isNear(line)) bitmap[(line - start) >> 5]! |= bit;
        else bitmap[(line - start) >> 5]! &= ~bit;
      }
    }
  }

  #isNear(line: number): boolean {
    if (line < 1) return false;
    const { first, last } = unbroken(this.#gaps, line);
    const from = Math.max(first, line - this.#context);
    const to = Math.min(last, line + this.#context);
    for (let near = from; near <= to; near += 1) if (this.#set.has(near)) return true;
    return false;
  }
}
