/**
 * A compact set of line numbers. Each container covers 65,536 numbers and is a sorted array while it holds few, a
 * bitmap when it holds many (after S. Chambi et al., Roaring bitmaps, 2016). 50 million consecutive numbers take 6
 * MiB. The k-th is found by binary search.
 */

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

/**
 * One container of a set of lines (line-set.ts): the members among 65,536 consecutive numbers, as a sorted array
 * while they are few and as a bitmap when they are many.
 */
export const SPAN = 65_536;
export const WORDS = SPAN / 32;
/** Above this many members a bitmap is smaller than an array. */
const SPARSE_MAX = 4096;

export type Container = Uint16Array | Uint32Array;

function smallerForm(container: Container): Container {
  return container instanceof Uint16Array && container.length > SPARSE_MAX ? toBitmap(container) : container;
}

export function memberCount(container: Container): number {
  if (container instanceof Uint16Array) return container.length;
  let count = 0;
  for (let i = 0; i < WORDS; i += 1) count += bits(container[i]!);
  return count;
}

function holds(container: Container, low: number): boolean {
  if (container instanceof Uint32Array) return (container[low >> 5]! & (1 << (low & 31))) !== 0;
  return container.includes(low);
}

export function select(container: Container, k: number): number {
  if (container instanceof Uint16Array) return container[k]!;
  const before = groupsOf(container);
  if (k >= before[GROUPS]!) throw new RangeError('no such member');
  const group = firstIn(before, k + 1) - 1;
  let left = k - before[group]!;
  for (let i = group * GROUP_WORDS; ; i += 1) {
    let word = container[i]!;
    const count = bits(word);
    if (left >= count) {
      left -= count;
      continue;
    }
    for (; left > 0; left -= 1) word &= word - 1;
    return i * 32 + (31 - Math.clz32(word & -word));
  }
}

export function countBelow(container: Container, low: number): number {
  if (container instanceof Uint16Array) return firstIn(container, low);
  const word = low >> 5;
  const group = Math.floor(word / GROUP_WORDS);
  let count = groupsOf(container)[group]!;
  for (let i = group * GROUP_WORDS; i < word; i += 1) count += bits(container[i]!);
  return count + bits(container[word]! & ((1 << (low & 31)) - 1));
}

