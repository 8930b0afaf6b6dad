/** Matching lines as `grep -n` prints them, from a thread that is ended when the expression gets nowhere on them. */

import { toSpillwayError } from '../../../shared/errors.ts';
import { unbroken } from '../../reader/lines/line-gaps.ts';
import { MOST_ENTRY_LINES } from '../../reader/views/entry-bounds.ts';
import type { GrepLinesRequest, GrepLinesResult } from '../../search/grep-lines.ts';
import { createBeat } from '../../workers/beat.ts';
import type { Pool } from '../../workers/pool.ts';
import type { Generation, LineNumbers } from '../documents/generation.ts';

interface GrepPage extends GrepLinesResult {
  /** True when the search for match positions gave up: the lines are given whole, from their first column. */
  got_nowhere: boolean;
}

export async function grepPage(
  pool: Pool,
  generation: Generation,
  request: Omit<GrepLinesRequest, 'unmarked'>,
  signal: AbortSignal | undefined,
): Promise<GrepPage> {
  const page = async (unmarked: boolean) => {
    const beat = createBeat();
    const args = { ...generation.text(), request: { ...request, unmarked }, beat };
    const found = await pool.run('grepLines', args, { signal, beat });
    const reach = request.context + (request.entries ? MOST_ENTRY_LINES : 0);
    return { ...renumbered(found, generation.numbers, reach), got_nowhere: unmarked };
  };
  try {
    return await page(false);
  } catch (error) {
    if (toSpillwayError(error).code !== 'stalled') throw error;
    return page(true);
  }
}

/** A page of grep with the line numbers that are shown. Context does not reach over lines that are missing. */
function renumbered<T extends GrepLinesResult>(page: T, numbers: LineNumbers, context: number): T {
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
