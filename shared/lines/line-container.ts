/**
 * One container of a set of lines (line-set.ts): the members among 65,536 consecutive numbers, as a sorted array
 * while they are few and as a bitmap when they are many.
 */
export const SPAN = 65_536;
export const WORDS = SPAN / 32;
/** Above this many members a bitmap is smaller than an array. */
const SPARSE_MAX = 4096;

export type Container = Uint16Array | Uint32Array;

export function smallerForm(container: Container): Container {
  return container instanceof Uint16Array && container.length > SPARSE_MAX ? toBitmap(container) : container;
}

export function memberCount(container: Container): number {
  if (container instanceof Uint16Array) return container.length;
  let count = 0;
  for (let i = 0; i < WORDS; i += 1) count += bits(container[i]!);
  return count;
}

export function holds(container: Container, low: number): boolean {
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

/** Returns the index, from `from` on, of the first number that is at least `wanted`; the length if there is none. */
export function firstIn(numbers: ArrayLike<number>, wanted: number, from = 0): number {
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

export function union(a: Container, b: Container): Container {
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
export function containerOf(lines: ArrayLike<number>, start: number, end: number, first: number): Container {
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
export function isFull(container: Container): boolean {
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

export function membersOf(bitmap: Uint32Array): Uint16Array {
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
export function membersWithin(container: Container, first: number, last: number): number[] {
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
export function clearOutside(bitmap: Uint32Array, first: number, last: number): void {
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
