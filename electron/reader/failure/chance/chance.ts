/**
 * Estimates how likely a line explains the failure, by two linear models of its features and its words. `chance` ranks
 * lines to show. A preview has room for several, so the order of the likeliest matters little. `naming` ranks lines to
 * name, and only the first is named. Both compare lines of one text, not of two.
 */

import type { LogLines } from '../log-lines.ts';
import type { FailureScanner } from '../scan/scanner.ts';
import type { Weighed } from '../weighed.ts';
import { contextOf, FEATURES, featuresOf } from './features.ts';
import { NAMING_WEIGHTS } from './naming-weights.ts';
import { WEIGHTS } from './weights.ts';
import { worthOfWords } from './words.ts';

const weights = FEATURES.map((feature) => WEIGHTS[feature]);
const namingWeights = FEATURES.map((feature) => NAMING_WEIGHTS[feature]);

/** Sets `chance` and `naming` of each: logarithms of odds, up to a constant. */
export function giveChances(candidates: readonly Weighed[], scanner: FailureScanner, lines: LogLines): void {
  const context = contextOf(candidates, scanner, lines);
  for (const one of candidates) {
    const features = featuresOf(one, context);
    const words = worthOfWords(one.line.text);
    one.chance = dot(features, weights) + words.shown;
    one.naming = dot(features, namingWeights) + words.named;
  }
}

/** Returns what a model says of a line. Both are in the order of FEATURES. */
export function dot(features: ArrayLike<number>, weights: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < features.length; i++) sum += features[i]! * weights[i]!;
  return sum;
}
