/** Shows views in a terminal or a pipe: the lines that explain a failure, and what grep found. */
import type { ViewMode } from '../../../shared/arguments/argument.ts';
import type { TerminalCommands, TypedCommand } from '../../../shared/terminals.ts';
import { clipText } from '../../../shared/text/clip.ts';
import { escapeControls, escapeLine } from '../../../shared/text/escape.ts';
import { messageFirst } from '../../../shared/text/file-links.ts';
import { formatBytes, formatCount, formatDuration, plural } from '../../../shared/text/format.ts';
import {
  type FailureView,
  type GrepView,
  type InspectParams,
  type LinesView,
  NO_CAUSE_OF_PASSED,
  NO_CAUSE_OF_SUCCESS,
  type OutlineView,
  partsWithLines,
  type SummaryView,
  type View,
} from '../../../shared/views.ts';
import type { Host } from '../../host/host.ts';
import { windows1252 } from '../../reader/bytes/charset.ts';
import { decoderFor } from '../../reader/bytes/encoding.ts';
import { forOutput, hasColour, styled } from './print.ts';

/**
 * Returns the cause, then the explaining lines. Each has its number in front, and gaps say how many lines they leave out.
 * `>` marks the cause.
 */
export function numberedExplanation(view: FailureView): string {
  const { cause, stream, total_lines: total } = view;
  const width = String(total).length;
  const shown: string[] = [];
  if (cause !== null) {
    const where = `line ${cause.line_number}${cause.stream === 'output' ? '' : ` of ${cause.stream}`}: `;
    shown.push(styled(where, 'red') + styled(forOutput(cause.text.trim(), false), 'bold'), '');
  }
  let next = 1;
  const gap = (until: number) => {
    const missing = until - next;
    if (missing > 0) shown.push(styled(`${' '.repeat(width)}   … ${plural(missing, 'line')}`, 'faint'));
  };
  for (const { start_line: start, end_line: end, lines } of partsWithLines(view)) {
    gap(start);
    for (const [i, line] of lines.entries()) {
      const number = start + i;
      const isCause = cause?.stream === stream && number === cause.line_number;
      const head = styled(
        `${String(number).padStart(width)} ${isCause ? '>' : ' '} `,
        isCause ? 'red' : 'faint',
      );
      const text = forOutput(line, false);
      shown.push(head + (isCause ? styled(text, 'bold') : text));
    }
    next = end + 1;
  }
  gap((total ?? 0) + 1);
  return shown.join('\n');
}

/** Colours grep's matching lines (`12:…`), context (`11-…`) and separators (`--`). Escapes controls in the text. */
export function colouredGrep({ content, matches }: GrepView): string {
  if (!hasColour()) return escapeControls(content);
  const byLine = new Map(matches.map((match) => [match.line_number, match]));
  return content
    .split('\n')
    .map((line) => {
      const [, number, mark, text = ''] = /^(\d+)([:-])(.*)$/s.exec(line) ?? [];
      if (number === undefined) return styled(line, 'faint');
      const match = mark === ':' ? byLine.get(Number(number)) : undefined;
      const head = styled(number, 'green') + styled(mark!, 'faint');
      return head + (match ? highlighted(text, match.match, match.column - 1) : escapeControls(text));
    })
    .join('\n');
}

/** `at`: offset of the match, unless the line was clipped before it. */
function highlighted(text: string, match: string, at: number): string {
  const start = text.startsWith(match, at) ? at : text.indexOf(match);
  if (match === '' || start < 0) return escapeControls(text);
  const end = start + match.length;
  const [before, found, after] = [text.slice(0, start), text.slice(start, end), text.slice(end)];
  return escapeControls(before) + styled(escapeControls(found), 'match') + escapeControls(after);
}

// Tells on standard error which commands of a terminal failed and why, and how to see the output of one.

/** Failed commands that are named, the last ones. */
export const MOST_NAMED = 8;
const MOST_CHARS = 120;

/** One line each, the last command last; empty where none failed. */
export function failedCommands({ commands, total }: TerminalCommands): string[] {
  if (commands.length === 0) return [];
  const shown = commands.length < total ? `; the last ${commands.length}` : '';
  return [`${plural(total, 'command')} failed here${shown}:`, ...commands.toReversed().map(failed)];
}

function failed({ command, exit_code, cause, start_line, end_line }: TypedCommand): string {
  const ended = exit_code === null ? 'failed' : `exit ${exit_code}`;
  const why = cause === null ? '' : `; line ${cause.line_number}: ${cause.text.trim()}`;
  const more =
    start_line === null || end_line === null ? '' : `; more: --start ${start_line} --end ${end_line}`;
  return `  ${clippedText(command)}: ${ended}${why}${more}`;
}

