/**
 * Chooses the lines of a failed command's output that explain it. No budget changes their order, so a larger preview
 * contains a smaller one.
 */
import { choose } from './choose.ts';
import type { Explanation } from './explanation.ts';
import { type FailureText, LogLines } from './log-lines.ts';
import type { FailureScanner } from './scan/scanner.ts';
import { weigh } from './weigh.ts';

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
