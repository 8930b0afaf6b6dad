/** `grep`: a page of matching lines with context, and how many there are in the whole stream. */
import { argumentOn, type Surface } from '../../../shared/arguments/argument.ts';
import { isFileId } from '../../../shared/artifact-names.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import { DEFAULT_CONTEXT_LINES, DEFAULT_MATCHES, MAX_VIEW_LINES } from '../../../shared/limits.ts';
import type { SearchQuery } from '../../../shared/search-query.ts';
import { CR } from '../../../shared/text/codes.ts';
import { conditionsOf } from '../../../shared/text/fields.ts';
import type { GrepView, InspectParams } from '../../../shared/views.ts';
import { unbroken } from '../../reader/lines/line-gaps.ts';
import { MOST_ENTRY_LINES } from '../../reader/views/entry-bounds.ts';
import {
  absentFieldNote,
  assumedUnitNote,
  dialectNote,
  expressionOf,
  fieldNote,
} from '../../search/expression.ts';
import type { GrepLinesRequest, GrepLinesResult } from '../../search/grep-lines.ts';
import { sha256 } from '../../store/format/sha256.ts';
import { createBeat } from '../../workers/call-watch.ts';
import type { Pool } from '../../workers/pool.ts';
import type { Generation, LineNumbers } from '../documents/generation.ts';
import { noteOf, type StreamFields, type ViewContext } from './context.ts';

/** The fields of a grep that searched nothing. */
export const NOT_SEARCHED = {
  match_count: 0,
  matches_shown: 0,
  next_cursor: null,
  matches: [],
  timed_out: false,
  unsearched: true,
};

/** Throws `usage` for a missing or invalid pattern. */
export function grepQuery(params: InspectParams, surface: Surface): SearchQuery {
  const { pattern = '', fixed = false, case_sensitive = false, invert = false, where } = params;
  if (where !== undefined) conditionsOf(where);
  if (pattern === '' && (where === undefined || params.pattern === '')) {
    throw new SpillwayError(
      'usage',
      'grep needs a pattern',
      `give a regular expression, or plain text with ${argumentOn(surface, 'fixed')}`,
    );
  }
  const query = { pattern, fixed, case_sensitive, invert, ...(where === undefined ? {} : { where }) };
  expressionOf(query, surface);
  return query;
}

/** Throws `usage` and `changed` for a cursor of no page of this search. */
export async function grepView(
  fields: StreamFields,
  generation: Generation,
  params: InspectParams,
  context: ViewContext,
): Promise<GrepView> {
  const { pool, searches, signal, surface } = context;
  const query = { ...grepQuery(params, surface), groups: generation.fieldPatterns };
  const raw = params.raw ?? false;
  const { since, until, around } = params;
  const times = [since, until, around];
  const search = JSON.stringify([fields.artifact_id, fields.file_path, fields.stream, query, raw, times]);
  const cursors = new GrepCursors(search, generation, isFileId(fields.artifact_id ?? ''));
  const after = params.cursor === undefined ? 0 : cursors.lineOf(params.cursor);
  const job = searches.job(generation, query, raw, params.cursor === undefined);
  await searches.complete(job, signal);
  // Bounds come from times. A gap's lines are not stored, and none of them matches.
  const { storedFrom, storedTo } = boundsOf(params, generation);
  const before = job.lines.rank(storedFrom);
  const matches = Math.max(0, job.lines.rank(storedTo + 1) - before);
  const end = before + matches;
  const first = Math.max(before, job.lines.rank(after + 1));
  const wanted = Math.min(params.max_matches ?? DEFAULT_MATCHES, MAX_VIEW_LINES);
  const lines: number[] = [];
  for (let k = first; k < Math.min(end, first + wanted); k += 1) {
    const line = job.lines.kth(k);
    if (line === undefined) break;
    lines.push(line);
  }
  const { stalled, ...page } = await grepPage(
    pool,
    generation,
    {
      query,
      raw,
      lines,
      beside: { before: job.lines.kth(first - 1), behind: job.lines.kth(first + lines.length) },
      context: params.context_lines ?? (params.entries ? 0 : DEFAULT_CONTEXT_LINES),
      entries: params.entries ? await generation.entryForm(pool) : undefined,
      maxLineChars: context.maxLineChars,
      maxChars: params.max_chars ?? Number.POSITIVE_INFINITY,
    },
    signal,
  );
  const shown = page.matches.length;
  const timedOut = job.timedOut || stalled;
  const isFruitless = matches === 0 && !timedOut && generation.problem === null;
  const isOverwritten = async () => {
    const whole = searches.job(generation, query, true, false);
    await searches.complete(whole, signal);
    return whole.lines.size > 0;
  };
  const hidesRedrawn = matches === 0 && !raw && isRedrawn(generation) && (await isOverwritten());
  const head = generation.head.toString('latin1');
  const hidesMessages = matches === 0 && BYTE_MESSAGE.test(head);
  // A count has no next page.
  const more = wanted > 0 && first + shown < end;
  return {
    ...fields,
    mode: 'grep',
    ...page,
    // Where no line matches, none is left out.
    truncated: !isFruitless && (page.lines_shown < fields.total_lines || page.clipped_lines > 0),
    next_start_line: null,
    match_count: matches,
    matches_shown: shown,
    next_cursor: more ? cursors.after(lines[shown - 1] ?? after) : null,
    timed_out: timedOut,
    ...(generation.problem === null && !hidesMessages && !hidesRedrawn ? {} : { unsearched: true }),
    ...noteOf([
      ...generation.notes(),
      dialectNote(query, job.lines.size === 0),
      job.lines.size === 0 && fieldNote(query, head),
      job.lines.size === 0 && absentFieldNote(query, head),
      assumedUnitNote(query, head),
      hidesRedrawn &&
        `carriage returns redraw its only line, and what they overwrite matches: search it with ${argumentOn(surface, 'raw')}`,
      hidesMessages &&
        'messages that are lists of bytes, as journald writes those with control characters, were not searched',
      job.inParts &&
        `lines over 4 MiB were searched in overlapping parts${query.where === undefined ? '' : ', in which no field of JSON is found'}`,
      timedOut &&
        `the expression stopped making progress: simplify it, or search for plain text with ${argumentOn(surface, 'fixed')}`,
    ]),
  };
}

