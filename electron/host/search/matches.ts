/** Questions about a search that is under way or done: pages of matches, the next one, where they lie. */
import type * as z from 'zod';
import type { MatchedRowsResult, MatchMarksResult, NextMatchResult } from '../../../shared/api/search.ts';
import type { Pool } from '../../workers/pool.ts';
import type { SearchJob } from './search-job.ts';

export async function matchedRows(
  job: SearchJob,
  wanted: { first: number; count: number },
  pool: Pool,
  signal?: AbortSignal,
): Promise<MatchedRowsResult> {
  const numbers: number[] = [];
  for (let k = wanted.first; k < wanted.first + wanted.count; k += 1) {
    const line = job.lines.kth(k);
    if (line === undefined) break;
    numbers.push(line);
  }
  const rows = await pool.run('rowsOf', { ...job.generation.stream(), lines: numbers }, { signal });
  return {
    generation: job.generation.number,
    match_count: job.lines.size,
    lines: rows.map((row, i) => ({ line_number: job.generation.numbers.shown(numbers[i]!), row })),
  };
}

export function nextMatch(
  job: SearchJob,
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
    match_count: lines.size,
  };
}

export function matchMarks(job: SearchJob, buckets: number): z.infer<typeof MatchMarksResult> {
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
