/**
 * Tells how likely a line explains the failure, by two linear models of its features: one for the lines to show, and one for
 * the one line to name. A preview has room for several, so the first need not tell which of the likeliest is the best. They
 * compare the lines of one text; the chances of two texts have nothing to do with each other.
 */

import type { LogLines } from '../log-lines.ts';
import type { FailureScanner } from '../scan/scanner.ts';
import type { Weighed } from '../weighed.ts';
import { contextOf, FEATURES, featuresOf } from './features.ts';
import { NAMING_WEIGHTS } from './naming-weights.ts';
import { WEIGHTS } from './weights.ts';

const weights = FEATURES.map((feature) => WEIGHTS[feature]);
const namingWeights = FEATURES.map((feature) => NAMING_WEIGHTS[feature]);

/** Sets `chance` and `naming` of each: the logarithm of its odds, up to a constant. */
export function giveChances(candidates: readonly Weighed[], scanner: FailureScanner, lines: LogLines): void {
  const context = contextOf(candidates, scanner, lines);
  for (const one of candidates) {
    const features = featuresOf(one, context);
    one.chance = features.reduce((sum, value, i) => sum + value * weights[i]!, 0);
    one.naming = features.reduce((sum, value, i) => sum + value * namingWeights[i]!, 0);
  }
}