/** The window shows their text, which no line holds. */
const BYTE_MESSAGE = /"MESSAGE" ?: ?\[\d/;

function boundsOf({ start_line: start, end_line: end }: InspectParams, { numbers }: Generation) {
  return {
    storedFrom: start === undefined ? 1 : numbers.from(start),
    storedTo: end === undefined ? Number.POSITIVE_INFINITY : numbers.to(end),
  };
}

/** Whether it is one line of many carriage returns: progress, or a text with the line ends of an old Mac. */
function isRedrawn({ lines, head }: Generation): boolean {
  return lines <= 1 && head.includes(CR) && head.indexOf(CR) < head.length - 2;
}

/** Bytes at the beginning by which a text is known to another process. */
const MOST_HEAD_BYTES = 4096;
const HASH_CHARS = 8;

type Text = Pick<Generation, 'head' | 'number'>;

/**
 * Cursors between pages of one grep. One names the last match that was given, so it stays valid while the file grows;
 * and by short hashes the search and the text, as among other matches, or other lines, it would skip some.
 */
class GrepCursors {
  readonly #search: string;
  readonly #text: Text;
  readonly #maySwap: boolean;

  /** `search`: of what, and for what. `maySwap`: others may write another text that begins alike. */
  constructor(search: string, text: Text, maySwap: boolean) {
    this.#search = sha256(search).slice(0, HASH_CHARS);
    this.#text = text;
    this.#maySwap = maySwap;
  }

  after(line: number): string {
    const bytes = Math.min(this.#text.head.length, MOST_HEAD_BYTES);
    return [line, bytes, this.#search, this.#textHash(bytes)].join('.');
  }

  /** Throws `usage` for a cursor that no page of this search gave, `changed` for one of another text. */
  lineOf(cursor: string): number {
    const [, line, bytes, search, text] = /^(\d+)\.(\d+)\.(\w+)\.(\w+)$/.exec(cursor) ?? [];
    if (line === undefined || !Number.isSafeInteger(Number(line)))
      throw new SpillwayError(
        'usage',
        'unknown cursor',
        'use next_cursor of the page before, or leave it out',
      );
    if (search !== this.#search)
      throw new SpillwayError(
        'usage',
        'the cursor is of another search',
        'give the same output and pattern as for the page before, or leave it out to begin anew',
      );
    if (text !== this.#textHash(Number(bytes)))
      throw new SpillwayError(
        'changed',
        'the file was replaced or written again since the page before',
        'leave `cursor` out to begin anew',
      );
    return Number(line);
  }

  #textHash(bytes: number): string {
    const { head, number } = this.#text;
    return sha256(`${this.#maySwap ? number : ''} ${head.toString('latin1', 0, bytes)}`).slice(0, HASH_CHARS);
  }
}

/** Matching lines as `grep -n` prints them, from a thread that is ended when the expression gets nowhere on them. */
interface GrepPage extends GrepLinesResult {
  /** True when the search for match positions gave up: the lines are given whole, from their first column. */
  stalled: boolean;
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
    return { ...renumbered(found, generation.numbers, reach), stalled: unmarked };
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
