/** Finds the last step of a script that failed silently: the step is the last line, and no line tells of a failure. */
import { evidenceOf, type LineKind } from '../evidence.ts';
import { STEP_START } from '../lexicon/structure.ts';
import type { LogLine, LogLines } from '../log-lines.ts';
import type { Weighed } from '../weighed.ts';
import { isSilent } from './silent.ts';

/** A heading or a note between two marks closes a step: `=== 5 passed ===`. */
const CLOSED = /^(\+{2,}|={2,}).*\1\s*$/u;
const TRACED_TEST = /^\++ (?:test|'?\[\[?'?|\(\() /u;
const TRACED_VALUE = /^\++ \w+=\S/u;
const MOST_BLANK = 4;
/** Evidence of a failure. */
const TELLING = 2;
const TELLS: ReadonlySet<LineKind> = new Set([
  'fatal',
  'exception',
  'label',
  'error',
  'reason',
  'compare',
  'mark',
]);

/** `best` is the likeliest of the picks. */
export function silentStep(picks: readonly Weighed[], best: Weighed | null, lines: LogLines): LogLine | null {
  const [step] = lines.last(1);
  if (!step || step.number <= lines.total - MOST_BLANK) return null;
  if (!STEP_START.test(step.text) || CLOSED.test(step.text)) return null;
  if (evidenceOf(step.text).isConsequence || picks.some(tells)) return null;
  if (best && (!(isSilent(best) || best.evidence.surrounds) || isTested(best, step))) return null;
  return step;
}

function tells({ evidence }: Weighed): boolean {
  const { weight, kind, isConsequence, isCalm, surrounds } = evidence;
  return weight >= TELLING && TELLS.has(kind) && !isConsequence && !isCalm && !surrounds;
}

/** A test fails for a value that was set before. */
function isTested({ line, novelty, oddness }: Weighed, step: LogLine): boolean {
  return TRACED_TEST.test(step.text) && TRACED_VALUE.test(line.text) && novelty > oddness;
}
