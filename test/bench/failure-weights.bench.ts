/**
 * Fits the weights of electron/reader/failure/chance/ (weights.ts, naming-weights.ts) to the recorded failures that are
 * not set aside. Prints them, and their distance from the weights in use. Then cross-validates the models. Needs
 * `../shared/failures`.
 */

import { FEATURES } from '../../electron/reader/failure/chance/features.ts';
import { NAMING_WEIGHTS } from '../../electron/reader/failure/chance/naming-weights.ts';
import { WEIGHTS } from '../../electron/reader/failure/chance/weights.ts';
import { makeExamples } from './failure-model/examples.ts';
import { weightsFor } from './failure-model/fit.ts';
import { BUDGETS_BYTES, crossValidated, type Tally } from './failure-model/validate.ts';
import { type Figure, report } from './harness.ts';

const fitted = makeExamples();
const weights = weightsFor(fitted);
for (const [name, fit] of Object.entries(weights)) {
  console.log(`${name}:`);
  for (const [i, feature] of FEATURES.entries()) console.log(`  '${feature}': ${fit[i]!.toFixed(2)},`);
}

/** Weights in use are rounded to two places. */
const ROUNDED = 0.006;
const distance = Math.max(
  ...FEATURES.map((feature, i) => Math.abs(WEIGHTS[feature] - weights.shown[i]!)),
  ...FEATURES.map((feature, i) => Math.abs(NAMING_WEIGHTS[feature] - weights.named[i]!)),
);
const figures: Figure[] = [
  { what: 'largest distance of a weight in use', value: distance, unit: '', limit: ROUNDED },
];
const raw: Record<string, Tally> = {};
for (const [set, tally] of crossValidated(fitted)) {
  const figure = (what: string, count: number) =>
    figures.push({ what: `${set}, not fitted to: ${what}`, value: (100 * count) / tally.cases, unit: '%' });
  figure('cause named', tally.named);
  for (const [i, budget] of BUDGETS_BYTES.entries()) figure(`shown in ${budget / 1024} KB`, tally.shown[i]!);
  raw[set] = tally;
}
report('failure-weights', figures, raw);
