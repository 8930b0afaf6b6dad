/** `failure`: the lines that explain a failure, of a whole stream or of a range of its lines. */
import { basename } from 'node:path';
import type { Artifact, Cause, StreamName } from '../../../shared/artifact.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { MAX_VIEW_LINES } from '../../../shared/limits.ts';
import {
  type FailureView,
  type InspectParams,
  type LinesView,
  NO_CAUSE_OF_PASSED,
  NO_CAUSE_OF_SUCCESS,
} from '../../../shared/views.ts';
import { causeText } from '../../reader/failure/cause-text.ts';
import {
  type CutExplanation,
  type CutLimits,
  cutExplanation,
  type ExplainingPart,
} from '../../reader/failure/cut.ts';
import { type Explanation, READING_STEP_BYTES } from '../../reader/failure/explanation.ts';
import type { ExplainedPreview, FailurePreview } from '../../reader/failure/preview.ts';
import { addExplained, KEPT_BYTES, readExplained } from '../../store/contents/explained.ts';
import { type Beat, beats, createBeat, tellToStop } from '../../workers/call-watch.ts';
import type { Generation, LineNumbers } from '../documents/generation.ts';
import { VERDICT_BYTES, verdictOf } from '../library/baselines.ts';
import { NO_LINES, noteOf, type StreamFields, type ViewContext } from './context.ts';

/** The fields of an empty failure view. */
export const NO_FAILURE: Omit<FailureView, keyof LinesView> = { cause: null, parts: [] };

type Request = { first: number; last: number } & CutLimits;

/** Returns the distinct error that a page begins with. Throws `usage` for a cursor of no page. */
function errorAt(cursor = '0'): number {
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor);
  throw new SpillwayError('usage', 'unknown cursor', 'use next_cursor of the page before, or leave it out');
}

/** The generation must be indexed; `checkRange` has passed. Rejects with `cancelled` when the signal fires. */
export async function failureView(
  fields: StreamFields,
  generation: Generation,
  params: InspectParams,
  context: ViewContext,
): Promise<FailureView> {
  const { numbers } = generation;
  const first = numbers.from(params.start_line ?? 1);
  const last = numbers.to(params.end_line ?? Number.POSITIVE_INFINITY);
  const request = { first, last, bytes: params.max_chars ?? context.previewBytes, lines: MAX_VIEW_LINES };
  const found = await explanation(fields, generation, request, errorAt(params.cursor), context);
  const { errors_left_out, next_error } = found;
  const parts = [...shownParts(found.parts, numbers)];
  const verdict = await verdictIn(generation, request, context);
  const hasSucceeded = context.artifact?.status === 'succeeded' && context.artifact.kind !== 'terminal';
  const hasNone = hasSucceeded || verdict === 'passed';
  const named = hasNone ? null : causeOf(found, fields, request, generation, context);
  const doubt = named && context.artifact && verdict === null ? doubtOf(context.artifact, named) : null;
  const cause = doubt === null || found.tellsOfFailure ? named : null;
  return {
    ...fields,
    ...NO_LINES,
    mode: 'failure',
    start_line: parts[0]?.start_line ?? null,
    end_line: parts.at(-1)?.end_line ?? null,
    lines_shown: found.lines,
    clipped_lines: found.isCut ? 1 : 0,
    truncated: found.lines < numbers.total || found.isCut,
    content: found.parts.map((part) => part.content).join('\n'),
    cause,
    parts,
    ...(errors_left_out > 0 ? { errors_left_out, next_cursor: String(next_error) } : {}),
    ...(doubt === null || cause === null ? {} : { likely: true as const }),
    ...noteOf([
      hasNone && parts.length > 0 && (hasSucceeded ? NO_CAUSE_OF_SUCCESS : NO_CAUSE_OF_PASSED),
      cause !== null && doubt,
      context.artifact !== undefined && ofSilence(context.artifact, fields),
      ...generation.notes(params.start_line, params.end_line),
    ]),
  };
}

/** Returns how the run ended that a whole file is the log of, by the file's end; null if it does not say. */
async function verdictIn(
  generation: Generation,
  request: Request,
  { artifact, pool, signal }: ViewContext,
): Promise<'passed' | 'failed' | null> {
  if (artifact?.kind !== 'file' || artifact.status !== 'finished' || !isWhole(request, generation))
    return null;
  const end = { offset: Math.max(0, generation.size - VERDICT_BYTES), limit: VERDICT_BYTES };
  const { content } = await pool.run('window', { ...generation.text(), request: end }, { signal });
  return verdictOf(content);
}

/** Returns a sentence about a command that printed nothing to the stream: how it ended is all there is to tell. */
function ofSilence(artifact: Artifact, { stream, total_bytes: bytes, total_lines: lines }: StreamFields) {
  const { kind, status, exit_code, signal } = artifact;
  if (kind !== 'cmd' || bytes > 0 || lines > 0) return null;
  const to = stream === 'stdout' || stream === 'stderr' ? ` to ${stream}` : '';
  if (status === 'running') return `it has printed nothing${to} yet`;
  const ended =
    status === 'timed_out' ? 'timed out' : exit_code === null ? (signal ?? status) : `exit ${exit_code}`;
  return `${ended}; it printed nothing${to}`;
}

