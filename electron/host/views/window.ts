/**
 * The byte window (CONTRACT 5): bytes in sequence from an offset, or with `search` the matching lines from there on.
 */
import { DEFAULT_WINDOW_BYTES, MAX_MATCHES } from '../../../shared/limits.ts';
import type { SearchQuery } from '../../../shared/search-query.ts';
import { clipText } from '../../../shared/text/clip.ts';
import type { ByteWindow, ReadParams } from '../../../shared/views.ts';
import { binaryNote } from '../../reader/bytes/content-type.ts';
import { dialectNote, expressionOf, fieldNote } from '../../search/expression.ts';
import type { Document, Need } from '../documents/document.ts';
import type { Generation } from '../documents/generation.ts';
import {
  COUNTED_BYTES,
  linesCounted,
  NO_LINES,
  noteOf,
  type StreamFields,
  streamFields,
  type ViewContext,
} from './context.ts';
import { grepPage } from './grep.ts';

/** In any encoding that is read. */
const MAX_CHARACTER_BYTES = 4;

/** Throws `out_of_range` for an offset below 0 or past the end. */
export function readDocument(
  document: Document,
  params: ReadParams,
  context: ViewContext,
): Promise<ByteWindow> {
  // Unpack no more than is shown, and a character to tell that there is more.
  const bytes = (params.offset ?? 0) + (params.limit ?? DEFAULT_WINDOW_BYTES) + MAX_CHARACTER_BYTES;
  const need: Need = ({ isPartial, gaps, size }) => {
    if (params.search || gaps.length > 0 || (!isPartial && size <= COUNTED_BYTES)) return 'everything';
    return isPartial || bytes <= COUNTED_BYTES ? { bytes } : 'nothing';
  };
  return document.use({ need, ...context }, async (generation, artifact) => {
    const fields = {
      ...streamFields(document, generation, artifact),
      ...linesCounted(generation),
      mode: 'window' as const,
      clipped_lines: 0,
    };
    const { search, offset = 0, limit = DEFAULT_WINDOW_BYTES } = params;
    const request = { offset, limit: search ? 1 : limit };
    const window = await context.pool.run(
      'window',
      { ...generation.text(), request },
      { signal: context.signal },
    );
    if (generation.contentType === 'binary' && !params.as_text) {
      return {
        ...fields,
        ...NO_LINES,
        offset: window.offset,
        bytes_shown: 0,
        truncated: true,
        next_offset: null,
        note: binaryNote(generation.head, generation.size, context.surface),
      };
    }
    if (search) return { ...fields, ...(await searchWindow(generation, { search, limit }, window, context)) };
    const { start_line, end_line, next_offset } = window;
    const { numbers } = generation;
    const next =
      next_offset === null || end_line === null ? null : end_line + (window.content.endsWith('\n') ? 1 : 0);
    const shown = { start_line: numbers.shownOrNull(start_line), end_line: numbers.shownOrNull(end_line) };
    return {
      ...fields,
      ...window,
      ...shown,
      start_offset: start_line === null ? null : window.offset,
      truncated: window.bytes_shown < generation.size || generation.gaps.length > 0 || generation.isPartial,
      next_start_line: numbers.shownOrNull(next),
      ...noteOf(
        generation.notes(shown.start_line ?? 1, (next_offset === null ? null : shown.end_line) ?? undefined),
      ),
    };
  });
}

// The byte window with `search` (CONTRACT 5): the matching lines from an offset on, numbered, as many as fit.

type SearchWindow = Omit<ByteWindow, keyof StreamFields>;