/** Binary search: returns how many indexes from 0 fit. None that fits is behind one that does not. */
export function countFitting(length: number, fits: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (fits(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the index, from `from` on, of the first number that is at least `wanted`; the length if there is none. */
function firstIn(numbers: ArrayLike<number>, wanted: number, from = 0): number {
  let low = from;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Words of a bitmap whose members are counted together. */
const GROUP_WORDS = 32;
const GROUPS = WORDS / GROUP_WORDS;
/** A bitmap in a set is not written to: its counts stay true. */
const groups = new WeakMap<Uint32Array, Uint32Array>();

/** Returns the members before each group of a bitmap, and at last in all. */
function groupsOf(bitmap: Uint32Array): Uint32Array {
  let before = groups.get(bitmap);
  if (before) return before;
  before = new Uint32Array(GROUPS + 1);
  for (let i = 0; i < WORDS; i += 1) before[Math.floor(i / GROUP_WORDS) + 1]! += bits(bitmap[i]!);
  for (let i = 0; i < GROUPS; i += 1) before[i + 1]! += before[i]!;
  groups.set(bitmap, before);
  return before;
}

function union(a: Container, b: Container): Container {
  if (a instanceof Uint16Array && b instanceof Uint16Array && a.length + b.length <= SPARSE_MAX) {
    const both = new Uint16Array(a.length + b.length);
    both.set(a);
    both.set(b, a.length);
    return both;
  }
  const bitmap = toBitmap(a).slice();
  if (b instanceof Uint16Array) for (const low of b) bitmap[low >> 5]! |= 1 << (low & 31);
  else for (let i = 0; i < WORDS; i += 1) bitmap[i]! |= b[i]!;
  return bitmap;
}

/** Returns rising numbers, from the index `start` up to `end`, less `first`, as a container. */
function containerOf(lines: ArrayLike<number>, start: number, end: number, first: number): Container {
  const count = end - start;
  if (count <= SPARSE_MAX) {
    const sparse = new Uint16Array(count);
    for (let i = start; i < end; i += 1) sparse[i - start] = lines[i]! - first;
    return sparse;
  }
  const bitmap = new Uint32Array(WORDS);
  const from = lines[start]! - first;
  const to = lines[end - 1]! - first;
  if (to - from === count - 1) {
    bitmap.fill(0xffff_ffff);
    clearOutside(bitmap, from, to);
  } else
    for (let i = start; i < end; i += 1) {
      const low = lines[i]! - first;
      bitmap[low >> 5]! |= 1 << (low & 31);
    }
  return bitmap;
}

/** Whether every number is a member. */
function isFull(container: Container): boolean {
  if (container instanceof Uint16Array) return false;
  for (let i = 0; i < WORDS; i += 1) if (container[i] !== 0xffff_ffff) return false;
  return true;
}

export function toBitmap(container: Container): Uint32Array {
  if (container instanceof Uint32Array) return container;
  const bitmap = new Uint32Array(WORDS);
  for (const low of container) bitmap[low >> 5]! |= 1 << (low & 31);
  return bitmap;
}

export function compact(bitmap: Uint32Array): Container {
  return memberCount(bitmap) > SPARSE_MAX ? bitmap : membersOf(bitmap);
}

function membersOf(bitmap: Uint32Array): Uint16Array {
  const sparse = new Uint16Array(memberCount(bitmap));
  let at = 0;
  for (let i = 0; i < WORDS; i += 1) {
    for (let word = bitmap[i]!; word !== 0; word &= word - 1) {
      sparse[at] = i * 32 + (31 - Math.clz32(word & -word));
      at += 1;
    }
  }
  return sparse;
}

/** Returns the members from `first` to `last`, which may lie outside the container, in order. */
function membersWithin(container: Container, first: number, last: number): number[] {
  const within: number[] = [];
  if (container instanceof Uint16Array) {
    for (const low of container) if (low >= first && low <= last) within.push(low);
    return within;
  }
  for (let i = Math.max(0, first) >> 5; i < WORDS && i * 32 <= last; i += 1) {
    for (let word = container[i]!; word !== 0; word &= word - 1) {
      const low = i * 32 + (31 - Math.clz32(word & -word));
      if (low >= first && low <= last) within.push(low);
    }
  }
  return within;
}

/** Clears all bits but those from `first` to `last`. */
function clearOutside(bitmap: Uint32Array, first: number, last: number): void {
  bitmap.fill(0, 0, first >> 5);
  if ((first & 31) !== 0) bitmap[first >> 5]! &= -1 << (first & 31);
  bitmap.fill(0, (last >> 5) + 1);
  if ((last & 31) !== 31) bitmap[last >> 5]! &= (2 << (last & 31)) - 1;
}

function bits(word: number): number {
  let v = word - ((word >>> 1) & 0x5555_5555);
  v = (v & 0x3333_3333) + ((v >>> 2) & 0x3333_3333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

// Combines sets of lines by filter rules into the lines that pass.

interface LineRules {
  /** A line must be in one of these; an empty list passes every line. */
  readonly show: readonly LineSet[];
  /** A line in one of these never passes. */
  readonly hide: readonly LineSet[];
  /** A line must be in each of these. */
  readonly all?: readonly LineSet[];
  /** A line must be in this, or be the text's first. */
  readonly firsts?: LineSet | null;
  /** A line must be in one of these spans, both ends included; an empty list means anywhere. */
  readonly within: Spans;
  /** A line in this does not pass if the one before passes, unless it is in one of the spans. */
  readonly repeats?: { readonly lines: LineSet; readonly unfolded: Spans } | null;
}

type Spans = readonly { readonly first: number; readonly last: number }[];

/**
 * Updates `passing`: computes all containers from `fromKey` on again, for the lines `1` to `lastLine`.
 */
export function combineInto(passing: LineSet, rules: LineRules, fromKey: number, lastLine: number): void {
  passing.dropFrom(fromKey);
  const keys: number[] = [];
  const containers = [];
  /** Whether the last line of the container before would pass: the lowest bit. */
  let carry = 0;
  for (let key = rules.repeats ? Math.max(0, fromKey - 1) : fromKey; key * SPAN <= lastLine; key += 1) {
    const bitmap = shown(rules.show, key);
    if (!bitmap) {
      carry = 0;
      continue;
    }
    for (const set of rules.hide) {
      const hidden = set.bitmap(key);
      if (hidden) for (let i = 0; i < WORDS; i += 1) bitmap[i]! &= ~hidden[i]!;
    }
    for (const set of rules.all ?? []) {
      const kept = set.bitmap(key);
      for (let i = 0; i < WORDS; i += 1) bitmap[i]! &= kept?.[i] ?? 0;
    }
    if (rules.firsts) {
      const firsts = rules.firsts.bitmap(key);
      for (let i = 0; i < WORDS; i += 1) bitmap[i]! &= (firsts?.[i] ?? 0) | (key + i === 0 ? 2 : 0);
    }
    if (rules.within.length > 0) keepWithin(bitmap, rules.within, key);
    clearOutside(bitmap, key === 0 ? 1 : 0, Math.min(SPAN - 1, lastLine - key * SPAN));
    if (rules.repeats) carry = foldRepeats(bitmap, rules.repeats, key, carry);
    if (key < fromKey) continue;
    const container = compact(bitmap);
    if (container.length === 0) continue;
    keys.push(key);
    containers.push(container);
  }
  passing.appendSet({ keys, containers });
}

/**
 * Returns the lines of all entries of which a line is in `found`, from the container `fromKey` on up to `last`.
 * @param starts the lines that begin an entry; the text's first line does, too
 */
export function entriesWith(found: LineSet, starts: LineSet, fromKey: number, last: number): LineSet {
  const from = Math.max(1, fromKey * SPAN);
  const bitmaps = new Map<number, Uint32Array>();
  let start = starts.kth(starts.rank(from) - 1) ?? 1;
  let isFound = found.rank(from) > found.rank(start);
  const close = (end: number) => {
    if (isFound) fill(bitmaps, Math.max(start, from), end);
  };
  for (let key = fromKey; key * SPAN <= last; key += 1) {
    const begins = starts.bitmap(key);
    const members = found.bitmap(key);
    if (!begins && !members) continue;
    for (let word = 0; word < WORDS; word += 1) {
      const [begun, member] = [begins?.[word] ?? 0, members?.[word] ?? 0];
      for (let rest = begun | member; rest !== 0; rest &= rest - 1) {
        const bit = rest & -rest;
        const line = key * SPAN + word * 32 + (31 - Math.clz32(bit));
        if (line > last) break;
        if ((begun & bit) !== 0 && line > start) {
          close(line - 1);
          start = line;
          isFound = false;
        }
        isFound ||= (member & bit) !== 0;
      }
    }
  }
  close(last);
  const set = new LineSet();
  const keys = [...bitmaps.keys()];
  set.appendSet({ keys, containers: keys.map((key) => compact(bitmaps.get(key)!)) });
  return set;
}

/** Sets the bits of the lines, both included. Keys are added in rising order. */
function fill(bitmaps: Map<number, Uint32Array>, first: number, last: number): void {
  for (let key = Math.floor(first / SPAN); key * SPAN <= last; key += 1) {
    const part = new Uint32Array(WORDS).fill(0xffff_ffff);
    clearOutside(part, Math.max(0, first - key * SPAN), Math.min(SPAN - 1, last - key * SPAN));
    const bitmap = bitmaps.get(key);
    if (!bitmap) bitmaps.set(key, part);
    else for (let i = 0; i < WORDS; i += 1) bitmap[i]! |= part[i]!;
  }
}

/** Returns a new bitmap; null if none of its lines is shown. */
function shown(sets: readonly LineSet[], key: number): Uint32Array | null {
  if (sets.length === 0) return new Uint32Array(WORDS).fill(0xffff_ffff);
  let bitmap: Uint32Array | null = null;
  for (const set of sets) {
    const own = set.bitmap(key);
    if (!own) continue;
    if (!bitmap) bitmap = own.slice();
    else for (let i = 0; i < WORDS; i += 1) bitmap[i]! |= own[i]!;
  }
  return bitmap;
}

/** Returns whether the last line passed before. */
function foldRepeats(
  bitmap: Uint32Array,
  { lines, unfolded }: NonNullable<LineRules['repeats']>,
  key: number,
  before: number,
): number {
  const folded = lines.bitmap(key)?.slice() ?? new Uint32Array(WORDS);
  const open = folded.slice();
  keepWithin(open, unfolded, key);
  let carry = before;
  for (let i = 0; i < WORDS; i += 1) {
    const word = bitmap[i]!;
    bitmap[i] = word & ~(((word << 1) | carry) & folded[i]! & ~open[i]!);
    carry = word >>> 31;
  }
  return carry;
}

function keepWithin(bitmap: Uint32Array, ranges: Spans, key: number): void {
  const kept = new Uint32Array(WORDS);
  for (const { first, last } of ranges) {
    const from = Math.max(0, first - key * SPAN);
    const to = Math.min(SPAN - 1, last - key * SPAN);
    if (from > to) continue;
    const part = new Uint32Array(WORDS).fill(0xffff_ffff);
    clearOutside(part, from, to);
    for (let i = 0; i < WORDS; i += 1) kept[i]! |= part[i]!;
  }
  for (let i = 0; i < WORDS; i += 1) bitmap[i]! &= kept[i]!;
}