const clippedText = (text: string) => clipText(text, MOST_CHARS).text;

/** Prints an outline as a table: lines, duration, status, errors and title; `>` marks the section that failed. */
export function outlineTable({ sections, pauses, shapes: messages, total_lines }: OutlineView): string {
  const width = String(total_lines ?? 0).length;
  const place = (from: number, to: number) => `${String(from).padStart(width)}-${String(to).padEnd(width)}`;
  const rows = sections.map(
    ({ title, level, start_line, end_line, status, duration_ms, errors, failing }) => {
      const facts = [
        ...[failing ? '>' : ' ', place(start_line, end_line)],
        (duration_ms === null ? '' : formatDuration(duration_ms)).padStart(8),
        (status ?? '').padEnd(6),
        (errors === 0 ? '' : plural(errors, 'error')).padStart(10),
      ];
      const text = forOutput(`${'  '.repeat(level - 1)}${title}`, false);
      const isBad = failing === true || status === 'failed';
      return `${styled(facts.join(' '), isBad ? 'red' : 'faint')}  ${failing ? styled(text, 'bold') : text}`;
    },
  );
  const listed = sections.length === 0 ? pauses : [];
  if (listed.length > 0) rows.push('Longest pauses');
  for (const { start_line, duration_ms } of listed)
    rows.push(`  ${formatDuration(duration_ms).padStart(8)}  after line ${start_line}`);
  if (messages.length > 0) rows.push('Most frequent messages');
  for (const { shape, count, first_line } of messages)
    rows.push(`  ${formatCount(count).padStart(8)}  from line ${first_line}: ${forOutput(shape, false)}`);
  return rows.join('\n');
}

/** Prints a summary as a report: figures, then errors, then shapes. */
export function summaryReport(view: SummaryView): string {
  return [facts(view), fieldValues(view), errors(view), shapes(view)]
    .filter((part) => part !== '')
    .join('\n');
}

/** Returns no rows for a large binary file: its lines are not counted. */
function lineFacts(view: SummaryView): [string, string][] {
  if (view.total_lines === null) return [];
  return [
    [
      'lines',
      `${formatCount(view.total_lines)}, ${formatCount(view.blank_lines)} of them blank, ending in ${ENDINGS[view.line_ending]}`,
    ],
    [
      'length',
      `${formatCount(Number(view.line_length_mean.toFixed(1)))} characters on average, ${formatCount(view.line_length_max)} at most`,
    ],
  ];
}