/** `from` is the window's offset. Throws `usage` for a pattern that is too long. */
async function searchWindow(
  generation: Generation,
  { search, limit }: { search: string; limit: number },
  from: Pick<ByteWindow, 'offset' | 'start_line'>,
  context: ViewContext,
): Promise<SearchWindow> {
  const { pool, searches, signal } = context;
  const { query, literally } = queryOf(search);
  const job = searches.job(generation, query, false, from.offset === 0);
  await searches.complete(job, signal);
  const first = from.start_line === null ? job.lines.size : job.lines.rank(from.start_line);
  const numbers: number[] = [];
  for (let k = first; k < first + MAX_MATCHES; k += 1) {
    const line = job.lines.kth(k);
    if (line === undefined) break;
    numbers.push(line);
  }
  const show = (lines: readonly number[]) =>
    grepPage(
      pool,
      generation,
      {
        query,
        raw: false,
        lines,
        context: 0,
        maxLineChars: context.maxLineChars,
        // With room for what grepLines sets aside: bytes are counted here.
        maxChars: limit + 16,
      },
      signal,
    );
  let page = await show(numbers);
  const { lines, clipped } = fitting(page.content, limit);
  // The lines fit by characters but not by bytes: describe only the remaining ones.
  if (lines.length < page.matches.length) page = await show(numbers.slice(0, lines.length));
  const last = numbers[lines.length - 1];
  const more = first + lines.length < job.lines.size;
  const goOn = last !== undefined && more ? last + 1 : null;
  const content = lines.join('\n');
  const timedOut = job.timedOut || page.stalled;
  // Where no line matches, none is left out.
  const isFruitless = job.lines.size === 0 && !timedOut && generation.problem === null;
  return {
    mode: 'window',
    offset: from.offset,
    bytes_shown: Buffer.byteLength(content),
    start_line: generation.numbers.shownOrNull(numbers[0] ?? null),
    start_offset: page.start_offset,
    end_line: generation.numbers.shownOrNull(last ?? null),
    lines_shown: lines.length,
    truncated:
      generation.gaps.length > 0 ||
      (!isFruitless && (lines.length < generation.numbers.total || page.clipped_lines > 0 || clipped)),
    clipped_lines: Math.max(page.clipped_lines, clipped ? 1 : 0),
    content,
    next_offset:
      goOn === null ? null : await pool.run('lineStart', { ...generation.text(), line: goOn }, { signal }),
    next_start_line: generation.numbers.shownOrNull(goOn),
    match_count: job.lines.size,
    timed_out: timedOut,
    ...noteOf([
      ...generation.notes(),
      dialectNote(query, job.lines.size === 0),
      job.lines.size === 0 && fieldNote(query, generation.head.toString('latin1')),
      literally && 'the search is no valid regular expression and was taken literally',
      job.inParts && 'lines over 4 MiB were searched in overlapping parts',
      timedOut && 'the expression stopped making progress: simplify it',
    ]),
  };
}

/** The search as an expression, or as plain text when it is not a valid one. */
function queryOf(search: string): { query: SearchQuery; literally: boolean } {
  const query = { pattern: search, fixed: false, case_sensitive: false, invert: false };
  try {
    expressionOf(query);
    return { query, literally: false };
  } catch {
    const plain = { ...query, fixed: true };
    expressionOf(plain);
    return { query: plain, literally: true };
  }
}

/** Whole lines that fit in so many bytes of UTF-8; of the first at least something. */
function fitting(content: string, limit: number): { lines: string[]; clipped: boolean } {
  if (content === '') return { lines: [], clipped: false };
  const lines: string[] = [];
  let bytes = 0;
  for (const line of content.split('\n')) {
    // The mark between blocks; a numbered line never looks like it.
    if (line === '--') continue;
    bytes += Buffer.byteLength(line) + (lines.length > 0 ? 1 : 0);
    if (bytes <= limit) lines.push(line);
    else if (lines.length === 0) return { lines: [clippedTo(line, limit)], clipped: true };
    else break;
  }
  return { lines, clipped: false };
}

function clippedTo(line: string, limit: number): string {
  const least = line.indexOf(':') + 2;
  let chars = Math.min(line.length, limit);
  while (chars > least && Buffer.byteLength(clipText(line, chars).text) > limit) {
    chars = Math.max(least, Math.floor(chars * 0.8));
  }
  return clipText(line, Math.max(least, chars)).text;
}
