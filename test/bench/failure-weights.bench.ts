/**
 * Fits the weights of electron/reader/failure/chance-weights.ts to the recorded failures that are not set aside, and
 * prints them. First it tells by cross-validation how often a model names a cause in failures that it was not fitted to.
 */

import { candidatesOf } from '../../electron/reader/failure/explain.ts';
import { contextOf, FEATURES, type Feature, featuresOf } from '../../electron/reader/failure/features.ts';
import { LogLines } from '../../electron/reader/failure/log-lines.ts';
import { FailureScanner } from '../../electron/reader/failure/scan/scanner.ts';
import { scanAll } from '../../electron/reader/failure/stored.ts';
import {
  between,
  type FailureCase,
  ourFailures,
  sharedFailures,
  sharedSuccesses,
  textOf,
} from '../fixtures/failures.ts';

interface Example {
  id: string;
  /** How much it counts: those of the shared set come twice. */
  worth: number;
  /** Features of each candidate, and whether it explains the failure. */
  rows: Float64Array[];
  explains: boolean[];
}

const FOLDS = 5;
const STEPS = 220;
const RATE = 0.05;
/** Weights of standardised features are held small. */
const RIDGE = 0.03;
/** A feature that few lines have gets no large weight. */
const LEAST_DEVIATION = 0.2;

/** Least and most of a weight. What is true of hard failures must not hide an error that an ordinary one says last. */
const BOUNDS: Partial<Record<Feature, readonly [number, number]>> = {
  info: [-2, 0.6],
  'from-end': [-2, 3.6],
  'also-label': [-2, 1.5],
  fatal: [-1.2, 2.5],
  exception: [-0.5, 2.5],
  mark: [-1.2, 2.5],
  counted: [-1.5, 2.5],
  'only-strong': [0, 2.5],
  share: [0, 2.5],
  error: [-1.2, 2.5],
};
const USUAL_BOUNDS = [-2, 2.5] as const;

const shared = sharedFailures() ?? [];
const others = shared.length > 0 ? sharedSuccesses() : [];
const examples = [
  ...shared.map((one) => exampleOf(one, 0.9)),
  ...shared.map((one, i) => exampleOf({ ...one, bytes: between(others, one, i) }, 0.35)),
  ...shared.filter((_, i) => i % 3 === 1).map((one, i) => exampleOf(plain(one, i), 0.6)),
  ...ourFailures(`${process.cwd()}/test/fixtures/failures`)
    .filter(({ aside }) => !aside)
    .map((one) => exampleOf(one, 1)),
].filter(({ explains }) => explains.includes(true));

