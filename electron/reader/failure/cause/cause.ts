/** Picks the cause among the explaining lines. */
import { type Evidence, evidenceOf } from '../evidence.ts';
import type { CauseLine } from '../explanation.ts';
import { ANNOUNCES, IS_DETAIL } from '../lexicon/structure.ts';
import type { LogLine, LogLines } from '../log-lines.ts';
import type { Weighed } from '../weigh.ts';
import { endsInMessage } from './ending.ts';
import { rootOf } from './root.ts';

/** Where no line scores more, nothing explains. */
const CAUSE_SCORE = 1.2;
/** Evidence of less is none. */
const SILENT = 0.35;
const HAS_LETTER = /\p{L}/u;
/** Evidence of an exception with its message. */
const STRONG = 3;

/** The pick that is most likely the cause; null where nothing explains. `hints` are lines of the command's other stream. */
export function likeliest(
  picks: readonly Weighed[],
  lines: LogLines,
  hints: readonly string[],
): Weighed | null {
  if (!picks.some(({ score }) => score >= CAUSE_SCORE)) return null;
  const best = picks.reduce((a, b) => (b.chance > a.chance ? b : a));
  return best.evidence.weight >= SILENT || explainsSilently(best, lines, hints) ? best : null;
}

/** A line without a word for a failure explains one that the end tells of. */
function explainsSilently({ line }: Weighed, lines: LogLines, hints: readonly string[]): boolean {
  return HAS_LETTER.test(line.text) && endsInMessage(lines, hints);
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
