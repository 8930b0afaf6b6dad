/**
 * Makes rows for the window, by the line numbers that are shown. A row stands for each missing line, so that there
 * are as many rows as numbers.
 */
import type { Row } from '../../../shared/api/rows.ts';
import { lineTime, type TimeFacts } from '../../../shared/text/line-time.ts';
import { dependsOnForm, hasFields } from '../../../shared/text/time-form.ts';
import { unbroken } from '../../reader/lines/line-gaps.ts';
import type { RowsRequest } from '../../reader/views/rows.ts';
import type { Pool } from '../../workers/pool.ts';
import type { Need } from '../documents/document.ts';
import type { Generation } from '../documents/generation.ts';
import { MergedGeneration } from '../documents/origins/merged-origin.ts';

interface FoundRows {
  start_line: number | null;
  rows: Row[];
}

/** Only the offset of the first row must be indexed; the rows after it are read one after another. */
export function rowsNeed({ start, fromEnd }: RowsRequest): Need {
  return ({ gaps }) => {
    if (gaps.length > 0) return 'everything';
    return fromEnd || start === 1 ? 'nothing' : { line: start - 1 };
  };
}

/** The text must be indexed as far as `rowsNeed` says. */
export async function rowsView(
  generation: Generation,
  request: RowsRequest,
  pool: Pool,
  signal: AbortSignal | undefined,
): Promise<FoundRows> {
  if (generation.gaps.length > 0) return rowsWithGaps(generation, request, pool, signal);
  return pool.run('rows', { ...generation.text(), request }, { signal });
}

/**
 * The rows with the time each arrived, unless the lines print the times that are meant, or with the printed time where
 * the line's text alone does not tell it; and of the combined stream which stream each is of.
 */
export function withArrivals(rows: readonly Row[], generation: Generation): Row[] {
  const arrivals = generation.arrivals();
  if (!arrivals) return rows.map((row) => withWrittenTime(row, generation.timeFacts()));
  const { readsPrinted } = generation;
  // A line arrives with its line end.
  const ends = rows.map(({ offset, bytes }) => Math.min(offset + bytes, Math.max(0, generation.size - 1)));
  const arrived = arrivals.at(ends);
  return rows.map((row, index) => {
    const { time, stream } = arrived[index]!;
    if (row.missing) return row;
    const isPrinted = time === null || readsPrinted;
    const dated = isPrinted ? withWrittenTime(row, generation.timeFacts(ends[index]!)) : { ...row, at: time };
    return stream === null ? dated : { ...dated, stream };
  });
}

/** The row with its time if the row's text alone does not tell it, as where it names no day. */
function withWrittenTime(row: Row, facts: TimeFacts): Row {
  if (row.missing) return row;
  const time = lineTime(row.text, facts);
  return time === lineTime(row.text) ? row : { ...row, told_at: time };
}

/** Returns the time of a row of `withArrivals`, in milliseconds since the epoch; null if it has none. */
export function timeOfRow(row: Row): number | null {
  if (row.missing) return null;
  return row.at ?? (row.told_at === undefined ? lineTime(row.text) : row.told_at);
}

/** Reads more of the text, if the times of these rows depend on it. */
export async function learnTimesOf(rows: readonly Row[], generation: Generation, pool: Pool): Promise<void> {
  const isDated = generation.arrivals() === null ? dependsOnForm : (text: string) => lineTime(text) !== null;
  const depends = hasFields(generation.head) || rows.some((row) => !row.missing && isDated(row.text));
  if (depends) await generation.learnFormat(pool);
}

/** The rows with what else is known of each: its arrival and stream, and in a merged text its artifact and number. */
export async function rowsWithTimes(
  rows: readonly Row[],
  generation: Generation,
  pool: Pool,
): Promise<Row[]> {
  await learnTimesOf(rows, generation, pool);
  const arrived = withArrivals(rows, generation);
  return generation instanceof MergedGeneration ? generation.numbered(arrived, pool) : arrived;
}

async function rowsWithGaps(
  generation: Generation,
  request: RowsRequest,
  pool: Pool,
  signal: AbortSignal | undefined,
): Promise<FoundRows> {
  const { numbers } = generation;
  const start = request.fromEnd ? Math.max(1, numbers.total - request.start + 1) : request.start;
  const end = Math.min(numbers.total, start + request.count - 1);
  const rows: Row[] = [];
  const placeOf = (line: number) => pool.run('lineStart', { ...generation.text(), line }, { signal });
  for (let line = start; line <= end; ) {
    const stored = numbers.from(line);
    const offset = stored > numbers.stored ? generation.size : await placeOf(stored);
    const next = stored > numbers.stored ? end + 1 : numbers.shown(stored);
    for (; line < next && line <= end; line += 1) rows.push(missingRow(offset));
    if (line > end) break;
    // As far as stored lines follow each other without a gap.
    const wanted = Math.min(numbers.to(end), unbroken(numbers.gaps, stored).last) - stored + 1;
    const found = await pool.run(
      'rows',
      {
        ...generation.text(),
        request: { start: stored, count: wanted, fromEnd: false, piece: request.piece },
      },
      { signal },
    );
    rows.push(...found.rows);
    line += found.rows.length;
    // A block of costly lines ends early; the next request starts there.
    if (found.rows.length < wanted) break;
  }
  return { start_line: start, rows };
}

function missingRow(offset: number): Row {
  return { text: '', runs: null, offset, bytes: 0, clipped: false, missing: true };
}
