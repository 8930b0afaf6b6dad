/** Two outputs side by side: which line of one stands beside a line of the other. Pure functions. */

import type { Alignment } from '../../shared/api/rows.ts';
import { countFitting } from '../../shared/line-set.ts';
import type { Lines } from '../viewer/scrolling/Ruler.tsx';
import { rangeOf } from './differences.ts';

/** 0 for the first output of an alignment, 1 for the second. */
export type Side = 0 | 1;

/**
 * Returns the line of the other output that stands beside a line. Between two blocks both outputs go on line by line;
 * the one with fewer lines waits at the next block.
 */
export function lineBeside({ blocks }: Alignment, side: Side, line: number): number {
  const other = side === 0 ? 1 : 0;
  const behind = countFitting(blocks.length, (index) => blocks[index]![side] <= line);
  const block = blocks[behind - 1];
  const next = blocks[behind];
  const beside = block ? block[other] + line - block[side] : line;
  return next ? Math.min(beside, next[other]) : beside;
}

/** Marks in one of two outputs that stand side by side. */
export interface PairedLines {
  /** Lines whose message the other does not have. */
  only: readonly Lines[];
  /** Lines of the other that are missing above a line; by that line. */
  missing: ReadonlyMap<number, number>;
  /** Lines of the other that are missing below this line, the last one that both have; null for none. */
  missingBelow: { line: number; count: number } | null;
}

export function pairedLines(alignment: Alignment, side: Side): PairedLines {
  const { blocks, only_first, only_second } = alignment;
  const other = side === 0 ? 1 : 0;
  const [only, absent] = side === 0 ? [only_first, only_second] : [only_second, only_first];
  const missing = new Map<number, number>();
  let below = 0;
  let at = 0;
  for (const [from, to] of absent) {
    // The first block that goes on behind these lines.
    while (blocks[at] && blocks[at]![other] + blocks[at]![2] <= from) at += 1;
    const block = blocks[at];
    if (!block) {
      below += to - from + 1;
      continue;
    }
    const line = block[side] + Math.max(0, from - block[other]);
    missing.set(line, (missing.get(line) ?? 0) + to - from + 1);
  }
  const last = blocks.at(-1);
  const end = last ? last[side] + last[2] - 1 : 0;
  return { only, missing, missingBelow: below > 0 ? { line: end, count: below } : null };
}

export function isOnly({ only }: PairedLines, line: number): boolean {
  return rangeOf(only, line) >= 0;
}
