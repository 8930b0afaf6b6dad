/**
 * Collects rising line numbers, given block by block, into a set. A container is made when all its numbers are known:
 * uniting it from what each block adds took as long as finding the lines.
 */
import { SPAN } from '../../../shared/lines/line-container.ts';
import { LineSet } from '../../../shared/lines/line-set.ts';

/** Members of the open container, less its first number. A thread gathers for one search at a time. */
const low = new Uint16Array(SPAN);

export class GatheredLines {
  readonly #set = new LineSet();
  /** Number of members of the open container, and its key. */
  #count = 0;
  #key = 0;

  /** Adds rising numbers, relative to `base` and above all given before. */
  add(lines: Uint32Array, base: number): void {
    for (let i = 0; i < lines.length; ) {
      const key = Math.floor((base + lines[i]!) / SPAN);
      if (key !== this.#key) {
        this.#close();
        this.#key = key;
      }
      const first = key * SPAN - base;
      const behind = first + SPAN;
      let count = this.#count;
      for (let line = lines[i]!; line < behind; line = lines[i]!) {
        low[count] = line - first;
        count += 1;
        i += 1;
        if (i === lines.length) break;
      }
      this.#count = count;
    }
  }

  /** Returns the set; nothing may be added afterwards. */
  end(): LineSet {
    this.#close();
    return this.#set;
  }

  #close(): void {
    if (this.#count > 0) this.#set.append(low.subarray(0, this.#count), this.#key * SPAN);
    this.#count = 0;
  }
}
