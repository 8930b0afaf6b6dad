/**
 * Fits the weights of electron/reader/failure/chance/ (weights.ts, naming-weights.ts, word-weights.ts) to the recorded
 * failures that are not set aside. Prints them, and their distance from the weights in use. Then cross-validates the
 * models. Needs `../shared/failures`.
 */

import { worthOfWords } from '../../electron/reader/failure/chance/chance.ts';
import { FEATURES } from '../../electron/reader/failure/chance/features.ts';
import { NAMING_WEIGHTS } from '../../electron/reader/failure/chance/naming-weights.ts';
import { WEIGHTS } from '../../electron/reader/failure/chance/weights.ts';
import { makeExamples } from './failure-model/examples.ts';
import { modelsFor } from './failure-model/fit.ts';
import { BUDGETS_BYTES, crossValidated, type Tally } from './failure-model/validate.ts';
import { type Figure, report } from './harness.ts';

const fitted = makeExamples();
const models = modelsFor(fitted);
for (const [name, { features }] of Object.entries(models)) {
  console.log(`${name}:`);
  for (const [i, feature] of FEATURES.entries()) console.log(`  '${feature}': ${features[i]!.toFixed(2)},`);
}
const words = [...models.shown.words].map(([word, shown]) => ({
  word,
  shown,
  named: models.named.words.get(word)!,
}));
console.log(
  words.map(({ word, shown, named }) => `${word} ${shown.toFixed(1)} ${named.toFixed(1)}`).join(', '),
);

/** Weights in use are rounded to two places, those of words to one. */
const ROUNDED = 0.006;
const WORD_ROUNDED = 0.051;
const distance = Math.max(
  ...FEATURES.map((feature, i) => Math.abs(WEIGHTS[feature] - models.shown.features[i]!)),
  ...FEATURES.map((feature, i) => Math.abs(NAMING_WEIGHTS[feature] - models.named.features[i]!)),
);
const wordDistance = Math.max(
  ...words.flatMap(({ word, shown, named }) => {
    const used = worthOfWords(word);
    return [Math.abs(used.shown - shown), Math.abs(used.named - named)];
  }),
);
const figures: Figure[] = [
  { what: 'largest distance of a weight in use', value: distance, unit: '', limit: ROUNDED },
  { what: 'the same, of a word', value: wordDistance, unit: '', limit: WORD_ROUNDED },
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
