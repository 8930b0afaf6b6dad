/**
 * Chooses the lines of a failed command's output that explain it. No budget changes their order: cut.ts takes
 * them in this order, and skips what is too long for the budget.
 */
import { choose } from './choose.ts';
import { unlikeness } from './columns.ts';
import type { Explanation } from './explanation.ts';
import { type FailureText, LogLines } from './log-lines.ts';
import { giveChances } from './model.ts';
import type { FailureScanner } from './scan/scanner.ts';
import { type Scope, scopeOf } from './scope.ts';
import { isShort, type Weighed, weigh } from './weigh.ts';

/** Lines with a lower score are not candidates. */
const LEAST_SCORE = 0.1;
const MOST_CANDIDATES = 900;

/** `scanner` has seen all of `text`; `otherStreamEnd` are the last lines of the command's other stream. */
export function explain(
  scanner: FailureScanner,
  text: FailureText,
  otherStreamEnd: readonly string[] = [],
): Explanation {
  const lines = new LogLines(text, scanner.lines);
  const scope = scopeOf(scanner.steps.all(scanner.lines), scanner.lines);
  const candidates = candidatesOf(scanner, lines, otherStreamEnd, scope);
  const isQuiet = giveChances(candidates, scanner, lines, scope);
  return choose(candidates, lines, scope, otherStreamEnd, isQuiet);
}

/** Lines that may explain the failure, with what speaks for them, best first. */
export function candidatesOf(
  scanner: FailureScanner,
  lines: LogLines,
  otherStreamEnd: readonly string[],
  scope: Scope = scopeOf([], scanner.lines),
): Weighed[] {
  return [...weigh(scanner, lines, otherStreamEnd, scope).values()]
    .filter(
      (one) => (isShort(lines) || worthOf(one) > LEAST_SCORE) && lines.messageOf(one.line).trim() !== '',
    )
    .sort((a, b) => worthOf(b) - worthOf(a))
    .slice(0, MOST_CANDIDATES);
}

const worthOf = ({ score, columns }: Weighed) => score + unlikeness(columns);
