/** Gives whole lines page by page, for files. */
import { type ExportParams, type ExportResult, MAX_EXPORT_LINES } from '../../../shared/api/export.ts';
import type { Pool } from '../../workers/pool.ts';
import type { Generation } from '../documents/generation.ts';
import type { Searches } from '../search/searches.ts';

/** UTF-16 code units in one page. */
const PAGE_CHARS = 2 * 1024 * 1024;

/** The generation must be indexed. Rejects with `cancelled` when the signal fires. */
export async function exportLines(
  generation: Generation,
  { query, lines: wanted, from }: Omit<ExportParams, 'document'>,
  { pool, searches, signal }: { pool: Pool; searches: Searches; signal: AbortSignal | undefined },
): Promise<ExportResult> {
  const { numbers } = generation;
  const stored: number[] = [];
  let total: number;
  if (query) {
    const job = searches.job(generation, query, false, from === 0);
    await searches.complete(job, signal);
    total = job.lines.size;
    for (let k = from; k < total && stored.length < MAX_EXPORT_LINES; k += 1) stored.push(job.lines.kth(k)!);
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
  const found = await pool.run(
    'plainLines',
    { ...generation.stream(), request },
    { signal, priority: 'bulk' },
  );
  const lines = found.map(({ text, clipped }, i) => ({
    line_number: numbers.shown(stored[i]!),
    text,
    ...(clipped ? { clipped: true as const } : {}),
  }));
  const isPart = found.length > 0 && found.length < stored.length;
  const last = stored[found.length - 1];
  // Of named lines some may have been left out: go on behind the last one.
  const behind = wanted && last !== undefined ? wanted.indexOf(numbers.shown(last)) + 1 : from + found.length;
  const next = isPart || (!wanted && behind < total && found.length > 0) ? behind : null;
  return { generation: generation.number, lines, next, total };
}
