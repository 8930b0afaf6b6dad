/**
 * Adds context to a set of lines: each member, and all lines within a distance of one, once and in order. Keeps only
 * counts, one for each 65,536 lines; the k-th line is found by binary search and by shifting the bits of one
 * span. Context does not reach across missing lines.
 */
import {
  countBelow,
  countFitting,
  LineSet,
  memberCount,
  SPAN,
  select,
  WORDS,
} from '../../shared/line-set.ts';
import { type LineGap, unbroken } from '../reader/lines/line-gaps.ts';

const EMPTY = new Uint32Array(WORDS);

export class Dilation {
  readonly #context: number;
  #set = new LineSet();
  #gaps: readonly LineGap[] = [];
  /**
   * Keys of the spans that have lines; `#before` has the number of lines before each, and the total at its end.
   */
  readonly #keys: number[] = [];
  readonly #before: number[] = [0];
  /** Spans below this key keep their counts when lines are appended. */
  #settled = 0;
  #last: { key: number; bitmap: Uint32Array } | null = null;

  /** @param context number of lines, less than 32 */
  constructor(context: number) {
    this.#context = context;
  }

  /** Counts again from this line on: members may have changed. */
  rewind(line: number): void {
    this.#settled = Math.max(0, Math.min(this.#settled, Math.floor(line / SPAN) - 1));
  }

  /** Counts the lines appended since. New gaps must come after the known lines. */
  update(set: LineSet, gaps: readonly LineGap[]): void {
    this.#set = set;
    this.#gaps = gaps;
    this.#last = null;
    while (this.#keys.length > 0 && this.#keys.at(-1)! >= this.#settled) {
      this.#keys.pop();
      this.#before.pop();
    }
    const { keys } = set;
    // A member near the edge of its span gives its neighbour context, too.
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

  /** Returns the k-th line, from 0; undefined past the end. */
  kth(k: number): number | undefined {
    if (k < 0 || k >= this.size) return undefined;
    const low = countFitting(this.#keys.length, (i) => this.#before[i]! <= k) - 1;
    const key = this.#keys[low]!;
    return key * SPAN + select(this.#bitmap(key), k - this.#before[low]!);
  }

  /** Returns the number of lines below `line`, which is also its index among them. */
  rank(line: number): number {
    const key = Math.floor(line / SPAN);
    const low = countFitting(this.#keys.length, (i) => this.#keys[i]! < key);
    const before = this.#before[low]!;
    return this.#keys[low] === key ? before + countBelow(this.#bitmap(key), line - key * SPAN) : before;
  }

  #count(key: number): void {
    if (key < this.#settled || key <= (this.#keys.at(-1) ?? -1)) return;
    const size = memberCount(this.#bitmap(key));
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

  /** Sets each member's bit, and `#context` bits on both sides of it. */
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

  /** Corrects the lines near the stream's start and near gaps, which context must not cross. */
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
