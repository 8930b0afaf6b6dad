/** A page of grep with the line numbers that are shown. Context does not reach over lines that are missing. */
import { unbroken } from '../../reader/lines/line-gaps.ts';
import type { GrepLinesResult } from '../../search/grep-lines.ts';
import type { LineNumbers } from '../documents/line-numbers.ts';

export function renumbered<T extends GrepLinesResult>(page: T, numbers: LineNumbers, context: number): T {
  if (numbers.gaps.length === 0) return page;
  const matching = page.matches.map((match) => match.line_number);
  const kept = linesOf(page.content).filter(({ number }) => isNear(number, matching, numbers, context));
  const first = kept[0]?.number ?? null;
  return {
    ...page,
    content: contentOf(kept, numbers),
    matches: page.matches.map((match) => {
      const line = match.line_number;
      const { first, last } = unbroken(numbers.gaps, line);
      return {
        ...match,
        line_number: numbers.shown(line),
        context_before: lastOf(match.context_before, line - first),
        context_after: match.context_after.slice(0, last - line),
      };
    }),
    start_line: numbers.shownOrNull(first),
    end_line: numbers.shownOrNull(kept.at(-1)?.number ?? null),
    // Only of a first line that is still there; of another one it is not known here.
    start_offset: first === page.start_line ? page.start_offset : (page.matches[0]?.offset ?? null),
    lines_shown: kept.length,
  };
}

interface Printed {
  number: number;
  /** From the mark after the number on. */
  rest: string;
}

function linesOf(content: string): Printed[] {
  return content.split('\n').flatMap((line) => {
    const [, number, rest] = /^(\d+)([:-].*)$/s.exec(line) ?? [];
    return number === undefined ? [] : [{ number: Number(number), rest: rest! }];
  });
}

function contentOf(lines: readonly Printed[], numbers: LineNumbers): string {
  const printed: string[] = [];
  for (const [i, { number, rest }] of lines.entries()) {
    const shown = numbers.shown(number);
    if (i > 0 && shown > numbers.shown(lines[i - 1]!.number) + 1) printed.push('--');
    printed.push(`${shown}${rest}`);
  }
  return printed.join('\n');
}

/** A match, or the context of one on the same side of every gap. */
function isNear(line: number, matching: readonly number[], numbers: LineNumbers, context: number): boolean {
  const { first, last } = unbroken(numbers.gaps, line);
  return matching.some((match) => match >= first && match <= last && Math.abs(match - line) <= context);
}

function lastOf<T>(items: readonly T[], count: number): T[] {
  return count <= 0 ? [] : items.slice(-count);
}
