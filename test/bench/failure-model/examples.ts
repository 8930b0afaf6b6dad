/** Makes the examples that a model of causes is fitted to: candidates of recorded failures, with their features. */

import { contextOf, featuresOf } from '../../../electron/reader/failure/chance/features.ts';
import { choose } from '../../../electron/reader/failure/choose/choose.ts';
import { candidatesOf } from '../../../electron/reader/failure/explain.ts';
import type { Explanation } from '../../../electron/reader/failure/explanation.ts';
import { lineWords } from '../../../electron/reader/failure/lexicon/concepts.ts';
import { LogLines } from '../../../electron/reader/failure/log-lines.ts';
import { FailureScanner } from '../../../electron/reader/failure/scan/scanner.ts';
import { scopeOf } from '../../../electron/reader/failure/scope.ts';
import { scanAll } from '../../../electron/reader/failure/stored.ts';
import type { Weighed } from '../../../electron/reader/failure/weighed.ts';
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
  cause: RegExp;
  /** How much it counts. Those of the shared set come twice, alone and between other outputs. */
  worth: number;
  /** Features of each candidate, its words, each once, and whether it explains the failure. */
  rows: Float64Array[];
  words: string[][];
  explains: boolean[];
  /** Returns the lines that are shown when the models score its candidates so. */
  explanationBy(chances: readonly number[], namings: readonly number[]): Explanation;
}

/** Whether it is a failure's output as it was recorded. The others repeat lines of these. */
export const isRecorded = ({ set }: Example) => set === 'development set' || set === 'committed';

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
  ];
  return fitted;
}

export function exampleOf({ id, cause, bytes }: FailureCase, set: string, worth: number): Example {
  const text = textOf(bytes);
  const scanner = new FailureScanner(text.size);
  scanAll(scanner, text);
  const lines = new LogLines(text, scanner.lines);
  const candidates = candidatesOf(scanner, lines, []);
  const context = contextOf(candidates, scanner, lines);
  return {
    id,
    set,
    cause,
    worth,
    rows: candidates.map((one) => Float64Array.from(featuresOf(one, context))),
    words: candidates.map(({ line }) => [...new Set(lineWords(line.text))]),
    explains: candidates.map(({ line }) => cause.test(line.text)),
    explanationBy: (chances, namings) =>
      choose(withChances(candidates, chances, namings), lines, scopeOf([], lines.total), []),
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
