/**
 * Declares the tasks that workers run. Each is a function of plain data and can run again if its thread dies. Most take
 * at most tens of milliseconds; `jsonFacts` and `failure` may read a whole stream. Without threads, as on the command
 * line, they run in the process itself.
 */

import type { Cause, StreamName } from '../../shared/artifact.ts';
import type { FormatChoice } from '../../shared/log-format.ts';
import type { SearchQuery } from '../../shared/search-query.ts';
import type { TimeFacts } from '../../shared/text/line-time.ts';
import { decoderFor } from '../reader/bytes/encoding.ts';
import {
  type ArrivalRun,
  type InterleaveState,
  interleave,
  interleaveRest,
} from '../reader/bytes/interleave.ts';
import { type MergeRequest, mergeByTime } from '../reader/bytes/merge-by-time.ts';
import type { StreamHandle } from '../reader/bytes/open-stream.ts';
import { openStream } from '../reader/bytes/streams.ts';
import { type Aligned, aligning } from '../reader/compare/align.ts';
import { type Comparison, comparing } from '../reader/compare/compare.ts';
import { type MessageTable, makingTable } from '../reader/compare/table.ts';
import type { CutLimits } from '../reader/failure/cut.ts';
import { explainingStreams } from '../reader/failure/explain.ts';
import { type Explanation, lastOf, type ReadingSteps } from '../reader/failure/explanation.ts';
import { decodedText, type ExplainedPreview, previewing } from '../reader/failure/preview.ts';
import { BlockIndex, countStretch, type IndexHandle } from '../reader/lines/block-index.ts';
import { lineGaps, type TextGap } from '../reader/lines/line-gaps.ts';
import { endsInLine, lineAt, lineStart } from '../reader/lines/line-positions.ts';
import { formatOf } from '../reader/lines/log-format.ts';
import type { NewlineUnit } from '../reader/lines/newlines.ts';
import { TimedLines } from '../reader/lines/timed-lines.ts';
import { longestPauses } from '../reader/sections/pauses.ts';
import { type StretchSections, scanSections } from '../reader/sections/scan.ts';
import { countValues, type StretchValues, type WantedField } from '../reader/summary/field-values.ts';
import { jsonFactsOf } from '../reader/summary/json/json-facts.ts';
import { type SummariseRequest, summariseStretch } from '../reader/summary/summarise.ts';
import { readWindow } from '../reader/views/byte-window.ts';
import { EntryBounds, type EntryForm, type LineSpan } from '../reader/views/entry-bounds.ts';
import { type LinesRequest, plainLines, viewLines } from '../reader/views/line-range.ts';
import { type RowsRequest, readRows, rowsOf } from '../reader/views/rows.ts';
import { type GrepLinesRequest, grepLines } from '../search/grep-lines.ts';
import { highlight, markRows } from '../search/match-finder.ts';
import { type StretchRequest, searchStretch } from '../search/search-stretch.ts';
import { type Beat, progressReporter } from './call-watch.ts';
import { fileTasks } from './file-tasks.ts';

/** A stream, as posted to a worker. */
export interface TextHandle {
  stream: StreamHandle;
  index: IndexHandle;
  encoding: string;
}

function open(text: TextHandle) {
  return {
    stream: openStream(text.stream),
    index: new BlockIndex(text.index),
    decoder: decoderFor(text.encoding),
  };
}

/** Lines of a text, from 1; the text must be indexed up to them. */
export interface LineRange {
  first: number;
  last: number;
}

function byteRange({ stream, index, decoder }: ReturnType<typeof open>, { first, last }: LineRange) {
  const start = (line: number) =>
    line > index.newlines + 1 ? stream.size : lineStart(stream, index, decoder.unit, line);
  return { from: start(first), to: Math.max(start(first), start(last + 1)), firstLine: first };
}

/** The text, or a range of its lines. */
function comparedText(text: TextHandle, range?: LineRange | null) {
  const opened = open(text);
  const { stream, decoder } = opened;
  const { from, to, firstLine } = range
    ? byteRange(opened, range)
    : { from: 0, to: stream.size, firstLine: 1 };
  return {
    ...{ size: to - from, encoding: decoder.encoding, firstLine },
    read: (into: Uint8Array, at: number) =>
      stream.read(into.subarray(0, Math.max(0, to - from - at)), from + at),
  };
}

/** Raises the beat with each step. */
function* beating<T>(steps: ReadingSteps<T>, beat: Beat | null): ReadingSteps<T> {
  const raise = progressReporter(beat);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    raise();
    yield value;
  }
}

