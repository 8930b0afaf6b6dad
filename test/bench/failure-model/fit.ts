/**
 * Fits linear models of features by gradient descent on cross-entropy. A preview shows several lines, so in the model
 * that ranks them, the likeliest wrong lines cost nothing (top-k cross-entropy: M. Lapin, M. Hein, B. Schiele, 2016).
 * Cross-validated between other outputs, that shows 1 to 4 % more causes.
 */
import { dot } from '../../../electron/reader/failure/chance/chance.ts';
import { FEATURES, type Feature } from '../../../electron/reader/failure/chance/features.ts';
import type { Example } from './examples.ts';

const STEPS = 250;
const RATE = 0.05;
/** Wrong lines that cost nothing: about as many as a preview of 1 KB has room for. */
const LEFT_OUT = 7;
/** Weights of standardised features are held small. */
const RIDGE = 0.01;
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
  'made-good': [-7, 0],
};
const USUAL_BOUNDS = [-2, 2.5] as const;

/**
 * Returns weights of unscaled features, in the order of FEATURES. `shown` ranks lines to show, `named` ranks lines to
 * name. Examples without a line that explains teach nothing.
 */
export function weightsFor(all: readonly Example[]): { shown: Float64Array; named: Float64Array } {
  return { shown: fitted(all, LEFT_OUT), named: fitted(all, 0) };
}

function fitted(all: readonly Example[], leftOut: number): Float64Array {
  const cases = all.filter(({ explains }) => explains.includes(true)).map(withFewerRows);
  const deviations = deviationsOf(cases);
  const weights = new Float64Array(FEATURES.length);
  const speed = new Float64Array(FEATURES.length);
  const square = new Float64Array(FEATURES.length);
  const total = cases.reduce((sum, { worth }) => sum + worth, 0);
  for (let step = 1; step <= STEPS; step++) {
    const gradient = weights.map((weight) => RIDGE * weight);
    for (const one of cases) addGradient(gradient, one, { weights, deviations, total, leftOut });
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

/** Rows of a case that the fit reads. Lines that explain are always among them. */
const MOST_ROWS = 260;

function withFewerRows(one: Example): Example {
  const { length } = one.rows;
  if (length <= MOST_ROWS) return one;
  const half = MOST_ROWS / 2;
  const isKept = (_: unknown, i: number) => one.explains[i] || i < half || (i * 7919) % length < half;
  return { ...one, rows: one.rows.filter(isKept), explains: one.explains.filter(isKept) };
}

export function chancesOf({ rows }: Example, weights: Float64Array): number[] {
  return rows.map((row) => dot(row, weights));
}

function addGradient(
  gradient: Float64Array,
  { rows, explains, worth }: Example,
  {
    weights,
    deviations,
    total,
    leftOut,
  }: { weights: Float64Array; deviations: Float64Array; total: number; leftOut: number },
): void {
  const scaled = weights.map((weight, f) => weight / deviations[f]!);
  const chances = rows.map((row) => dot(row, scaled));
  const most = Math.max(...chances);
  const odds = chances.map((chance) => Math.exp(chance - most));
  for (const i of likeliestOthers(odds, explains, leftOut)) odds[i] = 0;
  const right = odds.reduce((sum, one, i) => sum + (explains[i] ? one : 0), 1e-300);
  const all = odds.reduce((sum, one, i) => sum + (explains[i] ? 0 : one), right);
  for (const [i, row] of rows.entries()) {
    const wrong = odds[i]! / all - (explains[i] ? odds[i]! / right : 0);
    if (Math.abs(wrong) < 1e-6) continue;
    for (let f = 0; f < row.length; f++) gradient[f]! += (wrong * worth * row[f]!) / deviations[f]! / total;
  }
}

function likeliestOthers(odds: readonly number[], explains: readonly boolean[], most: number): number[] {
  const others = [...odds.keys()].filter((i) => !explains[i]);
  return others.sort((a, b) => odds[b]! - odds[a]!).slice(0, most);
}

function deviationsOf(cases: readonly Example[]): Float64Array {
  const rows = cases.flatMap((one) => one.rows);
  return Float64Array.from(FEATURES, (_, f) => {
    const mean = rows.reduce((sum, row) => sum + row[f]!, 0) / rows.length;
    const variance = rows.reduce((sum, row) => sum + (row[f]! - mean) ** 2, 0) / rows.length;
    return Math.max(LEAST_DEVIATION, Math.sqrt(variance));
  });
}
