/**
 * A compact set of line numbers. Each container covers 65,536 numbers and is a sorted array while it holds few, a
 * bitmap when it holds many (after S. Chambi et al., Roaring bitmaps, 2016). 50 million consecutive numbers take 6
 * MiB. The k-th is found by binary search.
 */
import {
  type Container,
  clearOutside,
  compact,
  containerOf,
  countBelow,
  firstIn,
  holds,
  isFull,
  memberCount,
  membersOf,
  membersWithin,
  SPAN,
  select,
  smallerForm,
  toBitmap,
  union,
  WORDS,
} from './line-container.ts';

/** A set in the form that is posted between threads. */
export interface LineSetParts {
  readonly keys: readonly number[];
  readonly containers: readonly Container[];
}

export class LineSet {
  readonly #keys: number[] = [];
  readonly #containers: Container[] = [];
  /** Members before each container, and at last in all; as far as computed. */
  readonly #before: number[] = [0];
  /** The container of which every number is a member: one for all. */
  #full: Container | null = null;

  static from(parts: LineSetParts): LineSet {
    const set = new LineSet();
    set.#keys.push(...parts.keys);
    set.#containers.push(...parts.containers);
    return set;
  }

  /** Number of members. */
  get size(): number {
    const before = this.#prefix();
    return before.at(-1)!;
  }

  /** Keys of the containers with members, rising. The first line of a container is `key * 65_536`. */
  get keys(): readonly number[] {
    return this.#keys;
  }

  /** Returns a container's members, one bit each; null if it has none. Do not write to it. */
  bitmap(key: number): Uint32Array | null {
    const own = this.#container(key);
    return own ? toBitmap(own) : null;
  }

  parts(): LineSetParts {
    return { keys: [...this.#keys], containers: [...this.#containers] };
  }

  /** Adds rising numbers, relative to `base` and above the set's last. */
  append(lines: ArrayLike<number>, base = 0): void {
    for (let start = 0; start < lines.length; ) {
      const key = Math.floor((base + lines[start]!) / SPAN);
      const first = key * SPAN - base;
      const end =
        lines[lines.length - 1]! < first + SPAN ? lines.length : firstIn(lines, first + SPAN, start);
      this.#put(key, containerOf(lines, start, end, first));
      start = end;
    }
  }

  /** Adds another set, which must begin at this one's end or later (they may share a container). */
  appendSet(next: LineSetParts): void {
    for (const [i, key] of next.keys.entries()) this.#put(key, next.containers[i]!);
  }

  /** Removes the containers from `key` on. */
  dropFrom(key: number): void {
    const at = firstIn(this.#keys, key);
    this.#keys.length = at;
    this.#containers.length = at;
    this.#before.length = Math.min(this.#before.length, at + 1);
  }

  /** Returns the containers from `key` on. */
  partsFrom(key: number): LineSetParts {
    const at = firstIn(this.#keys, key);
    return { keys: this.#keys.slice(at), containers: this.#containers.slice(at) };
  }

  has(line: number): boolean {
    const own = this.#container(Math.floor(line / SPAN));
    return own !== undefined && holds(own, line % SPAN);
  }

  /** Returns the k-th member, from 0; undefined past the end. */
  kth(k: number): number | undefined {
    const before = this.#prefix();
    if (k < 0 || k >= before.at(-1)!) return undefined;
    // Find the first container with more than k members up to its end.
    const at = firstIn(before, k + 1) - 1;
    return this.#keys[at]! * SPAN + select(this.#containers[at]!, k - before[at]!);
  }

  /** Returns the number of members below `line`, which is also its index among them. */
  rank(line: number): number {
    const key = Math.floor(line / SPAN);
    const before = this.#prefix();
    const at = firstIn(this.#keys, key);
    if (this.#keys[at] !== key) return before[at]!;
    return before[at]! + countBelow(this.#containers[at]!, line % SPAN);
  }

  /** Returns the members from `first` to `last`, in order. */
  slice(first: number, last: number): number[] {
    const lines: number[] = [];
    for (let at = firstIn(this.#keys, Math.floor(first / SPAN)); at < this.#keys.length; at += 1) {
      const start = this.#keys[at]! * SPAN;
      if (start > last) break;
      for (const low of membersWithin(this.#containers[at]!, first - start, last - start))
        lines.push(start + low);
    }
    return lines;
  }

  /** Calls `each` with every member, in order. */
  forEach(each: (line: number) => void): void {
    for (const [i, key] of this.#keys.entries()) {
      const container = this.#containers[i]!;
      const sparse = container instanceof Uint16Array ? container : membersOf(container);
      for (const low of sparse) each(key * SPAN + low);
    }
  }

  /** Returns the members below `line`. */
  below(line: number): LineSet {
    const result = new LineSet();
    for (const [i, key] of this.#keys.entries()) {
      const container = this.#containers[i]!;
      if ((key + 1) * SPAN <= line) result.#put(key, container);
      else if (key * SPAN < line) {
        const bitmap = toBitmap(container).slice();
        clearOutside(bitmap, 0, line - key * SPAN - 1);
        const left = compact(bitmap);
        if (left.length > 0) result.#put(key, left);
      }
    }
    return result;
  }

  /** Returns the numbers from `first` to `last` that are not in the set. */
  complement(first: number, last: number): LineSet {
    const result = new LineSet();
    for (let key = Math.floor(first / SPAN); key * SPAN <= last; key += 1) {
      const bitmap = new Uint32Array(WORDS).fill(0xffff_ffff);
      const own = this.#container(key);
      if (own) {
        if (own instanceof Uint32Array) for (let i = 0; i < WORDS; i += 1) bitmap[i] = ~own[i]!;
        else for (const low of own) bitmap[low >> 5]! &= ~(1 << (low & 31));
      }
      clearOutside(bitmap, Math.max(0, first - key * SPAN), Math.min(SPAN - 1, last - key * SPAN));
      const container = compact(bitmap);
      if (container.length > 0) result.#put(key, container);
    }
    return result;
  }

  /** Returns the members of `others` that are members of this set, too. */
  intersect(others: LineSetParts): LineSetParts {
    const keys: number[] = [];
    const containers: Container[] = [];
    for (const [i, key] of others.keys.entries()) {
      const own = this.#container(key);
      if (!own) continue;
      const bitmap = toBitmap(others.containers[i]!).slice();
      const mine = toBitmap(own);
      for (let word = 0; word < WORDS; word += 1) bitmap[word]! &= mine[word]!;
      const left = compact(bitmap);
      if (left.length === 0) continue;
      keys.push(key);
      containers.push(left);
    }
    return { keys, containers };
  }

  #container(key: number): Container | undefined {
    const at = firstIn(this.#keys, key);
    return this.#keys[at] === key ? this.#containers[at] : undefined;
  }

  #put(key: number, container: Container): void {
    const last = this.#keys.length - 1;
    if (last >= 0 && this.#keys[last] === key) {
      this.#containers[last] = this.#shared(union(this.#containers[last]!, container));
      this.#before.length = Math.min(this.#before.length, last + 1);
      return;
    }
    this.#keys.push(key);
    this.#containers.push(this.#shared(smallerForm(container)));
  }

  #shared(container: Container): Container {
    if (!isFull(container)) return container;
    this.#full ??= container;
    return this.#full;
  }

  #prefix(): readonly number[] {
    const before = this.#before;
    for (let i = before.length - 1; i < this.#containers.length; i += 1)
      before.push(before[i]! + memberCount(this.#containers[i]!));
    return before;
  }
}
