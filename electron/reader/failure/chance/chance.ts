/**
 * Tells how likely a line is the cause, by a linear model of its features. It compares the lines of one text; the
 * chances of two texts have nothing to do with each other.
 */

import type { LogLines } from '../log-lines.ts';
import type { FailureScanner } from '../scan/scanner.ts';
import type { Weighed } from '../weighed.ts';
import { contextOf, FEATURES, featuresOf } from './features.ts';
import { WEIGHTS } from './weights.ts';

const weights = FEATURES.map((feature) => WEIGHTS[feature]);

/** Sets `chance` of each: the logarithm of its odds, up to a constant. */
export function giveChances(candidates: readonly Weighed[], scanner: FailureScanner, lines: LogLines): void {
  const context = contextOf(candidates, scanner, lines);
  for (const one of candidates) {
    one.chance = featuresOf(one, context).reduce((sum, value, i) => sum + value * weights[i]!, 0);
  }
}
