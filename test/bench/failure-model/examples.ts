/** Makes the examples that a model of causes is fitted to: candidates of recorded failures, with their features. */

import { choose } from '../../../electron/reader/failure/choose.ts';
import { scanned } from '../../../electron/reader/failure/explain.ts';
import type { Explanation } from '../../../electron/reader/failure/explanation.ts';
import { featuresOf, giveChances } from '../../../electron/reader/failure/model.ts';
import { failedText } from '../../../electron/reader/failure/scope.ts';
import { candidatesOf, type Weighed } from '../../../electron/reader/failure/weigh.ts';
import { type LabelledLog, logSets } from '../../fixtures/reader/failure-sets.ts';
import {
  between,
  type FailureCase,
  ourFailures,
  sharedFailures,
  sharedSuccesses,
  textOf,
} from '../../fixtures/reader/failures.ts';
import { plain, recovering, warned } from './ordinary.ts';

export interface Example {
  id: string;
  /** Its set, as figures are given for each. */
  set: string;
  log: LabelledLog;
  /** How much it counts. Those of the shared set come twice, alone and between other outputs. */
  worth: number;
  /** Features of each candidate, whether it explains the failure, and whether it may be named alone. */
  rows: Float64Array[];
  explains: boolean[];
  names: boolean[];
  /** Returns the lines that are shown when the models score its candidates so. */
  explanationBy(chances: readonly number[], namings: readonly number[]): Explanation;
}

/** Whether it is like most failures in daily use: what explains is an error. */
export const isOrdinary = ({ set }: Example) => ['ordinary', 'recovering', 'warned'].includes(set);

export function makeExamples(): Example[] {
  const shared = sharedFailures() ?? [];
  const others = shared.length > 0 ? sharedSuccesses() : [];
  const ours = ourFailures();
  const fitted = [
    ...shared.map((one) => exampleOf(one, 'development set', 1.2)),
    ...shared.map((one, i) =>
      exampleOf({ ...one, bytes: between(others, one, i) }, 'between other outputs', 1.2),
    ),
    ...shared.filter((_, i) => i % 3 === 1).map((one, i) => exampleOf(plain(one, i), 'ordinary', 0.8)),
    ...shared
      .filter((_, i) => i % 3 === 2)
      .map((one, i) => exampleOf(recovering(one, shared, i), 'recovering', 0.8)),
    ...shared.map((one, i) => exampleOf(warned(one, i), 'warned', 0.8)),
    ...ours.filter(({ aside }) => !aside).map((one) => exampleOf(one, 'committed', 1)),
    ...logSets()
      .filter(({ name }) => REAL.has(name))
      .flatMap(({ name, failures }) => failures.map((log) => exampleOfLog(log, name, REAL_WORTH))),
  ];
  return fitted;
}

/** Logs of real projects are few, and what most users have. */
const REAL: ReadonlySet<string> = new Set(['pairs', 'ci-logs']);
const REAL_WORTH = 4;

export function exampleOf({ id, cause, bytes }: FailureCase, set: string, worth: number): Example {
  const test = (line: string) => cause.test(line);
  return exampleOfLog({ id, bytes, explains: test, names: test }, set, worth);
}

function exampleOfLog(log: LabelledLog, set: string, worth: number): Example {
  const text = textOf(log.bytes);
  const failed = failedText(scanned(text), text);
  const candidates = candidatesOf(failed);
  giveChances(candidates, failed);
  return {
    id: log.id,
    set,
    log,
    worth,
    rows: featuresOf(candidates, failed),
    explains: candidates.map(({ line }) => log.explains(line.text)),
    names: candidates.map(({ line }) => log.names(line.text)),
    explanationBy: (chances, namings) => choose(withChances(candidates, chances, namings), failed),
  };
}

function withChances(
  candidates: readonly Weighed[],
  chances: readonly number[],
  namings: readonly number[],
): readonly Weighed[] {
  for (const [i, one] of candidates.entries()) {
    one.chance = chances[i]!;
    one.naming = namings[i]!;
  }
  return candidates;
}
