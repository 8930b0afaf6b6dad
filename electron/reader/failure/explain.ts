/**
 * Chooses the lines of a failed command's output that explain it. No budget changes their order, so a larger preview
 * contains a smaller one.
 */
import { choose } from './choose.ts';
import { type FailureText, LogLines } from './log-lines.ts';
import type { FailureScanner } from './scan/scanner.ts';
import { weigh } from './weigh.ts';

export interface RankedLine {
  /** From 1. */
  readonly number: number;
  readonly offset: number;
  readonly text: string;
  readonly isCut: boolean;
  /** 0 is the cause. */
  readonly rank: number;
  /** Set where it was chosen for what it says. */
  readonly why: string | null;
}

export interface Cause {
  line_number: number;
  text: string;
  /** For comparing with the cause of another stream; has no unit. */
  score: number;
}

export interface Explanation {
  readonly cause: Cause | null;
  /** Best first. */
  readonly ranked: readonly RankedLine[];
  /** Numbers of blank lines among them. */
  readonly blank: ReadonlySet<number>;
  readonly totalLines: number;
}

/** `scanner` has seen all of `text`; `hints` are lines of the command's other stream. */
export function explain(
  scanner: FailureScanner,
  text: FailureText,
  hints: readonly string[] = [],
): Explanation {
  const lines = new LogLines(text, scanner.lines);
  const weighed = weigh(scanner, lines, hints);
  return choose(weighed, lines);
}
