/**
 * A set of line numbers, compact however many there are: numbers share a container with those near them, which is a
 * sorted array while it holds few and a bitmap when it holds many (after S. Chambi et al., Roaring bitmaps, 2016).
 * 50 million numbers in a row take 6 MiB. The k-th is found by binary search.
 */
const SPAN = 65_536;
/** More than this many in a container are kept as a bitmap: from here on that is the smaller. */
const SPARSE_MAX = 4096;
const WORDS = SPAN / 32;

type Container = Uint16Array | Uint32Array;

/** A set as it is posted between threads. */
export interface LineSetParts {
  readonly keys: readonly number[];
  readonly containers: readonly Container[];
}

export class LineSet {
  readonly #keys: number[] = [];
  readonly #containers: Container[] = [];
  /** Members before each container; computed when it is asked for. */
  #before: number[] | null = null;

  static from(parts: LineSetParts): LineSet {
    const set = new LineSet();
    set.#keys.push(...parts.keys);
    set.#containers.push(...parts.containers);
    return set;
  }

  /** Members. */
  get size(): number {
    const before = this.#prefix();
    return before.at(-1)!;
  }

  parts(): LineSetParts {
    return { keys: [...this.#keys], containers: [...this.#containers] };
  }

  /** Adds numbers in rising order, none of which is in the set or below its last. */
  append(lines: ArrayLike<number>): void {
    for (let start = 0; start < lines.length; ) {
      const key = Math.floor(lines[start]! / SPAN);
      let end = start + 1;
      while (end < lines.length && lines[end]! < (key + 1) * SPAN) end += 1;
      const low = new Uint16Array(end - start);
      for (let i = start; i < end; i += 1) low[i - start] = lines[i]! - key * SPAN;
      this.#put(key, low);
      start = end;
    }
  }

  /** Adds what is in another set, which begins where this one ends or later (they may share a container). */
  appendSet(next: LineSetParts): void {
    for (const [i, key] of next.keys.entries()) this.#put(key, next.containers[i]!);
  }

  has(line: number): boolean {
    const at = this.#keys.indexOf(Math.floor(line / SPAN));
    return at >= 0 && holds(this.#containers[at]!, line % SPAN);
  }

  /** The k-th member, from 0; undefined past the end. */
  kth(k: number): number | undefined {
    const before = this.#prefix();
    if (k < 0 || k >= before.at(-1)!) return undefined;
    let low = 0;
    let high = this.#keys.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (before[middle]! <= k) low = middle;
      else high = middle - 1;
    }
    return this.#keys[low]! * SPAN + select(this.#containers[low]!, k - before[low]!);
  }

  /** Members below `line`: also the place that `line` has, or would have, among them. */
  rank(line: number): number {
    const key = Math.floor(line / SPAN);
    const before = this.#prefix();
    let at = 0;
    while (at < this.#keys.length && this.#keys[at]! < key) at += 1;
    if (at === this.#keys.length || this.#keys[at] !== key) return before[at]!;
    return before[at]! + countBelow(this.#containers[at]!, line % SPAN);
  }

  /** Members from `first` to `last`, in order. */
  slice(first: number, last: number): number[] {
    const lines: number[] = [];
    for (let k = this.rank(first); ; k += 1) {
      const line = this.kth(k);
      if (line === undefined || line > last) return lines;
      lines.push(line);
    }
  }

  /** The members below `line`. */
  below(line: number): LineSet {
    const result = new LineSet();
    for (const [i, key] of this.#keys.entries()) {
      const container = this.#containers[i]!;
      if ((key + 1) * SPAN <= line) result.#put(key, container);
      else if (key * SPAN < line) {
        const bitmap = toBitmap(container).slice();
        clearOutside(bitmap, 0, line - key * SPAN - 1);
        result.#put(key, compact(bitmap));
      }
    }
    return result;
  }

  /** The numbers from `first` to `last` that are not in the set. */
  complement(first: number, last: number): LineSet {
    const result = new LineSet();
    for (let key = Math.floor(first / SPAN); key * SPAN <= last; key += 1) {
      const bitmap = new Uint32Array(WORDS).fill(0xffff_ffff);
      const at = this.#keys.indexOf(key);
      if (at >= 0) {
        const own = this.#containers[at]!;
        if (own instanceof Uint32Array) for (let i = 0; i < WORDS; i += 1) bitmap[i] = ~own[i]!;
        else for (const low of own) bitmap[low >> 5]! &= ~(1 << (low & 31));
      }
      clearOutside(bitmap, Math.max(0, first - key * SPAN), Math.min(SPAN - 1, last - key * SPAN));
      const container = compact(bitmap);
      if (container.length > 0) result.#put(key, container);
    }
    return result;
  }

  #put(key: number, container: Container): void {
    this.#before = null;
    const last = this.#keys.length - 1;
    if (last >= 0 && this.#keys[last] === key) {
      this.#containers[last] = union(this.#containers[last]!, container);
      return;
    }
    this.#keys.push(key);
    this.#containers.push(
      container instanceof Uint16Array && container.length > SPARSE_MAX ? toBitmap(container) : container,
    );
  }

  #prefix(): number[] {
    if (this.#before) return this.#before;
    const before = [0];
    for (const container of this.#containers) before.push(before.at(-1)! + sizeOf(container));
    this.#before = before;
    return before;
  }
}

function sizeOf(container: Container): number {
  if (container instanceof Uint16Array) return container.length;
  let count = 0;
  for (const word of container) count += bits(word);
  return count;
}

function holds(container: Container, low: number): boolean {
  if (container instanceof Uint32Array) return (container[low >> 5]! & (1 << (low & 31))) !== 0;
  return container.includes(low);
}

function select(container: Container, k: number): number {
  if (container instanceof Uint16Array) return container[k]!;
  let left = k;
  for (let i = 0; i < WORDS; i += 1) {
    let word = container[i]!;
    const count = bits(word);
    if (left >= count) {
      left -= count;
      continue;
    }
    for (; left > 0; left -= 1) word &= word - 1;
    return i * 32 + (31 - Math.clz32(word & -word));
  }
  throw new RangeError('no such member');
}

function countBelow(container: Container, low: number): number {
  if (container instanceof Uint16Array) {
    const at = container.findIndex((member) => member >= low);
    return at < 0 ? container.length : at;
  }
  let count = 0;
  for (let i = 0; i < low >> 5; i += 1) count += bits(container[i]!);
  return count + bits(container[low >> 5]! & ((1 << (low & 31)) - 1));
}

function union(a: Container, b: Container): Container {
  if (a instanceof Uint16Array && b instanceof Uint16Array && a.length + b.length <= SPARSE_MAX) {
    const both = new Uint16Array(a.length + b.length);
    both.set(a);
    both.set(b, a.length);
    return both;
  }
  const bitmap = toBitmap(a).slice();
  const other = toBitmap(b);
  for (let i = 0; i < WORDS; i += 1) bitmap[i]! |= other[i]!;
  return bitmap;
}

function toBitmap(container: Container): Uint32Array {
  if (container instanceof Uint32Array) return container;
  const bitmap = new Uint32Array(WORDS);
  for (const low of container) bitmap[low >> 5]! |= 1 << (low & 31);
  return bitmap;
}

function compact(bitmap: Uint32Array): Container {
  const size = sizeOf(bitmap);
  if (size > SPARSE_MAX) return bitmap;
  const sparse = new Uint16Array(size);
  let at = 0;
  for (let i = 0; i < WORDS; i += 1) {
    for (let word = bitmap[i]!; word !== 0; word &= word - 1) {
      sparse[at] = i * 32 + (31 - Math.clz32(word & -word));
      at += 1;
    }
  }
  return sparse;
}

function clearOutside(bitmap: Uint32Array, first: number, last: number): void {
  for (let low = 0; low < first; low += 1) bitmap[low >> 5]! &= ~(1 << (low & 31));
  for (let low = last + 1; low < SPAN; low += 1) bitmap[low >> 5]! &= ~(1 << (low & 31));
}

function bits(word: number): number {
  let v = word - ((word >>> 1) & 0x5555_5555);
  v = (v & 0x3333_3333) + ((v >>> 2) & 0x3333_3333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
