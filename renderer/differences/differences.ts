/** Turns a comparison into words and into marks of lines. Pure functions. */

import type { LineSpan } from '../../shared/api/filters.ts';
import type { Comparison, Finding } from '../../shared/comparison.ts';
import { countFitting } from '../../shared/line-set.ts';
import { formatCount, plural } from '../../shared/text/format.ts';
import type { Lines } from '../viewer/scrolling/Ruler.tsx';
import type { LineNews } from '../viewer/text/RowLine.tsx';

/** Returns the index of the range that has the line; if none has it, -1. Ranges rise. */
export function rangeOf(ranges: readonly Lines[], line: number): number {
  const at = countFitting(ranges.length, (index) => ranges[index]![1] < line);
  return at < ranges.length && ranges[at]![0] <= line ? at : -1;
}

export function newsOf({ lines, changed_lines }: Comparison, line: number): LineNews | null {
  if (rangeOf(lines, line) < 0) return null;
  return rangeOf(changed_lines, line) < 0 ? 'new' : 'changed';
}

export function spansOf({ lines }: Comparison): LineSpan[] {
  return lines.map(([first, last]) => ({ first, last }));
}

/** What a failed run has that those that passed have not, in one sentence; and in a word or two. */
export function headline(comparison: Comparison): { words: string; short: string } {
  const { findings, truncated } = comparison;
  const count = (kind: Finding['kind']) => findings.filter((finding) => finding.kind === kind).length;
  const more = truncated ? '+' : '';
  const counted = (number: number) =>
    `${formatCount(number)}${more} ${number === 1 && !more ? 'message' : 'messages'}`;
  const others = baselineWords(comparison);
  const [fresh, changed, gone, moved] = [count('new'), count('changed'), count('gone'), count('order')];
  if (fresh > 0)
    return { words: `${counted(fresh)} never seen in ${others}`, short: `${formatCount(fresh)}${more} new` };
  if (changed > 0)
    return {
      words: `${counted(changed)} changed since ${others}`,
      short: `${formatCount(changed)}${more} changed`,
    };
  if (gone > 0)
    return { words: `${counted(gone)} of ${others} missing`, short: `${formatCount(gone)}${more} missing` };
  if (moved > 0)
    return {
      words: `${counted(moved)} in another order than in ${others}`,
      short: `${formatCount(moved)}${more} moved`,
    };
  return { words: `Nothing new since ${others}`, short: 'Nothing new' };
}

function baselineWords({ baselines }: Comparison): string {
  const number = baselines.length;
  const passes = number === 1 ? 'last pass' : `last ${formatCount(number)} passes`;
  const chosen = baselines[0]?.chosen;
  if (chosen === 'nearest') return `the ${passes} of a similar command`;
  if (chosen === 'command' || chosen === 'job') return `its ${passes}`;
  if (chosen === 'rotation') return 'its last rotation';
  return number === 1 ? 'the other output' : `the ${plural(number, 'other output')}`;
}

/** `, 3 times this week`; empty if it was the second time. */
export function oftenWords(times: number): string {
  return times > 2 ? `, ${formatCount(times)} times this week` : '';
}

/** The line of the next range above or below, around the ends, and its index; null if there are none. */
export function stepTo(
  ranges: readonly Lines[],
  from: number,
  direction: 1 | -1,
): { line: number; index: number } | null {
  const isNext = ([first]: Lines) => (direction === 1 ? first > from : first < from);
  const found = direction === 1 ? ranges.findIndex(isNext) : ranges.findLastIndex(isNext);
  const index = found >= 0 ? found : direction === 1 ? 0 : ranges.length - 1;
  const range = ranges[index];
  return range ? { line: range[0], index } : null;
}