/** Returns a sentence about a cause if the artifact is not known to have failed; else null. */
function doubtOf({ kind, status }: Artifact, { stream, line_number: line }: Cause): string | null {
  // In a terminal, the marked commands that failed are explained.
  if (kind === 'terminal') return null;
  const at = `line ${line}${stream === 'combined' ? ' of combined' : ''}`;
  if (status === 'running' && kind === 'cmd')
    return `the command is still running: ${at} looks like a failure`;
  if (status === 'running' || status === 'finished')
    return `no exit status is known: ${at} looks like the cause`;
  return null;
}

/** Yields the parts with the numbers that are shown. A part ends at a gap, as its numbers count its lines. */
function* shownParts(
  parts: readonly ExplainingPart[],
  numbers: LineNumbers,
): Generator<FailureView['parts'][number]> {
  for (const { start_line, end_line, why, line, clipped } of parts) {
    for (let from = start_line; from <= end_line; ) {
      const gap = numbers.gaps.find(({ after }) => after >= from);
      const to = Math.min(end_line, gap?.after ?? end_line);
      const isIn = line !== undefined && line >= from && line <= to;
      yield {
        start_line: numbers.shown(from),
        end_line: numbers.shown(to),
        ...(isIn ? { line: numbers.shown(line) } : {}),
        ...(why && (isIn || line === undefined) ? { why } : {}),
        ...(clipped && to === end_line ? { clipped } : {}),
      };
      from = to + 1;
    }
  }
}

/** Returns the stored line that the record names as the cause; null if the range does not have it. */
function recordedLine(
  { stream }: StreamFields,
  { first, last }: Request,
  { numbers }: Generation,
  { artifact }: ViewContext,
): number | null {
  if (!artifact?.cause || artifact.status === 'running') return null;
  const { cause } = artifact;
  const line =
    cause.stream === stream ? cause.line_number : stream === 'combined' ? cause.combined_line : undefined;
  if (line === undefined) return null;
  const stored = numbers.to(line);
  return stored >= Math.max(1, first) && stored <= last && numbers.shown(stored) === line ? stored : null;
}

/** In a larger text, a range is explained by its own lines alone. */
const MOST_WHOLE_BYTES = 64 * 1024 * 1024;

/** Returns what all of the text says of a cause that no record names, if the range has that line. */
async function causeOfWhole(
  fields: StreamFields,
  generation: Generation,
  request: Request,
  context: ViewContext,
): Promise<Pick<Explanation, 'cause' | 'tellsOfFailure'> | null> {
  const { size, lines } = generation;
  const { first, last } = request;
  if (isWhole(request, generation) || context.artifact?.cause || size > MOST_WHOLE_BYTES) return null;
  const whole = { ...request, first: 1, last: lines };
  const { explanation } = await keptOrFound(fields, generation, whole, context);
  const line = explanation.cause?.line_number ?? 0;
  return line >= first && line <= last ? explanation : null;
}

const isWhole = ({ first, last }: Request, { lines }: Generation) => first <= 1 && last >= lines;

/** Returns the cause that the record of a finished artifact names, if the range has it, else the one found here. */
function causeOf(
  { cause, parts, isRecorded }: Found,
  { stream }: StreamFields,
  request: Request,
  generation: Generation,
  { artifact }: ViewContext,
): Cause | null {
  const { numbers } = generation;
  const shown = parts.map((part) => ({ ...part, start_line: numbers.shown(part.start_line) }));
  const hasRecorded = isRecorded || isWhole(request, generation);
  const recorded = artifact && hasRecorded ? recordedCause(artifact, stream, shown) : null;
  return recorded ?? (cause && { stream, line_number: numbers.shown(cause.line_number), text: cause.text });
}

type Found = FailurePreview &
  Pick<Explanation, 'tellsOfFailure'> & {
    /** The record names a line of the range as the cause. */
    isRecorded: boolean;
  };

const NOTHING = { parts: [], cause: null, lines: 0, isCut: false, errors_left_out: 0, next_error: 0 };

