/**
 * Fits the weights of electron/reader/failure/model.ts to the recorded failures that are not set aside and to logs of real
 * projects. Prints them beside the weights in use, then cross-validates the models, whole tools and projects at a time.
 * Needs `../shared/failures`.
 */

import { FEATURES } from '../../electron/reader/failure/model.ts';
import { makeExamples } from './failure-model/examples.ts';
import { modelsFor } from './failure-model/fit.ts';
import { BUDGETS_BYTES, crossValidated, type Tally } from './failure-model/validate.ts';
import { type Figure, report } from './harness.ts';

const fitted = makeExamples();
const { shown, named } = modelsFor(fitted);
console.log('feature: shown (in use), named (in use)');
for (const [i, [name, shownInUse, namedInUse]] of FEATURES.entries()) {
  const [a, b] = [shown[i]!.toFixed(1), named[i]!.toFixed(1)];
  console.log(`${name}: ${a} (${shownInUse}), ${b} (${namedInUse})`);
}
const figures: Figure[] = [];
const raw: Record<string, Tally> = {};
for (const [set, tally] of crossValidated(fitted)) {
  const figure = (what: string, count: number) =>
    figures.push({ what: `${set}, not fitted to: ${what}`, value: (100 * count) / tally.cases, unit: '%' });
  figure('cause named', tally.named);
  for (const [i, budget] of BUDGETS_BYTES.entries()) figure(`shown in ${budget / 1024} KB`, tally.shown[i]!);
  raw[set] = tally;
}
report('failure-weights', figures, raw);
