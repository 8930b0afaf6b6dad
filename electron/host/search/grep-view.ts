/** `grep` of CONTRACT 5: a page of matching lines with context, and how many there are in the whole stream. */
import { SpillwayError } from '../../../shared/errors.ts';
import { DEFAULT_CONTEXT_LINES, DEFAULT_MATCHES, MAX_VIEW_LINES } from '../../../shared/limits.ts';
import type { GrepView, InspectParams, LinesView } from '../../../shared/views.ts';
import { dialectNote } from '../../search/dialect-note.ts';
import { expressionOf, type Query } from '../../search/query.ts';
import type { Generation } from '../documents/generation.ts';
import type { ViewContext } from '../views/views.ts';
import { grepPage } from './grep-page.ts';

/** What a view says of its stream whatever its mode. */
type Base = Pick<
  LinesView,
  | 'artifact_id'
  | 'file_path'
  | 'stream'
  | 'content_type'
  | 'encoding'
  | 'total_lines'
  | 'total_bytes'
  | 'running'
>;

/** Throws `usage` for a missing or invalid pattern, or a cursor that is none. */
export function grepQuery(params: InspectParams): Query {
  if (params.pattern === undefined || params.pattern === '') {
    throw new SpillwayError(
      'usage',
      'grep needs a pattern',
      'say what to look for, as a regular expression or with fixed as plain text',
    );
  }
  const query: Query = {
    pattern: params.pattern,
    fixed: params.fixed ?? false,
    caseSensitive: params.case_sensitive ?? false,
    invert: params.invert ?? false,
  };
  expressionOf(query);
  return query;
}

export async function grepView(
  base: Base,
  generation: Generation,
  params: InspectParams,
  context: ViewContext,
): Promise<GrepView> {
  const { pool, searches, signal } = context;
  const query = grepQuery(params);
  const raw = params.raw ?? false;
  const after = lineOfCursor(params.cursor);
  const job = searches.job(generation, query, raw, params.cursor === undefined);
  await searches.complete(job, signal);
  const first = job.lines.rank(after + 1);
  const wanted = Math.min(params.max_matches ?? DEFAULT_MATCHES, MAX_VIEW_LINES);
  const lines: number[] = [];
  for (let k = first; k < first + wanted; k += 1) {
    const line = job.lines.kth(k);
    if (line === undefined) break;
    lines.push(line);
  }
  const { got_nowhere, ...page } = await grepPage(
    pool,
    generation,
    {
      query,
      raw,
      lines,
      beside: { before: job.lines.kth(first - 1), behind: job.lines.kth(first + lines.length) },
      context: params.context_lines ?? DEFAULT_CONTEXT_LINES,
      maxLineChars: context.maxLineChars,
      maxChars: params.max_chars ?? Number.POSITIVE_INFINITY,
    },
    signal,
  );
  const shown = page.matches.length;
  const dialect = dialectNote(query);
  const notes = [
    ...generation.notes(),
    ...(dialect ? [dialect] : []),
    ...(job.inParts ? ['lines over 4 MiB were searched in overlapping parts'] : []),
    ...(job.timedOut || got_nowhere
      ? ['the expression stopped making progress: simplify it, or search for plain text with fixed']
      : []),
  ];
  const more = first + shown < job.lines.size;
  return {
    ...base,
    mode: 'grep',
    ...page,
    truncated: page.lines_shown < base.total_lines || page.clipped_lines > 0,
    next_start_line: null,
    match_count: job.lines.size,
    matches_shown: shown,
    next_cursor: more ? cursorAfter(lines[shown - 1] ?? after) : null,
    timed_out: job.timedOut || got_nowhere,
    ...(notes.length > 0 ? { note: notes.join('; ') } : {}),
  };
}

/** A cursor names the last matching line given: it stays good while the file grows. */
function cursorAfter(line: number): string {
  return Buffer.from(JSON.stringify({ after: line })).toString('base64url');
}

function lineOfCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  try {
    const { after } = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as { after: unknown };
    if (typeof after === 'number' && Number.isSafeInteger(after) && after >= 0) return after;
  } catch {
    // Said below.
  }
  throw new SpillwayError('usage', 'unknown cursor', 'use next_cursor of the page before, or leave it out');
}
