/** Picks the cause among the explaining lines: one with a reason before one that counts, marks or announces. */
import type { Evidence } from './evidence.ts';
import type { Cause } from './explanation.ts';
import { ADVICE, ANNOUNCES, COUNTED, IS_DETAIL, VERDICT } from './lexicon/structure.ts';
import type { LogLine, LogLines } from './log-lines.ts';
import type { Weighed } from './weigh.ts';

/** A line that scores less explains nothing. */
const CAUSE_SCORE = 1.2;
/** So many of the first lines may be the cause. */
const LIKELY = 12;

/** How likely a line that explains is the cause itself: less where it only counts, marks, announces or gives advice. */
function likelihood({ evidence, score, line }: Weighed): number {
  if (evidence.isCalm) return 0;
  const { text } = line;
  const reports = evidence.isConsequence || COUNTED.test(text) || VERDICT.test(text) || ADVICE.test(text);
  if (reports) return score * 0.6;
  if (ANNOUNCES.test(text) && !announces(line, evidence)) return score * 0.5;
  return score * (evidence.kind === 'mark' ? 0.75 : 1);
}

/** The pick that is the cause; null where nothing explains. */
export function likeliest(picks: readonly Weighed[]): Weighed | null {
  let best: Weighed | null = null;
  for (const one of picks.slice(0, LIKELY)) {
    if (one.score >= CAUSE_SCORE && likelihood(one) > (best ? likelihood(best) : 0)) best = one;
  }
  return best;
}

function announces({ text }: LogLine, { kind }: Evidence): boolean {
  return ANNOUNCES.test(text) && (kind === 'fatal' || kind === 'exception' || kind === 'label');
}

/** The line itself, or the next one where it only announces that. */
export function causeOf({ line, evidence, score }: Weighed, lines: LogLines): Cause {
  const next = announces(line, evidence) ? lines.get(line.number + 1) : undefined;
  const { number, text } = next && !IS_DETAIL.test(next.text) ? next : line;
  return { line_number: number, text, score };
}