/** The parts have the line that the record or all of the text names as the cause; those of a page, errors alone. */
async function explanation(
  fields: StreamFields,
  generation: Generation,
  request: Request,
  firstError: number,
  context: ViewContext,
): Promise<Found> {
  if (request.last < request.first) return { ...NOTHING, tellsOfFailure: false, isRecorded: false };
  const recorded = recordedLine(fields, request, generation, context);
  const whole = await causeOfWhole(fields, generation, request, context);
  const { explanation, ...preview } = await keptOrFound(fields, generation, request, context);
  const { cause, tellsOfFailure } = whole ?? explanation;
  const found = { cause, tellsOfFailure, isRecorded: recorded !== null };
  if (firstError > 0) return { ...cutExplanation(explanation, request, firstError), ...found };
  const leading = recorded ?? whole?.cause?.line_number;
  const isIn = ({ start_line, end_line }: ExplainingPart) => start_line <= leading! && leading! <= end_line;
  if (leading === undefined || preview.parts.some(isIn)) return { ...preview, ...found };
  const led = await ledBy(leading, explanation, generation, context);
  return { ...cutExplanation(led, request), ...found };
}

async function keptOrFound(
  fields: StreamFields,
  generation: Generation,
  request: Request,
  context: ViewContext,
): Promise<Omit<CutExplanation, 'bytes'> & Pick<ExplainedPreview, 'explanation'>> {
  const place = placeToKeep(fields, generation, request);
  if (place === null) return explained(generation, request, context);
  const { folder, id, name } = place;
  const kept = readExplained(folder, id, name, generation.size);
  if (kept?.totalLines === generation.lines) return { ...cutExplanation(kept, request), explanation: kept };
  const found = await explained(generation, request, context);
  addExplained(folder, id, { name, bytes: generation.size, explanation: found.explanation });
  return found;
}

/** Puts a stored line first, as a preview has room for the first one. */
async function ledBy(
  number: number,
  explanation: Explanation,
  generation: Generation,
  { pool, signal, maxLineChars }: ViewContext,
): Promise<Explanation> {
  const request = { first: number, count: 1, raw: false, maxLineChars };
  const { content } = await pool.run('lines', { ...generation.text(), request }, { signal });
  const line = { number, offset: 0, text: content, isCut: false, rank: -1, why: '' };
  return { ...explanation, ranked: [line, ...explanation.ranked.filter((one) => one.number !== number)] };
}

/** Time between two reports. */
const REPORT_MS = 50;

/** Explains the requested lines, and reports progress. */
async function explained(
  generation: Generation,
  request: Request,
  { pool, signal, onProgress }: ViewContext,
): Promise<ExplainedPreview> {
  const beat = createBeat();
  const stop = () => tellToStop(beat);
  signal?.addEventListener('abort', stop, { once: true });
  const timer = onProgress && setInterval(() => onProgress(progress(beat, generation.size)), REPORT_MS);
  try {
    const args = { ...generation.text(), request, beat };
    return await pool.run('failure', args, { priority: 'bulk', signal });
  } finally {
    clearInterval(timer);
    signal?.removeEventListener('abort', stop);
  }
}

function progress(beat: Beat, size: number): { read_bytes: number; total_bytes: number } {
  return { read_bytes: Math.min(size, beats(beat) * READING_STEP_BYTES), total_bytes: size };
}

const NAME_OF_FILE = /^\.(stdout|stderr)\./;

/** Where the explanation of all of a large, finished stream is kept; null for others. */
function placeToKeep({ artifact_id, file_path }: StreamFields, generation: Generation, request: Request) {
  if (!isWhole(request, generation)) return null;
  if (file_path === null) return placeOf('combined', generation);
  const name = NAME_OF_FILE.exec(basename(file_path).slice(artifact_id.length))?.[1];
  return placeOf((name ?? 'output') as 'stdout' | 'stderr' | 'output', generation);
}

function placeOf<N extends StreamName>(name: N, { capture, gaps, size }: Generation) {
  if (capture === null || size < KEPT_BYTES || gaps.length > 0) return null;
  return { folder: capture.folder, id: capture.id, name };
}

/** The kept explanation of a whole stream; null if there is none. */
export function keptExplanation(stream: StreamName, generation: Generation): Explanation | null {
  const place = placeOf(stream, generation);
  return place && readExplained(place.folder, place.id, place.name, generation.size);
}

/**
 * Returns the recorded cause of a finished artifact, for a view of all of it. The recorder saw both streams apart, which
 * tells more than one stream, or both put together. In the combined view the cause has its number there. Older records
 * lack that number: then it is the last shown line with the text, as that step failed; null if none is shown.
 */
export function recordedCause(
  { status, cause }: Pick<Artifact, 'status' | 'cause'>,
  stream: StreamName,
  parts: readonly Pick<ExplainingPart, 'start_line' | 'content'>[],
): Cause | null {
  if (status === 'running' || cause === null) return null;
  if (stream !== 'combined') return cause;
  const { combined_line: line, text } = cause;
  if (line !== undefined) return { stream, line_number: line, text };
  for (const { start_line, content } of parts.toReversed()) {
    const at = content.split('\n').findLastIndex((one) => causeText(one) === text);
    if (at >= 0) return { stream, line_number: start_line + at, text };
  }
  return null;
}

/** Shortens the text of a cause for a head that has less room than its record. */
export function causeInHead(text: string, mostChars: number): string {
  return causeText(text, mostChars);
}
