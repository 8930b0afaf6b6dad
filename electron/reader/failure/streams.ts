/** Explains a failure from all of a command's streams: each has its own lines, one has the cause. */
import { explain } from './explain.ts';
import type { CauseLine, Explanation, ReadingSteps } from './explanation.ts';
import { type FailureText, LogLines } from './log-lines.ts';
import { FailureScanner } from './scan/scanner.ts';
import { scanning } from './stored.ts';

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
  for (const { name, text } of texts) {
    const scanner = new FailureScanner(text.size);
    yield* scanning(scanner, text);
    scanned.push({ name, scanner, text });
  }
  return explainStreams(scanned);
}

function lastLines<Name extends string>({ scanner, text }: ScannedStream<Name>): string[] {
  const lines = new LogLines(text, scanner.lines);
  lines.loadTail(OTHER_END_BYTES);
  return lines.last(MOST_OTHER_END_LINES).map((line) => line.text);
}
