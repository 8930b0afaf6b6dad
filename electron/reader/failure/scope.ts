/**
 * Tells from the marked steps of a text where its failure is: in the step that says that it failed, between the script
 * that it echoes and the line that says so. What other steps, a clean-up or a service's log say explains nothing.
 */
import type { Step } from '../sections.ts';

export type Zone =
  /** Output of the step that failed; without marked steps, all. */
  | 'failing'
  /** Output of another step that failed. */
  | 'also'
  /** Output of a step that went well, before the failure. */
  | 'before'
  /** The echoed script of a step. */
  | 'script'
  /** Printed when all is over. */
  | 'after';

export interface Scope {
  /** First and last line of the failing step's output. */
  readonly first: number;
  readonly last: number;
  /** Whether the text has marked steps. */
  readonly hasSteps: boolean;
  zoneOf(line: number): Zone;
}

/** `steps`: in order; `lines`: of the whole text. */
export function scopeOf(steps: readonly Step[], lines: number): Scope {
  const failed = steps.filter((step) => step.failed > 0);
  const main = failed.length > 0 ? firstOfLastJob(failed) : steps.findLast((step) => step.error > 0);
  const end = main ? endOf(main) : endOfWork(steps, lines);
  const first = main ? main.output : 1;
  return {
    first,
    last: end,
    hasSteps: steps.length > 1 || steps.some(({ isOver, error }) => isOver || error > 0),
    zoneOf(line) {
      const step = stepAt(steps, line);
      if (step && line < step.output) return 'script';
      if (line >= first && line <= end) return 'failing';
      if (step && step !== main && line <= endOf(step)) return 'also';
      return line > end ? 'after' : 'before';
    },
  };
}

/** The last line before the one that says that the step failed, which itself explains nothing. */
const endOf = ({ failed, error }: Step) => (failed > 0 ? failed - 1 : error);

/** Jobs that others need come first: of several that failed, one that was tolerated is rarely the last. */
function firstOfLastJob(failed: readonly Step[]): Step {
  const job = failed.at(-1)!.job;
  return failed.find((step) => step.job === job)!;
}

/** No step says that it failed: the last line before all is cleaned up. */
function endOfWork(steps: readonly Step[], lines: number): number {
  const job = steps.at(-1)?.job;
  const last = steps.find((step) => step.job === job && step.after > 0);
  return last ? last.after - 1 : lines;
}

function stepAt(steps: readonly Step[], line: number): Step | undefined {
  let low = 0;
  let high = steps.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (steps[middle]!.first <= line) low = middle + 1;
    else high = middle;
  }
  return steps[low - 1];
}
