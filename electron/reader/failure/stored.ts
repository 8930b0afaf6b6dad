/** Explains a stored text, or a range of its lines, by scanning it first. */
import { Buffer } from 'node:buffer';
import { explain } from './explain.ts';
import { type Explanation, lastOf, READING_STEP_BYTES, type ReadingSteps } from './explanation.ts';
import type { FailureText } from './log-lines.ts';
import { FailureScanner } from './scan/scanner.ts';

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
  const scanner = new FailureScanner(part.size);
  yield* scanning(scanner, part);
  const { cause, ranked, blank, essential, ...rest } = explain(scanner, part);
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

/** Scans from where the scanner is to the end of the text. */
export function scanAll(scanner: FailureScanner, text: FailureText): void {
  lastOf(scanning(scanner, text));
}

/** As `scanAll`, in steps. */
export function* scanning(scanner: FailureScanner, text: FailureText): ReadingSteps<void> {
  const chunk = Buffer.allocUnsafe(Math.min(READING_STEP_BYTES, Math.max(1, text.size)));
  for (let at = scanner.offset; at < text.size; ) {
    const got = text.read(chunk, at);
    if (got <= 0) break;
    scanner.push(chunk.subarray(0, got));
    at += got;
    yield at;
  }
  scanner.finish();
}
