/** Picks the cause among the explaining lines: one with a reason before one that counts, marks or announces. */
import type { Evidence, LineKind } from './evidence.ts';
import type { CauseLine } from './explanation.ts';
import { ADVICE, ANNOUNCES, COUNTED, FILE_LINE, IS_DETAIL, VERDICT } from './lexicon/structure.ts';
import type { LogLine, LogLines } from './log-lines.ts';
import type { Weighed } from './weigh.ts';

/** A line that scores less explains nothing. */
const CAUSE_SCORE = 1.2;
/** So many of the first lines may be the cause. */
const LIKELY = 24;
/** Lines at the end that mostly say what came of it. */
const LAST_LINES = 8;
/** Share of the text, from its beginning on, where settings and versions are told: what follows came of those. */
const BEGINNING = 0.2;

/** How often a line of a kind is the cause where it explains as much as a reason does. */
const OF_KIND: Partial<Record<LineKind, number>> = {
  label: 0.85,
  error: 0.6,
  mark: 0.6,
  value: 0.6,
  warn: 0.75,
  compare: 1.15,
  none: 1.2,
};

/** How likely a line that explains is the cause itself: less where it only counts, marks, announces or gives advice. */
function likelihood({ evidence, score, line }: Weighed, total: number): number {
  if (evidence.isCalm) return 0;
  const { text } = line;
  let likely = score * (OF_KIND[evidence.kind] ?? 1);
  const reports = evidence.isConsequence || COUNTED.test(text) || VERDICT.test(text) || ADVICE.test(text);
  if (reports) likely *= 0.25;
  else if (ANNOUNCES.test(text) && !announces(line, evidence)) likely *= 0.5;
  if (evidence.weight >= 3 && FILE_LINE.test(text)) likely *= 1.3;
  if (line.number > total - Math.min(LAST_LINES, total / 4)) likely *= evidence.weight < 4.5 ? 0.3 : 0.65;
  else if (line.number < total * BEGINNING) likely *= 1.15;
  return likely;
}

/** The pick that is the cause; null where nothing explains. */
export function likeliest(picks: readonly Weighed[], total: number): Weighed | null {
  let best: Weighed | null = null;
  let most = 0;
  for (const one of picks.slice(0, LIKELY)) {
    if (one.score < CAUSE_SCORE) continue;
    const likely = likelihood(one, total);
    if (likely > most) {
      best = one;
      most = likely;
    }
  }
  return best;
}

function announces({ text }: LogLine, { kind }: Evidence): boolean {
  return ANNOUNCES.test(text) && (kind === 'fatal' || kind === 'exception' || kind === 'label');
}

/** The line itself, or the next one where it only announces that. */
export function causeOf({ line, evidence, score }: Weighed, lines: LogLines): CauseLine {
  const next = announces(line, evidence) ? lines.get(line.number + 1) : undefined;
  const { number, text } = next && !IS_DETAIL.test(next.text) ? next : line;
  return { line_number: number, text, score };
}
