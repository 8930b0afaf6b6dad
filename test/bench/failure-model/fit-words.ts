/**
 * Fits the weights of single words, on top of those of features. On failures that neither the weights nor the lexicon
 * had seen, they show 3 to 8 % more causes.
 */
import { dot } from '../../../electron/reader/failure/chance/chance.ts';
import { Descent, errorsOf } from './descent.ts';
import { type Example, isRecorded } from './examples.ts';
import { familyOf } from './families.ts';

const STEPS = 120;
/** Holds weights small. The line to name is a single one, where a chance word does harm: half of its weights counts. */
const RIDGE = { shown: 0.0003, named: 0.002 };
const SHARE = { shown: 1, named: 0.5 };
/** Most that one word may say: a name may hold it by chance. */
const MOST = 1.5;
/** A word is weighed if causes of so many tools have it, or any lines of so many. */
const LEAST_CAUSES = 3;
const LEAST_FAMILIES = 25;

/** Names of tools, and of what the recorded failures happen to be about: they say nothing of other failures. */
const NAMES = new Set(
  `acme allkeys apt billing cart cents cmake cob com corp corpus coupons courier deb debian dnsmasq ebadengine eu eur
  europe example fleet gcc git gnu invoice invoices java javac lab ledger linux lisp mail make makefile maven maxmemory
  money npm org perl php pickup pkg postgres price prices pricing psql py python readmemh redis refunds rpm ruby rust
  sensor shop srv systemd tariff tar tax tenant vat vendor wconflicts wunused www zlib
  jan feb mar apr jun jul aug sep oct nov dec`.split(/\s+/),
);
/** Digits of hexadecimal numbers, and what is numbered. */
const NUMBERED = /^[a-f]{1,2}$|\d/;

export function wordsToWeigh(cases: readonly Example[]): string[] {
  const families = new Map<string, { all: Set<string>; causes: Set<string> }>();
  for (const one of cases.filter(isRecorded)) {
    const family = familyOf(one);
    for (const [i, words] of one.words.entries()) {
      for (const word of words) {
        const known = families.get(word) ?? { all: new Set(), causes: new Set() };
        families.set(word, known);
        known.all.add(family);
        if (one.explains[i]) known.causes.add(family);
      }
    }
  }
  return [...families]
    .filter(([word]) => word.length > 1 && !NAMES.has(word) && !NUMBERED.test(word))
    .filter(([, { all, causes }]) => causes.size >= LEAST_CAUSES || all.size >= LEAST_FAMILIES)
    .map(([word]) => word)
    .sort();
}

/** The use of a model, and how many of the likeliest wrong lines cost it nothing. */
export interface Purpose {
  purpose: keyof typeof RIDGE;
  leftOut: number;
}

/** `features` are the weights of features, which stay. */
export function wordWeights(
  cases: readonly Example[],
  words: readonly string[],
  features: Float64Array,
  { purpose, leftOut }: Purpose,
): Map<string, number> {
  const indices = new Map(words.map((word, i) => [word, i]));
  const texts = cases.map((one) => one.words.map((line) => line.flatMap((word) => indices.get(word) ?? [])));
  const given = cases.map(({ rows }) => rows.map((row) => dot(row, features)));
  const total = cases.reduce((sum, { worth }) => sum + worth, 0);
  const weights = new Float64Array(words.length);
  const descent = new Descent(words.length);
  for (let step = 0; step < STEPS; step++) {
    const gradient = weights.map((weight) => RIDGE[purpose] * weight);
    for (const [c, { explains, worth }] of cases.entries()) {
      const lines = texts[c]!;
      const chances = lines.map((line, i) => line.reduce((sum, word) => sum + weights[word]!, given[c]![i]!));
      for (const [i, wrong] of errorsOf(chances, explains, leftOut).entries()) {
        for (const word of lines[i]!) gradient[word]! += (wrong * worth) / total;
      }
    }
    descent.step(weights, gradient);
    for (const [i, weight] of weights.entries()) weights[i] = Math.min(MOST, Math.max(-MOST, weight));
  }
  return new Map(words.map((word, i) => [word, weights[i]! * SHARE[purpose]]));
}
