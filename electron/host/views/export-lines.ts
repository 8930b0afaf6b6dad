/** Gives whole lines page by page, for files. */
import { type ExportParams, type ExportResult, MAX_EXPORT_LINES } from '../../../shared/api/filters.ts';
import type { Pool } from '../../workers/pool.ts';
import type { Generation } from '../documents/generation.ts';
import type { FilterJobs } from '../filters/filter-job.ts';
import { SearchWithin } from '../filters/search-within.ts';
import type { Searches } from '../search/searches.ts';

/** UTF-16 code units in one page. */
const PAGE_CHARS = 2 * 1024 * 1024;

const NEVER = new AbortController().signal;

interface ExportParts {
  pool: Pool;
  searches: Searches;
  filters: FilterJobs;
  signal: AbortSignal | undefined;
}

/** The generation must be indexed. Rejects with `cancelled` when the signal fires. */
export async function exportLines(
  generation: Generation,
  { query, filter, lines: wanted, from }: Omit<ExportParams, 'document'>,
  { pool, searches, filters, signal }: ExportParts,
): Promise<ExportResult> {
  const { numbers } = generation;
  const stored: number[] = [];
  let total: number;
  if (query) {
    const job = searches.job(generation, query, false, from === 0);
    await searches.complete(job, signal);
    let found = job.lines;
    if (filter) {
      const within = new SearchWithin(job, filters.job(generation, filter), searches);
      await within.run(signal ?? NEVER, () => {});
      found = within.lines;
    }
    total = found.size;
    for (let k = from; k < total && stored.length < MAX_EXPORT_LINES; k += 1) stored.push(found.kth(k)!);
  } else if (wanted) {
    total = wanted.length;
    for (const line of wanted.slice(from)) {
      const here = numbers.from(line);
      // A line of a gap was not kept.
      if (here <= numbers.stored && numbers.shown(here) === line) stored.push(here);
    }
  } else {
    total = numbers.stored;
    for (let line = from + 1; line <= total && stored.length < MAX_EXPORT_LINES; line += 1) stored.push(line);
  }
  const request = { lines: stored, maxChars: PAGE_CHARS };
  const texts = await pool.run('plainLines', { ...generation.text(), request }, { signal, priority: 'bulk' });
  const lines = texts.map(({ text, clipped }, i) => ({
    line_number: numbers.shown(stored[i]!),
    text,
    ...(clipped ? { clipped: true as const } : {}),
  }));
  const isPart = texts.length > 0 && texts.length < stored.length;
  const last = stored[texts.length - 1];
  // Lines asked for by number may be missing, so continue after the last one that was read.
  const behind = wanted && last !== undefined ? wanted.indexOf(numbers.shown(last)) + 1 : from + texts.length;
  const next = isPart || (!wanted && behind < total && texts.length > 0) ? behind : null;
  return { generation: generation.number, lines, next, total };
}