const tasks = {
  ...fileTasks,
  count(args: { stream: StreamHandle; start: number; end: number; unit: NewlineUnit }) {
    const stream = openStream(args.stream);
    const counts = countStretch(stream, args.start, args.end, args.unit);
    return { ...counts, endsInLine: args.end === stream.size && endsInLine(stream, args.unit) };
  },
  lineGaps(args: TextHandle & { gaps: readonly TextGap[] }) {
    const { stream, index, decoder } = open(args);
    return lineGaps(args.gaps, stream, index, decoder.unit);
  },
  /** `arrivals` is absent when the streams have ended: merge the rest. */
  interleave(args: {
    streams: readonly [StreamHandle, StreamHandle];
    state: InterleaveState;
    arrivals: ArrivalRun | null;
  }) {
    const streams = [openStream(args.streams[0]), openStream(args.streams[1])] as const;
    return args.arrivals
      ? interleave(streams, args.state, args.arrivals)
      : interleaveRest(streams, args.state);
  },
  mergeByTime(args: { streams: readonly StreamHandle[]; request: MergeRequest }) {
    return mergeByTime(args.streams.map(openStream), args.request);
  },
  lines(args: TextHandle & { request: LinesRequest }) {
    const { stream, index, decoder } = open(args);
    return viewLines(stream, index, decoder, args.request);
  },
  rows(args: TextHandle & { request: RowsRequest }) {
    const { stream, index, decoder } = open(args);
    return readRows(stream, index, decoder, args.request);
  },
  /** Reads rows of the given lines: rising, not necessarily neighbours. */
  rowsOf(args: TextHandle & { lines: readonly number[] }) {
    const { stream, index, decoder } = open(args);
    return rowsOf(stream, index, decoder, args.lines);
  },
  /** The same with their matches, in one go: each way to a thread and back delays the first match on the screen. */
  matchedRows(
    args: TextHandle & {
      lines: readonly number[];
      /** Which of the lines match; in the others nothing is marked. */
      matching: readonly boolean[];
      query: SearchQuery;
      beat: Beat | null;
    },
  ) {
    const { stream, index, decoder } = open(args);
    const beat = progressReporter(args.beat);
    const rows = rowsOf(stream, index, decoder, args.lines);
    beat();
    return markRows(rows, args.matching, args.query, beat);
  },
  plainLines(args: TextHandle & { request: { lines: readonly number[]; maxChars: number } }) {
    const { stream, index, decoder } = open(args);
    return plainLines(stream, index, decoder, args.request);
  },
  highlight(args: { texts: readonly string[]; query: SearchQuery; beat: Beat | null }) {
    return highlight(args.texts, args.query, progressReporter(args.beat));
  },
  window(args: TextHandle & { request: { offset: number; limit: number } }) {
    const { stream, index, decoder } = open(args);
    return readWindow(stream, index, decoder, args.request);
  },
  /** Reads some 200 KiB, whatever the size. */
  entriesAround(args: TextHandle & { span: LineSpan; form: EntryForm }) {
    const { stream, index, decoder } = open(args);
    return new EntryBounds(stream, index, decoder, args.form).around(args.span);
  },
  format(args: TextHandle & { writtenBy: number; choice: FormatChoice; fieldPatterns: readonly string[] }) {
    const { stream, decoder } = open(args);
    return formatOf(stream, decoder, args);
  },
  offsetAtTime(args: TextHandle & { time: number; facts: TimeFacts }) {
    const { stream, decoder } = open(args);
    return new TimedLines(stream, decoder, args.facts).offsetAt(args.time);
  },
  lineAt(args: TextHandle & { offset: number }) {
    const { stream, index, decoder } = open(args);
    return lineAt(stream, index, decoder.unit, args.offset);
  },
  linesAt(args: TextHandle & { offsets: readonly number[] }) {
    const { stream, index, decoder } = open(args);
    return args.offsets.map((offset) => lineAt(stream, index, decoder.unit, offset));
  },
  lineStarts(args: TextHandle & { lines: readonly number[] }) {
    const { stream, index, decoder } = open(args);
    return args.lines.map((line) =>
      line > index.newlines + 1 ? stream.size : lineStart(stream, index, decoder.unit, line),
    );
  },
  lineStart(args: TextHandle & { line: number }) {
    const { stream, index, decoder } = open(args);
    return lineStart(stream, index, decoder.unit, args.line);
  },
  summarise(args: TextHandle & { request: SummariseRequest; field?: WantedField | undefined }) {
    const { stream, decoder } = open(args);
    const { request, field } = args;
    let values: StretchValues | null = null;
    const look = (bytes: Buffer, from: number, to: number) => {
      if (field !== undefined) values = countValues(bytes, from, to, field);
    };
    const summary = summariseStretch(stream, decoder, request, field === undefined ? undefined : look);
    return { summary, values: values as StretchValues | null };
  },
  /** The same, with the marks of sections. */
  outline(args: TextHandle & { request: SummariseRequest; wantsErrors: boolean }) {
    const { stream, decoder } = open(args);
    let sections: StretchSections = { events: [], left: 0 };
    let errorLines: readonly number[] = [];
    const summary = summariseStretch(stream, decoder, args.request, (bytes, from, to, found) => {
      errorLines = found;
      sections = scanSections(bytes, from, to, found, args.request.facts);
    });
    return { summary, sections, errors: errorLines.length, errorLines: args.wantsErrors ? errorLines : [] };
  },
  /** Reads some of the text: the places where most time passed. */
  pauses(args: TextHandle & { facts: TimeFacts; most: number }) {
    const { stream, decoder } = open(args);
    return longestPauses(new TimedLines(stream, decoder, args.facts), stream.size, args.most);
  },
  /** Reads the whole stream once, so it can take longer. */
  jsonFacts(args: TextHandle) {
    return jsonFactsOf(openStream(args.stream), args.encoding);
  },
  /** Reads the lines from `first` to `last` once, a megabyte a step. Each step raises the beat. */
  *failure(
    args: TextHandle & { request: { first: number; last: number } & CutLimits; beat: Beat | null },
  ): ReadingSteps<ExplainedPreview> {
    const opened = open(args);
    const { stream, decoder } = opened;
    const { first, last, ...limits } = args.request;
    const range = byteRange(opened, { first, last });
    return yield* beating(previewing(stream, decoder, range, limits), args.beat);
  },
  /** Explains a command's failure from all its streams. Reads them once. */
  *causeOf(args: {
    streams: readonly (TextHandle & { name: StreamName })[];
    beat: Beat | null;
  }): ReadingSteps<Cause | null> {
    const texts = args.streams.map(({ name, ...text }) => {
      const { stream, decoder } = open(text);
      return { name, text: decodedText(stream, decoder) };
    });
    const { cause } = yield* beating(explainingStreams(texts), args.beat);
    return cause && { stream: cause.stream, line_number: cause.line_number, text: cause.text };
  },
  /** Reads a whole text once. Each step raises the beat. */
  *messages(args: TextHandle & { range: LineRange | null; beat: Beat | null }): ReadingSteps<MessageTable> {
    return yield* beating(makingTable(comparedText(args, args.range)), args.beat);
  },
  /** Reads the text once, or only its end if its table is given. Each step raises the beat. */
  *compare(
    args: TextHandle & {
      table?: MessageTable;
      tables: readonly MessageTable[];
      explained: Pick<Explanation, 'cause' | 'ranked'> | null;
      named: Pick<Explanation, 'cause' | 'ranked'> | null;
      range: LineRange | null;
      beat: Beat | null;
    },
  ): ReadingSteps<Comparison> {
    const { table, tables, explained, named, range, beat } = args;
    const output = { text: comparedText(args, range), explained, named, ...(table && { table }) };
    return yield* beating(comparing(output, tables), beat);
  },
  *align(
    args: TextHandle & {
      second: TextHandle;
      ranges: readonly [LineRange, LineRange] | null;
      beat: Beat | null;
    },
  ): ReadingSteps<Aligned> {
    const { second, ranges, beat } = args;
    const texts = [comparedText(args, ranges?.[0]), comparedText(second, ranges?.[1])] as const;
    return yield* beating(aligning(...texts), beat);
  },
  search(args: TextHandle & { request: StretchRequest; beat: Beat | null }) {
    const { stream, index, decoder } = open(args);
    return searchStretch(stream, index, decoder, args.request, progressReporter(args.beat));
  },
  grepLines(args: TextHandle & { request: GrepLinesRequest; beat: Beat | null }) {
    const { stream, index, decoder } = open(args);
    return grepLines(stream, index, decoder, args.request, progressReporter(args.beat));
  },
} as const;

