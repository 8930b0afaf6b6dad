/** Picks the cause among the explaining lines. */
import { type Evidence, evidenceOf } from '../evidence.ts';
import type { CauseLine } from '../explanation.ts';
import { ANNOUNCES, IS_DETAIL } from '../lexicon/structure.ts';
import type { LogLine, LogLines } from '../log-lines.ts';
import type { Weighed } from '../weigh.ts';
import { rootOf } from './root.ts';

/** Where no line scores more, nothing explains. */
const CAUSE_SCORE = 1.2;
/** Evidence of an exception with its message. */
const STRONG = 3;

/** The pick that is most likely the cause; null where nothing explains. */
export function likeliest(picks: readonly Weighed[]): Weighed | null {
  if (!picks.some(({ score }) => score >= CAUSE_SCORE)) return null;
  return picks.reduce((a, b) => (b.chance > a.chance ? b : a));
}

function announces({ text }: LogLine, { kind }: Evidence): boolean {
  return ANNOUNCES.test(text) && (kind === 'fatal' || kind === 'exception' || kind === 'label');
}

/** A service says that it ends, and prints the exception behind that. */
function reports({ isConsequence }: Evidence, next: LogLine): boolean {
  if (!isConsequence) return false;
  const { kind, weight } = evidenceOf(next.text);
  return kind === 'exception' && weight >= STRONG;
}

/** The line itself, the next one where it only announces or reports that, or the root of either. */
export function causeOf({ line, evidence, score }: Weighed, lines: LogLines): CauseLine {
  const next = lines.get(line.number + 1);
  const isNext = next && (announces(line, evidence) ? !IS_DETAIL.test(next.text) : reports(evidence, next));
  const { number, text } = rootOf(isNext ? next : line, lines);
  return { line_number: number, text, score };
}
