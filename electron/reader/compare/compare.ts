/**
 * Compares one output with one or more outputs of runs that passed.
 *
 *   baselines ─ tables of messages ─ baseline (what varies among them)
 *                                       │
 *   output ─── messages ─────────── differences ── rank ── findings, and the lines they are on
 */

import { plural } from '../../../shared/text/format.ts';
import { decoderFor } from '../bytes/encoding.ts';
import { causeText } from '../failure/cause-text.ts';
import { explaining } from '../failure/explain.ts';
import type { Explanation, ReadingSteps } from '../failure/explanation.ts';
import type { FailureText } from '../failure/log-lines.ts';
import { decodedText } from '../failure/preview.ts';
import { Baseline, MOST_PASSES } from './baseline.ts';
import { Comparer, type Differences, type NewMessage, type NewValue } from './differences.ts';
import { MOST_TEXT_CHARS, messages } from './messages.ts';
import { type Finding, rank } from './rank.ts';
import { type ComparedText, READ_LIMITS, type ReadLimits, readMessages } from './read-messages.ts';
import { type MessageTable, samplesOf, sizeOf } from './table.ts';

/** Findings that are returned. */
const MOST_FINDINGS = 200;
const MOST_RANGES = 2000;
/** A longer text is searched for a cause at its end alone: that takes 10 to 20 ms a megabyte. */
const MOST_EXPLAINED_BYTES = 32 * 1024 * 1024;
const EXPLAINED_END_BYTES = 4 * 1024 * 1024;

export interface Comparison {
  /** Most telling first. */
  findings: Finding[];
  /** The cause that was explained, unless the passes have it, too; else the first finding's line. */
  cause: { line: number; text: string } | null;
  /** Every new or changed line, as ranges. */
  lines: [from: number, to: number][];
  /** The lines whose message the passes have with another value. */
  changedLines: [from: number, to: number][];
  totalFindings: number;
  /** Lines that were compared. */
  lineCount: number;
  /** Not all findings or lines are given. */
  isCut: boolean;
  /** Sentences about what was not compared. */
  notes: string[];
}

type Explained = Pick<Explanation, 'cause' | 'ranked'>;

/**
 * The output, and its explanation if that is known. With a table that is enough, the text is read for the explanation
 * only, or not at all if a cause is named; and only the first lines of what differs are found.
 */
export interface Compared {
  text: ComparedText;
  table?: MessageTable;
  explained?: Explained | null;
  named?: Explained | null;
}

/** The first baseline is the one whose lines are named. */
export function* comparing(
  output: Compared,
  tables: readonly MessageTable[],
  limits: ReadLimits = READ_LIMITS,
): ReadingSteps<Comparison> {
  const passes = tables.slice(0, MOST_PASSES);
  const baseline = new Baseline(passes.length);
  for (const [pass, table] of passes.entries()) baseline.addTable(pass, table);
  const comparer = new Comparer(baseline);
  const { text } = output;
  const hidden = output.table ? hiddenIn(output.table, baseline) : null;
  const table = hidden === null ? null : output.table!;
  const read = table ? fromTable(table, comparer) : yield* readMessages(text, comparer, limits);
  const explained = output.explained ?? (table && output.named) ?? (yield* explainingEnd(text, read.lines));
  // Where not all messages were seen, compare at least the lines that explain the failure.
  if (read.isOver)
    for (const { number, text } of inOrder(explained.ranked)) {
      const message = messageOf(text);
      if (message) comparer.each(number, message);
    }
  const differences = comparer.found(read, table?.further);
  const { findings, dropped } = rank(differences, baseline, explained);
  const lines = rangesOf(differences, (of) => !dropped.has(of));
  const changedLines = rangesOf(differences, (of) => !dropped.has(of) && !('speaks' in of));
  const cause = explained.cause;
  const isOld =
    cause !== null &&
    !isIn(lines, cause.line_number) &&
    (table === null || baseline.has(messageOf(lineOf(cause, explained, table))));
  const notes: string[] = [];
  const isSampled = read.isSampled || passes.some((pass) => pass.isSampled);
  if (isSampled)
    notes.push(
      'of messages with many lines in a long output, only some lines were searched for other values',
    );
  if (hidden !== null && hidden > 0)
    notes.push('messages that differ from many others in one word were not all compared');
  const [behind] = differences.differBehind;
  if (behind !== undefined) {
    const others = differences.differBehind.length - 1;
    const more = others === 0 ? '' : ` (and ${plural(others, 'more line')})`;
    notes.push(
      `line ${behind}${more} differs behind the first ${MOST_TEXT_CHARS} characters, which are compared`,
    );
  }
  if (differences.isVaried && findings.length === 0)
    notes.push('times, durations, ids and numbers that vary from run to run are not compared');
  const isOver = passes.some((table) => table.isOver);
  if (baseline.isFull || isOver)
    notes.push(
      `the baselines have more different messages than are compared: of the rest, ${isOver ? 'nothing' : 'only new ones'} is found`,
    );
  if (read.isOver) notes.push('the output has more different messages than are compared');
  if (tables.length > passes.length)
    notes.push(`${passes.length} of ${tables.length} baselines were compared`);
  return {
    findings: findings.slice(0, MOST_FINDINGS),
    cause: (isOld ? firstLine(findings) : null) ?? (cause && { line: cause.line_number, text: cause.text }),
    lines: lines.slice(0, MOST_RANGES),
    changedLines: changedLines.slice(0, MOST_RANGES),
    totalFindings: findings.length,
    lineCount: read.lines,
    isCut:
      differences.isCut ||
      read.isOver ||
      isOver ||
      (table !== null && lines.length > 0) ||
      (findings.length === 0 && (behind !== undefined || isSampled)) ||
      findings.length > MOST_FINDINGS ||
      lines.length > MOST_RANGES,
    notes,
  };
}