export type TaskName = keyof typeof tasks;
export type TaskArgs<N extends TaskName> = Parameters<(typeof tasks)[N]>[0];
export type TaskResult<N extends TaskName> =
  ReturnType<(typeof tasks)[N]> extends infer R ? (R extends ReadingSteps<infer T> ? T : R) : never;

export function runTask<N extends TaskName>(name: N, args: TaskArgs<N>): TaskResult<N> {
  const begun = beginTask(name, args);
  return isSteps(begun) ? lastOf(begun) : begun;
}

/** Runs a task, or returns its steps where it takes long. */
export function beginTask<N extends TaskName>(
  name: N,
  args: TaskArgs<N>,
): TaskResult<N> | ReadingSteps<TaskResult<N>> {
  return (tasks[name] as (args: TaskArgs<N>) => TaskResult<N> | ReadingSteps<TaskResult<N>>)(args);
}

export function isSteps<T>(begun: T | ReadingSteps<T>): begun is ReadingSteps<T> {
  return typeof begun === 'object' && begun !== null && Symbol.iterator in begun && 'next' in begun;
}

/** A message from the pool to a worker. */
export interface TaskMessage {
  id: number;
  name: TaskName;
  args: unknown;
}
export type TaskReply =
  | { id: number; ok: true; result: unknown }
  | { id: number; ok: false; error: { code: string; what: string; todo: string; system?: string } };
