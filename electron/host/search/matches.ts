/** Questions about a search that is under way or done: pages of what it found, the next match, where they lie. */
import type * as z from 'zod';
import type { CountsResult } from '../../../shared/api/histogram.ts';
import type { MatchCountsResult, MatchedRowsResult, NextMatchResult } from '../../../shared/api/search.ts';
import { toSpillwayError } from '../../../shared/errors.ts';
import type { SearchQuery } from '../../../shared/search-query.ts';
import { marksText } from '../../search/match-finder.ts';
import { createBeat } from '../../workers/beat.ts';
import type { Pool } from '../../workers/pool.ts';
import type { FoundSearch } from './search-job.ts';

/** Rows of the results with what matches in them. Where an expression gets nowhere, nothing is marked. */
export async function matchedRows(
  job: FoundSearch,
  query: SearchQuery,
  wanted: { first: number; count: number; context?: number | undefined },
  pool: Pool,
  signal?: AbortSignal,
): Promise<MatchedRowsResult> {
  const found = job.results.page(wanted.context ?? 0, wanted.first, wanted.count);
  const { numbers } = job.generation;
  const lines = found.map(({ line }) => line);
  const text = { ...job.generation.text(), lines };
  const matching = found.map(({ match }) => match !== null);
  const beat = createBeat();
  const plain = () => pool.run('rowsOf', text, { signal });
  const rows = marksText(query)
    ? await pool
        .run('matchedRows', { ...text, matching, query, beat }, { signal, beat })
        .catch((error) => (toSpillwayError(error).code === 'stalled' ? plain() : Promise.reject(error)))
    : await plain();
  return {
    generation: job.generation.number,
    match_count: job.lines.size,
    lines: rows.map((row, i) => {
      const { line, match } = found[i]!;
      return { line_number: numbers.shown(line), match, row };
    }),
  };
}

export function nextMatch(
  job: FoundSearch,
  from: number,
  direction: 'next' | 'previous',
): z.infer<typeof NextMatchResult> {
  const { lines } = job;
  const { numbers } = job.generation;
  const index = direction === 'next' ? lines.rank(numbers.to(from) + 1) : lines.rank(numbers.from(from)) - 1;
  const line = lines.kth(index);
  return {
    line_number: numbers.shownOrNull(line ?? null),
    index: line === undefined ? null : index,
    rows: line === undefined ? null : job.results.placesOf(line),
    match_count: lines.size,
  };
}

export function matchCounts(job: FoundSearch, buckets: number): z.infer<typeof MatchCountsResult> {
  const { numbers } = job.generation;
  const counts: number[] = [];
  let before = 0;
  for (let i = 1; i <= buckets; i += 1) {
    const upTo = job.lines.rank(numbers.to(Math.floor((numbers.total * i) / buckets)) + 1);
    counts.push(upTo - before);
    before = upTo;
  }
  return { generation: job.generation.number, counts };
}

/** Matches from each of the lines, as shown, up to the one before the next. */
export function countsBetween(job: FoundSearch, lines: readonly number[]): CountsResult {
  const { numbers } = job.generation;
  const { lines: found } = job;
  const before = lines.map((line) => found.rank(numbers.from(line)));
  return {
    generation: job.generation.number,
    counts: before.slice(1).map((upTo, i) => upTo - before[i]!),
  };
}
