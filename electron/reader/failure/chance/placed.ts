/**
 * Says what a line's level, and its place in a log with marked steps, add to its chances. Models that were fitted to
 * output of single commands do not know that what other steps say explains nothing.
 */

import type { Level } from '../../../../shared/text/level-words.ts';
import { isErrorLevel, levelOf } from '../../../../shared/text/levels.ts';
import { markerOf } from '../../sections.ts';
import { FILE_LINE, VERDICT_FIRST } from '../lexicon/structure.ts';
import type { LogLines } from '../log-lines.ts';
import type { Scope, Zone } from '../scope.ts';
import { isSilent, type Weighed } from '../weighed.ts';

/** The level and the place of a line. */
export interface Placed {
  readonly zone: Zone;
  readonly level: Level | null;
  /** It says itself that it is an error, by its level, a label or as a test's verdict. */
  readonly isError: boolean;
  /** It is the verdict on a test, with a reason. */
  readonly isVerdict: boolean;
}

export function placedAt({ line, evidence }: Weighed, scope: Scope, lines: LogLines): Placed {
  const prefix = lines.prefixOf(line.text);
  const message = line.text.slice(prefix.end);
  const level = prefix.level ?? levelOf(message);
  const isLabelled = level === null && evidence.kinds.includes('label');
  const isVerdict = VERDICT_FIRST.test(message);
  return {
    zone: scope.zoneOf(line.number),
    level,
    isError: isErrorLevel(level) || isLabelled || isVerdict,
    isVerdict,
  };
}

/** Summands of `chance` and `naming`: natural logarithms, rounded from a fit to logs of real projects. */
type Worth = readonly [shown: number, named: number];

const OF_ZONE: Record<Zone, Worth> = {
  failing: [0, 0],
  also: [-7.5, -4.4],
  before: [-7, -4.2],
  script: [-6.5, -3.7],
  after: [-4.2, -3],
};
/** For a line without a plain error in a step that went well, such as `cache restored` or `stage skipped`. */
const DONE_BEFORE: Worth = [-6, -4.2];
/** The same where no line of the failing step says that it is an error: something done before explains it. */
const DONE_BEFORE_SILENCE: Worth = [-6, -0.2];
/** Evidence of a line with a plain error. */
const PLAIN_WEIGHT = 3.5;
const QUIET: ReadonlySet<Level | null> = new Set(['info', 'debug', 'trace']);

/** Each with what it adds where it holds. */
const SIGNS: readonly (readonly [Worth, (one: Weighed, placed: Placed, message: string) => boolean])[] = [
  // Its author called it an error.
  [[1.8, 1.5], (_, { isError }) => isError],
  [
    [2, 0.8],
    ({ evidence: { kinds } }, { isError }) =>
      isError && (kinds.includes('reason') || kinds.includes('compare')),
  ],
  [[3, 3], (_, { isVerdict }) => isVerdict],
  // The models count a place already.
  [[-1, -0.6], (_, { isError }, message) => isError && FILE_LINE.test(message)],
  // A runner prints much that only informs or warns.
  [[-1.2, -0.7], (_, { level }) => QUIET.has(level)],
  [[-1.2, -1], (one, { level }) => QUIET.has(level) && !isSilent(one)],
  [
    [-1.1, -0.8],
    ({ evidence }, { level, isError }) => !isError && (level === 'warn' || evidence.kinds.includes('warn')),
  ],
  [[-0.8, -0.6], (one) => isSilent(one)],
  [[-2.8, -0.9], ({ evidence }) => evidence.isCalm],
  [[-1.1, -0.7], ({ evidence }) => evidence.surrounds],
  [[-1.2, -0.8], (_, __, message) => markerOf(message) !== null],
];

/** Adds to `chance` and `naming` of each. */
export function givePlaces(candidates: readonly Weighed[], scope: Scope, lines: LogLines): void {
  const places = candidates.map((one) => placedAt(one, scope, lines));
  const isSilentStep = !candidates.some(
    ({ evidence }, i) =>
      places[i]!.zone === 'failing' && places[i]!.isError && !evidence.isCalm && !evidence.isConsequence,
  );
  for (const [i, one] of candidates.entries()) {
    const placed = places[i]!;
    const message = lines.messageOf(one.line);
    const isDone = placed.zone === 'before' && !placed.isError && one.evidence.weight < PLAIN_WEIGHT;
    const ofDone = isSilentStep ? DONE_BEFORE_SILENCE : DONE_BEFORE;
    const [shown, named] = isDone ? ofDone : OF_ZONE[placed.zone];
    one.chance += shown;
    one.naming += named;
    for (const [worth, holds] of SIGNS) {
      if (!holds(one, placed, message)) continue;
      one.chance += worth[0];
      one.naming += worth[1];
    }
  }
}