function facts(view: SummaryView): string {
  const levels = Object.entries(view.levels).map(([level, count]) => `${level} ${formatCount(count)}`);
  const rows: [string, string | null][] = [
    ['file', view.file_path],
    ['artifact', view.artifact_id],
    ['stream', view.stream === 'output' ? null : view.stream],
    ['content', `${view.content_type}, ${view.encoding}${view.running ? ', still being written' : ''}`],
    ['size', `${formatBytes(view.total_bytes)} (${formatCount(view.total_bytes)} bytes)`],
    ...lineFacts(view),
    ['levels', levels.length > 0 ? levels.join(', ') : null],
    ['format', view.format && formatFacts(view.format)],
    ['from', view.first_timestamp],
    ['to', view.last_timestamp],
    ['JSON', view.json && jsonFacts(view.json)],
  ];
  return rows
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name.padEnd(10)}${escapeLine(value!)}\n`)
    .join('');
}

/** Returns null for a plain text without times and levels. */
function formatFacts({ name, day_first, zone, entries }: NonNullable<SummaryView['format']>): string | null {
  if (zone === null) return name === 'text' ? null : name;
  const order = day_first === null ? '' : `, ${day_first ? 'day before month' : 'month before day'}`;
  const zoneText = { utc: 'times in UTC', written: 'times with their zone', local: 'times taken as local' }[
    zone
  ];
  return `${name}, ${zoneText}${order}, entries begin with ${ENTRY_STARTS[entries]}`;
}

const ENTRY_STARTS = { time: 'a time', object: 'an object', level: 'a level', unindented: 'no indentation' };

const ENDINGS = { lf: 'LF', crlf: 'CRLF', mixed: 'LF and CRLF', none: 'nothing' };

function jsonFacts(json: NonNullable<SummaryView['json']>): string {
  const length = json.length === undefined ? '' : ` of ${formatCount(json.length)}`;
  const sample =
    json.sampled_lines === undefined ? '' : ` (keys of ${plural(json.sampled_lines, 'sampled line')})`;
  return `${json.per_line ? `${json.type}s, one per line` : json.type}${length}${json.keys?.length ? `: ${json.keys.join(', ')}${sample}` : ''}`;
}

function errors(view: SummaryView): string {
  const { first_errors: found } = view;
  if (found.length === 0) return '';
  const width = Math.max(...found.map((error) => formatCount(error.line_number).length));
  const lines = found.map(
    ({ line_number, text, count }) =>
      `  ${formatCount(line_number).padStart(width)}  ${messageFirst(text)}${count ? `  (${formatCount(count)} times)` : ''}\n`,
  );
  return `First errors\n${lines.join('')}`;
}

function shapes(view: SummaryView): string {
  if (view.shapes.length === 0) return '';
  const width = Math.max(...view.shapes.map((shape) => formatCount(shape.count).length));
  const lines = view.shapes.map(
    (shape) =>
      `  ${formatCount(shape.count).padStart(width)}  ${shape.shape}  (line ${formatCount(shape.first_line)})\n`,
  );
  const head = view.shapes_exact ? 'Most frequent messages' : 'Most frequent messages (counts may be low)';
  return `${head}\n${lines.join('')}`;
}

/** Counts of a field's values; of its shapes where most values differ. */
function fieldValues({ field_values: counted }: SummaryView): string {
  if (!counted) return '';
  const { field, lines, distinct, exact, values, shapes, range } = counted;
  const found = `${field}: ${plural(lines, 'line')}, ${exact ? '' : 'more than '}${plural(distinct, 'value')}`;
  const between = range === null ? '' : `, ${range.least} to ${range.most}`;
  const mostDiffer = distinct > values.length && shapes.length < distinct / 2;
  const rows = mostDiffer ? shapes.map(({ shape, ...one }) => ({ ...one, value: shape })) : values;
  const width = Math.max(0, ...rows.map(({ count }) => formatCount(count).length));
  const each = rows.map(
    ({ value, count, first_line }) =>
      `  ${formatCount(count).padStart(width)}  ${escapeLine(value)}  (line ${formatCount(first_line)})\n`,
  );
  return `${found}${between}\n${each.join('')}`;
}

type Wanted = Pick<InspectParams, 'lines' | 'start_line' | 'end_line' | 'max_matches'>;

/** Writes notes on a view for standard error: which lines are clipped or missing, and how to get them. */
export function viewNotes(view: View, asked: Wanted): string[] {
  const notes = view.note === undefined ? [] : [view.note];
  return [...notes, ...clipped(view.clipped_lines), ...byMode(MISSING, view, asked)];
}

/** Which lines are missing, or shown. */
const MISSING: ByMode<[Wanted], string[]> = {
  head: linesAfter,
  tail: linesBefore,
  range: linesOfRange,
  grep: moreMatches,
  summary: () => [],
  failure: causeAndErrors,
  outline: () => [],
};

export function clipped(lines: number): string[] {
  if (lines === 0) return [];
  const are = lines === 1 ? 'one line is' : `${lines} lines are`;
  return [`${are} clipped: \`spillway read\` with --offset gives all of a line`];
}

function moreMatches(view: GrepView, { max_matches }: Wanted): string[] {
  const { matches_shown: shown, match_count: count, next_cursor: next } = view;
  if (max_matches === 0) return [count === 1 ? 'one line matches' : `${count} lines match`];
  if (next === null) return [];
  return [`these are ${shown} of ${count} matching lines: go on with --cursor ${next}`];
}

function causeAndErrors(view: FailureView): string[] {
  const { cause, note, lines_shown: shown, errors_left_out: left = 0 } = view;
  const isExplained = [NO_CAUSE_OF_SUCCESS, NO_CAUSE_OF_PASSED].some((one) => note?.includes(one));
  return [
    ...(cause === null && shown > 0 && !isExplained ? ['no line looks like the cause of a failure'] : []),
    ...(left > 0
      ? [`${plural(left, 'distinct error line')} left out: list with --cursor ${view.next_cursor}`]
      : []),
  ];
}

function linesAfter(view: LinesView, { lines: wanted = 0 }: Wanted): string[] {
  const { lines_shown: shown, next_start_line: next } = view;
  if (shown >= wanted || next === null) return [];
  return [goOn(view, 1, `--start ${next} --lines ${wanted - shown}`)];
}

function linesBefore({ start_line: first, lines_shown: shown }: LinesView, { lines = 0 }: Wanted): string[] {
  if (shown >= lines || first === null || first === 1) return [];
  // Count back from the first line: lines may be missing after the last.
  const start = Math.max(1, first - (lines - shown));
  const before = `--start ${start} --end ${first - 1}`;
  return [`these are the last ${shown} lines, the most at once: those before are ${before}`];
}