const inOrder = (ranked: Explained['ranked']) => ranked.toSorted((a, b) => a.number - b.number);

function messageOf(text: string) {
  const bytes = Buffer.from(text);
  return messages.of(bytes, 0, bytes.length);
}

function firstLine(findings: readonly Finding[]): Comparison['cause'] {
  for (const { line, text } of findings) if (line !== null) return { line, text: causeText(text) };
  return null;
}

/** The cause's own line: its text may join several. */
function lineOf(
  { line_number: line, text }: NonNullable<Explained['cause']>,
  { ranked }: Explained,
  { samples }: MessageTable,
): string {
  const sample = samples.find(([one]) => one === line)?.[3];
  return ranked.find(({ number }) => number === line)?.text ?? sample ?? text;
}

const isIn = (ranges: Comparison['lines'], line: number) =>
  ranges.some(([from, to]) => from <= line && line <= to);

/**
 * Counts the new messages of which a table has only hashes. Null if these may tell something, so that the text must be
 * read. They don't if most of the hashes are new, and variants of messages that the table has: ids of one run.
 */
function hiddenIn(table: MessageTable, baseline: Baseline): number | null {
  if (table.isOver) return null;
  if (table.further === null) return 0;
  const hidden = baseline.unknownIn(table.further);
  const areIds = table.hasAllKinds && 2 * hidden > sizeOf(table.further);
  return hidden === 0 || areIds ? hidden : null;
}

function fromTable(table: MessageTable, comparer: Comparer) {
  let next = 0;
  for (const { line, count, message } of samplesOf(table)) {
    comparer.each(line, message, count);
    for (; next < table.rests.length && table.rests[next]![0] <= line; next++)
      if (table.rests[next]![0] === line) comparer.rest(line, message, table.rests[next]![1]);
  }
  return table;
}

/** Explains a text by its last lines; `lines` are all it has. */
function* explainingEnd(given: ComparedText, lines: number): ReadingSteps<Explained> {
  const text: FailureText = decodedText(given, decoderFor(given.encoding ?? 'utf-8'));
  const firstLine = given.firstLine ?? 1;
  if (text.size <= MOST_EXPLAINED_BYTES)
    return yield* explaining(text, { from: 0, to: text.size, firstLine });
  const end = Buffer.alloc(EXPLAINED_END_BYTES);
  const start = text.size - end.length;
  for (let at = 0; at < end.length; ) {
    const got = text.read(end.subarray(at), start + at);
    if (got <= 0) break;
    at += got;
  }
  // A line that begins before is left out.
  const from = end.indexOf(10) + 1;
  if (from === 0) return { cause: null, ranked: [] };
  let count = end.at(-1) === 10 ? 0 : 1;
  for (let lf = end.indexOf(10, from); lf >= 0; lf = end.indexOf(10, lf + 1)) count++;
  const range = { from: start + from, to: text.size, firstLine: firstLine + lines - count };
  return yield* explaining(text, range);
}

function rangesOf(
  { lines }: Differences,
  isOne: (of: NewMessage | NewValue) => boolean,
): [from: number, to: number][] {
  const ranges: [number, number][] = [];
  let follows = false;
  for (const { line, joins, of } of lines) {
    const isDropped = !isOne(of);
    const speaks = !('speaks' in of) || of.speaks;
    const last = ranges.at(-1);
    if (!isDropped && speaks) {
      if (last && (line === last[1] + 1 || (joins && follows))) last[1] = line;
      else ranges.push([line, line]);
      follows = true;
    } else if (isDropped || !joins) follows = false;
  }
  return ranges;
}
