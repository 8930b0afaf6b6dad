/**
 * Estimates how likely a line explains the failure, by two linear models of its features and its words. `chance` ranks
 * lines to show. A preview has room for several, so the order of the likeliest matters little. `naming` ranks lines to
 * name, and only the first is named. Both compare lines of one text, not of two.
 */

import { lineWords } from '../lexicon/concepts.ts';
import type { LogLines } from '../log-lines.ts';
import type { FailureScanner } from '../scan/scanner.ts';
import type { Weighed } from '../weighed.ts';
import { contextOf, FEATURES, featuresOf } from './features.ts';
import { NAMING_WEIGHTS } from './naming-weights.ts';
import { WEIGHTS } from './weights.ts';
import { WORD_WEIGHTS } from './word-weights.ts';

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

/** How usual a line's words are in lines that explain failures, whatever the program. */
interface WordsWorth {
  /** Added to `chance` and `naming`. */
  shown: number;
  named: number;
}

const wordWeights = new Map<string, WordsWorth>();
for (const [, word, shown, named] of WORD_WEIGHTS.matchAll(/(\S+) (-?[\d.]+) (-?[\d.]+)/g)) {
  wordWeights.set(word!, { shown: Number(shown), named: Number(named) });
}

/** Each word counts once. */
export function worthOfWords(line: string): WordsWorth {
  const worth = { shown: 0, named: 0 };
  for (const word of new Set(lineWords(line))) {
    const weight = wordWeights.get(word);
    if (!weight) continue;
    worth.shown += weight.shown;
    worth.named += weight.named;
  }
  return worth;
}