/** Ordinary failures: work that goes well, and a message at the end. The recorded ones are harder than most. */
function plain({ bytes, cause, ...one }: FailureCase, turn: number): FailureCase {
  const shown = bytes
    .toString('utf8')
    .replace(/\x1b\[[0-9;]*m/g, '')
    .split('\n');
  const message = shown.find((line) => cause.test(line)) ?? '';
  const work = Array.from({ length: [200, 2000, 9000][turn % 3]! }, (_, i) => {
    const name = ((i * 7919) % 100_003).toString(36);
    return turn % 2 === 0
      ? `[worker ${i % 5}] ${['stored', 'read', 'sent'][(i * 7) % 3]} block ${name} (${(i * 31) % 997} bytes), queue not empty`
      : `2026-03-01 08:0${i % 7}:${i % 60} INFO request ${i} of session ${name} served in ${(i * 31) % 97} ms, cache hit`;
  });
  return { ...one, cause, bytes: Buffer.from(`${[...work, message, 'exit status 1'].join('\n')}\n`) };
}

/** One failure in several languages must not be in two folds. */
const nameOf = ({ id }: Example) => id.replace(/^l-\w\w-/, '');
const names = [...new Set(examples.map(nameOf))].sort((a, b) => hashOf(a) - hashOf(b));
let named = 0;
for (let fold = 0; fold < FOLDS; fold++) {
  const left = new Set(names.filter((_, i) => i % FOLDS === fold));
  const weights = weightsFor(examples.filter((one) => !left.has(nameOf(one))));
  named += examples.filter((one) => left.has(nameOf(one)) && isNamed(one, weights)).length;
}
console.log(
  `named without having been fitted to: ${((100 * named) / examples.length).toFixed(1)} % of ${examples.length}`,
);
const fitted = weightsFor(examples);
for (const [i, feature] of FEATURES.entries()) console.log(`  '${feature}': ${fitted[i]!.toFixed(2)},`);

function exampleOf({ id, cause, bytes }: FailureCase, worth: number): Example {
  const text = textOf(bytes);
  const scanner = new FailureScanner(text.size);
  scanAll(scanner, text);
  const candidates = candidatesOf(scanner, new LogLines(text, scanner.lines), []);
  const context = contextOf(candidates, scanner);
  return {
    id,
    worth,
    rows: candidates.map((one) => Float64Array.from(featuresOf(one, context))),
    explains: candidates.map(({ line }) => cause.test(line.text)),
  };
}

/** Maximises the chance that the model gives to a line that explains; weights are of features as they are. */
function weightsFor(cases: readonly Example[]): Float64Array {
  const deviations = deviationsOf(cases);
  const weights = new Float64Array(FEATURES.length);
  const speed = new Float64Array(FEATURES.length);
  const square = new Float64Array(FEATURES.length);
  const total = cases.reduce((sum, { worth }) => sum + worth, 0);
  for (let step = 1; step <= STEPS; step++) {
    const gradient = weights.map((weight) => RIDGE * weight);
    for (const one of cases) addGradient(gradient, one, weights, deviations, total);
    for (let f = 0; f < weights.length; f++) {
      speed[f] = 0.9 * speed[f]! + 0.1 * gradient[f]!;
      square[f] = 0.999 * square[f]! + 0.001 * gradient[f]! ** 2;
      const mean = Math.sqrt(square[f]! / (1 - 0.999 ** step)) + 1e-8;
      const [least, most] = BOUNDS[FEATURES[f]!] ?? USUAL_BOUNDS;
      const next = weights[f]! - (RATE * speed[f]!) / (1 - 0.9 ** step) / mean;
      weights[f] = Math.min(most * deviations[f]!, Math.max(least * deviations[f]!, next));
    }
  }
  return weights.map((weight, f) => weight / deviations[f]!);
}

function addGradient(
  gradient: Float64Array,
  { rows, explains, worth }: Example,
  weights: Float64Array,
  deviations: Float64Array,
  total: number,
): void {
  const scaled = weights.map((weight, f) => weight / deviations[f]!);
  const chances = rows.map((row) => dot(row, scaled));
  const most = Math.max(...chances);
  const odds = chances.map((chance) => Math.exp(chance - most));
  const all = odds.reduce((sum, one) => sum + one, 0);
  const right = odds.reduce((sum, one, i) => sum + (explains[i] ? one : 0), 1e-300);
  for (const [i, row] of rows.entries()) {
    const wrong = odds[i]! / all - (explains[i] ? odds[i]! / right : 0);
    if (Math.abs(wrong) < 1e-6) continue;
    for (let f = 0; f < row.length; f++) gradient[f]! += (wrong * worth * row[f]!) / deviations[f]! / total;
  }
}

function deviationsOf(cases: readonly Example[]): Float64Array {
  const rows = cases.flatMap((one) => one.rows);
  return Float64Array.from(FEATURES, (_, f) => {
    const mean = rows.reduce((sum, row) => sum + row[f]!, 0) / rows.length;
    const variance = rows.reduce((sum, row) => sum + (row[f]! - mean) ** 2, 0) / rows.length;
    return Math.max(LEAST_DEVIATION, Math.sqrt(variance));
  });
}

function isNamed({ rows, explains }: Example, weights: Float64Array): boolean {
  let best = 0;
  for (let i = 1; i < rows.length; i++) if (dot(rows[i]!, weights) > dot(rows[best]!, weights)) best = i;
  return explains[best]!;
}

function dot(row: Float64Array, weights: Float64Array): number {
  let sum = 0;
  for (let f = 0; f < row.length; f++) sum += row[f]! * weights[f]!;
  return sum;
}

function hashOf(text: string): number {
  let hash = 7;
  for (const character of text) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0;
  return hash;
}
