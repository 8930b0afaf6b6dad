/** Answers the window's requests on filters (shared/api/filters.ts). */
import type { FilterRef, FilterState, LinesPart, RowsOfParams } from '../../../shared/api/filters.ts';
import type { DocumentRef, RowsResult } from '../../../shared/api/rows.ts';
import {
  type Container,
  compact,
  LineSet,
  type LineSetParts,
  memberCount,
  SPAN,
} from '../../../shared/line-set.ts';
import type { Pool } from '../../workers/pool.ts';
import type { Document } from '../documents/document.ts';
import type { Generation } from '../documents/generation.ts';
import type { Access, RequestOptions } from '../host.ts';
import { later } from '../in-order.ts';
import { rowsWithTimes } from '../views/dated-rows.ts';
import type { FilterJob, FilterJobs } from './filter-job.ts';
import { keepUp, type WindowSearch } from './window-search.ts';

interface FiltersOptions {
  pool: Pool;
  jobs: FilterJobs;
  search: WindowSearch;
  documentOf: (ref: DocumentRef, access: Access) => Promise<Document>;
}

export class WindowFilters {
  readonly #options: FiltersOptions;

  constructor(options: FiltersOptions) {
    this.#options = options;
  }

  watch(
    { document: ref, filter }: FilterRef,
    listener: (state: FilterState) => void,
    onError: (error: Error) => void,
  ): () => void {
    return later(this.#options.documentOf(ref, 'person'), onError, (document) =>
      watchFilter(document, (generation) => this.#options.jobs.job(generation, filter), listener, onError),
    );
  }

  async rowsOf(
    { document: ref, lines, highlight }: RowsOfParams,
    options?: RequestOptions,
  ): Promise<RowsResult> {
    const { pool, search, documentOf } = this.#options;
    const { signal } = options ?? {};
    const document = await documentOf(ref, options?.access ?? 'person');
    const last = lines.at(-1)!;
    const need = (generation: Generation) =>
      generation.gaps.length > 0 ? ('everything' as const) : { line: last - 1 };
    return document.use({ need, ...options }, async (generation) => {
      const { numbers } = generation;
      const stored = lines.map((line) => numbers.from(line)).filter((line) => line <= numbers.stored);
      const found = await pool.run('rowsOf', { ...generation.text(), lines: stored }, { signal });
      const dated = await rowsWithTimes(found, generation, pool);
      const rows = await search.highlighted(dated, highlight, signal);
      return { generation: generation.number, start_line: lines[0]!, rows };
    });
  }
}

/** Shortest time between two events; the first with a line and the last are sent at once. */
const TELL_MS = 80;

/** Watches a filter for a window: sends events as its searches advance, and continues as the text grows. */
function watchFilter(
  document: Document,
  jobOf: (generation: Generation) => FilterJob,
  listener: (state: FilterState) => void,
  onError: (error: Error) => void,
): () => void {
  const stop = new AbortController();
  /** The last event sent. Keeping its job keeps the job's results. */
  let last: { job: FilterJob; at: number; settled: number; whole: number; any: boolean } | null = null;
  const tell = (job: FilterJob, done: boolean) => {
    if (stop.signal.aborted) return;
    if (last?.job !== job) last = { job, at: 0, settled: 0, whole: 0, any: false };
    const known = job.knownLine;
    // While the last line is searched again, don't update the window.
    if (!done && (known <= last.settled || (last.any && Date.now() - last.at < TELL_MS))) return;
    // Another window may have updated the job, so send all changes since this window's last event.
    const before = Math.min(last.whole, known);
    job.update();
    const changed = Math.floor(Math.min(before, job.settledLine) / SPAN);
    const any = last.any || job.lines.size > 0;
    last = { job, at: Date.now(), settled: known, whole: job.settledLine, any };
    listener(stateOf(job, changed, done));
  };
  const filterOnce = () =>
    document.use('everything', async (generation) => {
      const job = last?.job.generation === generation ? last.job : jobOf(generation);
      await job.run(stop.signal, () => tell(job, false));
      tell(job, true);
    });
  return keepUp(document, stop, filterOnce, onError);
}

function stateOf(job: FilterJob, changed: number, done: boolean): FilterState {
  const { generation, lines } = job;
  const hasGaps = generation.numbers.gaps.length > 0;
  // A gap shifts all later numbers, so send everything again.
  const fromKey = hasGaps ? 0 : changed;
  const parts = hasGaps ? shownParts(lines, generation) : lines.partsFrom(fromKey);
  return {
    generation: generation.number,
    searched_bytes: job.searchedBytes,
    total_bytes: generation.size,
    settled_line: generation.numbers.shown(job.settledLine),
    from_key: fromKey,
    parts: linesParts(parts),
    rules: job.ruleStates(),
    done,
  };
}

/** Converts the lines to shown numbers. */
function shownParts(lines: LineSet, { numbers }: Generation): LineSetParts {
  const shown = new LineSet();
  const members: number[] = [];
  lines.forEach((line) => {
    members.push(numbers.shown(line));
  });
  shown.append(members);
  return shown.parts();
}

/** From this many members on, a list of the missing lines is shorter than a bitmap. */
const DENSE_MIN = SPAN - 4096;

/** Encodes a set of lines for the window (shared/api/filters.ts), in the shortest of three forms. */
export function linesParts({ keys, containers }: LineSetParts): LinesPart[] {
  return keys.map((key, i) => partOf(key, containers[i]!));
}

function partOf(key: number, container: Container): LinesPart {
  if (container instanceof Uint16Array) return { key, form: 'members', data: base64(container) };
  if (memberCount(container) < DENSE_MIN) return { key, form: 'bits', data: base64(container) };
  const absent = compact(container.map((word) => ~word));
  return { key, form: 'absent', data: base64(absent) };
}

/** Assumes a little-endian machine, as all supported ones are. */
function base64(numbers: Container): string {
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength).toString('base64');
}
