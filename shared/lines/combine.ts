/** Combines sets of lines by filter rules into the lines that pass. */
import { clearOutside, compact, SPAN, WORDS } from './line-container.ts';
import type { LineSet } from './line-set.ts';

interface LineRules {
  /** A line must be in one of these; an empty list passes every line. */
  readonly show: readonly LineSet[];
  /** A line in one of these never passes. */
  readonly hide: readonly LineSet[];
  /** A line must be in each of these. */
  readonly all?: readonly LineSet[];
  /** A line must be in one of these spans, both ends included; an empty list means anywhere. */
  readonly within: readonly { readonly first: number; readonly last: number }[];
}

/**
 * Updates `passing`: computes all containers from `fromKey` on again, for the lines `1` to `lastLine`.
 */
export function combineInto(passing: LineSet, rules: LineRules, fromKey: number, lastLine: number): void {
  passing.dropFrom(fromKey);
  const keys: number[] = [];
  const containers = [];
  for (let key = fromKey; key * SPAN <= lastLine; key += 1) {
    const bitmap = shown(rules.show, key);
    if (!bitmap) continue;
    for (const set of rules.hide) {
      const hidden = set.bitmap(key);
      if (hidden) for (let i = 0; i < WORDS; i += 1) bitmap[i]! &= ~hidden[i]!;
    }
    for (const set of rules.all ?? []) {
      const kept = set.bitmap(key);
      for (let i = 0; i < WORDS; i += 1) bitmap[i]! &= kept?.[i] ?? 0;
    }
    if (rules.within.length > 0) keepWithin(bitmap, rules.within, key);
    clearOutside(bitmap, key === 0 ? 1 : 0, Math.min(SPAN - 1, lastLine - key * SPAN));
    const container = compact(bitmap);
    if (container.length === 0) continue;
    keys.push(key);
    containers.push(container);
  }
  passing.appendSet({ keys, containers });
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

function keepWithin(bitmap: Uint32Array, ranges: LineRules['within'], key: number): void {
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
