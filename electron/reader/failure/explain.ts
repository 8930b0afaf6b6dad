/** Explains texts: scans them first where they are stored, or takes what was counted while they streamed by. */
import { Buffer } from 'node:buffer';
import { choose } from './choose.ts';
import {
  type CauseLine,
  type Explanation,
  lastOf,
  READING_STEP_BYTES,
  type ReadingSteps,
} from './explanation.ts';
import { type FailureText, LogLines } from './log-lines.ts';
import { giveChances } from './model.ts';
import { FailureScanner } from './scan/scanner.ts';
import { failedText } from './scope.ts';
import { candidatesOf } from './weigh.ts';

/**
 * Chooses the lines that explain a failure, best first; cut.ts takes them in this order. `scanner` has seen all of `text`.
 * `otherStreamEnd`: the last lines of the command's other stream.
 */
export function explain(
  scanner: FailureScanner,
  text: FailureText,
  otherStreamEnd: readonly string[] = [],
): Explanation {
  const failed = failedText(scanner, text, otherStreamEnd);
  const candidates = candidatesOf(failed);
  giveChances(candidates, failed);
  return choose(candidates, failed);
}

export interface TextRange {
  /** Bytes: where the range's first line begins, and where its last one ends. */
  from: number;
  to: number;
  firstLine: number;
}

/** Returns line numbers and offsets in `text`, not in the range. */
export function* explaining(text: FailureText, range: TextRange): ReadingSteps<Explanation> {
  const part: FailureText = {
    size: Math.max(0, Math.min(range.to, text.size) - range.from),
    read: (bytes, position) =>
      text.read(bytes.subarray(0, Math.max(0, part.size - position)), range.from + position),
  };
  const { cause, ranked, blank, essential, ...rest } = explain(yield* scanning(part), part);
  const shift = range.firstLine - 1;
  return {
    cause: cause && { ...cause, line_number: cause.line_number + shift },
    ranked: ranked.map((line) => ({
      ...line,
      number: line.number + shift,
      offset: line.offset + range.from,
    })),
    blank: new Set([...blank].map((number) => number + shift)),
    essential: new Set([...essential].map((number) => number + shift)),
    ...rest,
  };
}

/** As `explaining`, in one go. */
export function explainStored(text: FailureText, range: TextRange): Explanation {
  return lastOf(explaining(text, range));
}

/** Scans all of a text. */
export const scanned = (text: FailureText): FailureScanner => lastOf(scanning(text));

function* scanning(text: FailureText): ReadingSteps<FailureScanner> {
  const scanner = new FailureScanner(text.size);
  const chunk = Buffer.allocUnsafe(Math.min(READING_STEP_BYTES, Math.max(1, text.size)));
  for (let at = 0; at < text.size; ) {
    const got = text.read(chunk, at);
    if (got <= 0) break;
    scanner.push(chunk.subarray(0, got));
    at += got;
    yield at;
  }
  scanner.finish();
  return scanner;
}

export interface ScannedStream<Name extends string> {
  name: Name;
  scanner: FailureScanner;
  text: FailureText;
}

interface ExplainedStreams<Name extends string> {
  /** By stream. */
  explanations: Map<Name, Explanation>;
  cause: (CauseLine & { stream: Name }) | null;
}

/** A message on stderr is more likely to be meant as an explanation. */
const STDERR_WORTH = 1.25;
const OTHER_END_BYTES = 2048;
const MOST_OTHER_END_LINES = 8;

/** Explains a failure from all of a command's streams: each has its own lines, one has the cause. */
export function explainStreams<Name extends string>(
  streams: readonly ScannedStream<Name>[],
): ExplainedStreams<Name> {
  const explanations = new Map<Name, Explanation>();
  const causes: NonNullable<ExplainedStreams<Name>['cause']>[] = [];
  const ends = new Map(streams.map((stream) => [stream.name, lastLines(stream)]));
  for (const { name, scanner, text } of streams) {
    if (scanner.lines === 0) continue;
    const otherStreamEnd = [...ends].flatMap(([other, lines]) => (other === name ? [] : lines));
    const explanation = explain(scanner, text, otherStreamEnd);
    explanations.set(name, explanation);
    if (!explanation.cause) continue;
    const score = explanation.cause.score * (name === 'stderr' ? STDERR_WORTH : 1);
    causes.push({ ...explanation.cause, stream: name, score });
  }
  return { explanations, cause: causes.toSorted((a, b) => b.score - a.score)[0] ?? null };
}

/** As `explainStreams`, of stored texts. Yields the number of bytes read so far of one of them. */
export function* explainingStreams<Name extends string>(
  texts: readonly { name: Name; text: FailureText }[],
): ReadingSteps<ExplainedStreams<Name>> {
  const scanned: ScannedStream<Name>[] = [];
  for (const { name, text } of texts) scanned.push({ name, scanner: yield* scanning(text), text });
  return explainStreams(scanned);
}

function lastLines<Name extends string>({ scanner, text }: ScannedStream<Name>): string[] {
  const lines = new LogLines(text, scanner.lines);
  lines.loadTail(OTHER_END_BYTES);
  return lines.last(MOST_OTHER_END_LINES).map((line) => line.text);
}