function linesOfRange(view: LinesView, { lines, start_line: start = 1, end_line: end }: Wanted): string[] {
  const { lines_shown: shown, next_start_line: next, total_lines: total } = view;
  if (shown === 0 && total !== null && start > total && total > 0)
    return [`line ${start} is past the end: the last is ${total}`];
  const wanted = lines ?? (end === undefined ? 0 : end - start + 1);
  if (shown >= wanted || next === null) return [];
  const last = Math.min(end ?? Number.POSITIVE_INFINITY, start + wanted - 1);
  // The range was printed to its end: the lines it lacks are missing from the stream.
  if (next > last) return [];
  const rest = end === undefined ? `--lines ${last - next + 1}` : `--end ${last}`;
  return [goOn(view, start, `--start ${next} ${rest}`)];
}

function goOn(
  { lines_shown: shown, next_start_line: next }: LinesView,
  start: number,
  flags: string,
): string {
  const most = next === start + shown ? ', the most at once' : '';
  return `these are ${shown} lines${most}: go on with ${flags}`;
}

// Tables of what to do with a view, by its mode: the compiler names the table that a new mode is missing from.

type ViewOf<Mode extends ViewMode> = Mode extends LinesView['mode']
  ? LinesView
  : Extract<View, { mode: Mode }>;

export type ByMode<More extends unknown[], Result> = {
  readonly [Mode in ViewMode]: (view: ViewOf<Mode>, ...more: More) => Result;
};

/** Calls the function for the view's mode. */
export function byMode<More extends unknown[], Result>(
  table: ByMode<More, Result>,
  view: View,
  ...more: More
): Result {
  const act = table[view.mode] as (view: View, ...more: More) => Result;
  return act(view, ...more);
}

// Restores the bytes of lines printed with `--raw`. In a view, bytes that are not valid UTF-8 are U+FFFD, or characters
// of a detected encoding. Those lines are read again, in an encoding that maps each byte to a different character.

/** Maps all 256 bytes to different characters. */
const BYTE_ENCODING = 'windows-1252';
const REPLACED = '\ufffd';

/** Returns the view's content as bytes, with a final line end. Clipped lines are not restored. */
export function redactedNote(count: number | undefined): string[] {
  return count === undefined ? [] : [`${count} ${count === 1 ? 'secret is' : 'secrets are'} masked`];
}

export async function rawBytes(
  view: View,
  params: InspectParams,
  host: Pick<Host, 'inspect'>,
): Promise<Buffer> {
  const isUtf8 = view.encoding === 'utf-8';
  const isOther = isUtf8
    ? (text: string) => text.includes(REPLACED)
    : (text: string) => /[^\0-\x7f]/.test(text);
  if (params.encoding !== undefined || view.encoding.startsWith('utf-16') || !isOther(view.content))
    return Buffer.from(`${view.content}\n`);
  const { artifact_id, file_path, stream, as_text } = params;
  const bytesOf = async (number: number) => {
    const one = await host.inspect({
      ...{ artifact_id, file_path, stream, as_text, raw: true },
      ...{ mode: 'range', start_line: number, end_line: number, encoding: BYTE_ENCODING },
    });
    return toBytes(one.content);
  };
  const lines = view.mode === 'grep' ? grepLines(view.content) : viewLines(view as LinesView);
  const decoder = decoderFor(view.encoding);
  const parts: Buffer[] = [];
  for (const { number, prefix, text } of lines) {
    const bytes = number !== null && isOther(text) ? await bytesOf(number) : null;
    parts.push(Buffer.from(prefix));
    parts.push(bytes && decoder.decode(bytes) === text ? bytes : Buffer.from(text));
    parts.push(Buffer.from('\n'));
  }
  return Buffer.concat(parts);
}

interface PrintedLine {
  /** Null for the separator between blocks of grep. */
  number: number | null;
  /** Printed in front of the line. */
  prefix: string;
  text: string;
}

function grepLines(content: string): PrintedLine[] {
  return content.split('\n').map((line) => {
    const [, prefix, number, text] = /^((\d+)[:-])(.*)$/s.exec(line) ?? [];
    if (prefix === undefined) return { number: null, prefix: '', text: line };
    return { number: Number(number), prefix, text: text! };
  });
}

/** After a gap these numbers are wrong; `rawBytes` compares the lines it reads with the text. */
function viewLines({ content, start_line }: LinesView): PrintedLine[] {
  return content.split('\n').map((text, i) => ({ number: (start_line ?? 1) + i, prefix: '', text }));
}

let byteOf: Map<string, number> | undefined;

function toBytes(text: string): Buffer {
  byteOf ??= new Map(
    Array.from({ length: 256 }, (_, byte) => [windows1252(String.fromCharCode(byte)), byte]),
  );
  return Buffer.from([...text].map((char) => byteOf!.get(char) ?? 0x3f));
}
