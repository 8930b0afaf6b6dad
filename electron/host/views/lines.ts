/** `head`, `tail` and `range`: consecutive lines, by the line numbers that are shown. */
import { SpillwayError } from '../../../shared/errors.ts';
import { DEFAULT_VIEW_LINES, MAX_VIEW_LINES } from '../../../shared/limits.ts';
import type { InspectParams, LinesView } from '../../../shared/views.ts';
import { unbroken } from '../../reader/lines/line-gaps.ts';
import type { LineSpan } from '../../reader/views/entry-bounds.ts';
import type { LinesRequest } from '../../reader/views/line-range.ts';
import type { Pool } from '../../workers/pool.ts';
import type { Generation, LineNumbers } from '../documents/generation.ts';
import { noteOf, type StreamFields, type ViewContext } from './context.ts';

/** Throws `out_of_range` for a start below 1 or after the end line. */
export function checkRange(
  params: Pick<InspectParams, 'start_line' | 'end_line'>,
  numbers: LineNumbers,
): void {
  const first = params.start_line ?? 1;
  if (first < 1) {
    throw new SpillwayError(
      'out_of_range',
      `line ${first} does not exist`,
      `lines are numbered from 1 to ${numbers.total}`,
    );
  }
  const end = params.end_line;
  if (end !== undefined && end < first) {
    throw new SpillwayError(
      'out_of_range',
      `the range ends at line ${end}, before it starts at line ${first}`,
      'give an end line that is not before the start line',
    );
  }
}

/** The last line that a head can show. */
export function lastOfHead(params: InspectParams): number {
  return Math.min(params.lines ?? DEFAULT_VIEW_LINES, MAX_VIEW_LINES);
}

/** The last line that a range can show. */
export function lastOfRange(params: InspectParams): number {
  const { first, last } = rangeOf(params);
  return Math.min(last, first + MAX_VIEW_LINES - 1);
}

/** The view of this mode; `checkRange` has passed. */
export function linesView(mode: LinesView['mode']) {
  return async (
    fields: StreamFields,
    generation: Generation,
    params: InspectParams,
    { pool, signal, maxLineChars }: ViewContext,
  ): Promise<LinesView> => {
    const { numbers } = generation;
    const range = mode === 'range' ? rangeOf(params) : null;
    const wanted = range ? storedRange(range, numbers) : storedEnd(mode, params, numbers);
    const span = { first: wanted.first, last: wanted.first + wanted.count - 1 };
    const grown = await withEntries(span, generation, { entries: params.entries, mode }, pool);
    const stored = { first: grown.first, count: grown.last - grown.first + 1 };
    const request: LinesRequest = {
      ...stored,
      raw: params.raw ?? false,
      maxChars: params.max_chars,
      maxLineChars,
      keepEnd: mode === 'tail',
    };
    const { replayed_part, ...result } = await pool.run(
      'lines',
      { ...generation.text(), request },
      { signal },
    );
    const start = numbers.shownOrNull(result.start_line);
    const end = numbers.shownOrNull(result.end_line);
    const tail = { first: start ?? 1, last: Number.POSITIVE_INFINITY };
    const asked = range ?? (mode === 'tail' ? tail : { first: 1, last: Math.max(stored.count, end ?? 1) });
    return {
      ...fields,
      mode,
      ...result,
      start_line: start,
      end_line: end,
      next_start_line: nextLine(result.next_start_line, stored, result.lines_shown, numbers),
      total_lines: numbers.total,
      truncated: result.lines_shown < numbers.total || result.clipped_lines > 0 || generation.isPartial,
      ...noteOf([
        ...generation.notes(asked.first, asked.last),
        replayed_part && 'only the last 4 MiB of a redrawn line were replayed',
      ]),
    };
  };
}

/** The stored lines at the head or the tail. */
function storedEnd(
  mode: LinesView['mode'],
  params: InspectParams,
  numbers: LineNumbers,
): { first: number; count: number } {
  const count = Math.min(params.lines ?? DEFAULT_VIEW_LINES, MAX_VIEW_LINES);
  return { first: mode === 'tail' ? Math.max(1, numbers.stored - count + 1) : 1, count };
}

/** The first and last line number asked for. */
function rangeOf(params: InspectParams): { first: number; last: number } {
  const first = params.start_line ?? 1;
  const lines = Math.min(params.lines ?? DEFAULT_VIEW_LINES, MAX_VIEW_LINES);
  if (params.end_line === undefined) return { first, last: first + lines - 1 };
  return { first, last: Math.min(params.end_line, first + (params.lines ?? Number.POSITIVE_INFINITY) - 1) };
}

function storedRange(
  range: { first: number; last: number },
  numbers: LineNumbers,
): { first: number; count: number } {
  const first = numbers.from(range.first);
  return { first, count: Math.max(0, numbers.to(range.last) - first + 1) };
}

/** The line to read on from; after a range inside a gap, the first line after it. */
function nextLine(
  next: number | null,
  stored: { first: number },
  shown: number,
  numbers: LineNumbers,
): number | null {
  if (shown > 0 || stored.first > numbers.stored) return numbers.shownOrNull(next);
  return numbers.shown(stored.first);
}

/** Returns the stored lines, grown to the borders of entries if the request asks for these. */
async function withEntries(
  span: LineSpan,
  generation: Generation,
  { entries, mode }: Pick<InspectParams, 'entries' | 'mode'>,
  pool: Pool,
): Promise<LineSpan> {
  const { numbers } = generation;
  const last = Math.min(span.last, numbers.stored);
  if (!entries || span.first > last) return span;
  const asked = { first: span.first, last };
  const form = await generation.entryForm(pool);
  const grown = await pool.run('entriesAround', { ...generation.text(), span: asked, form });
  // An entry does not reach over lines that are missing.
  return {
    first: mode === 'head' ? span.first : Math.max(grown.first, unbroken(numbers.gaps, span.first).first),
    last: mode === 'tail' ? span.last : Math.min(grown.last, unbroken(numbers.gaps, last).last),
  };
}
