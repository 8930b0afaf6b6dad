/**
 * Fits linear models of features by gradient descent on cross-entropy. A preview shows several lines, so in the model
 * that ranks them, the likeliest wrong lines cost nothing (top-k cross-entropy: M. Lapin, M. Hein, B. Schiele, 2016).
 * Cross-validated between other outputs, that shows 1 to 4 % more causes.
 */
import { FEATURES } from '../../../electron/reader/failure/model.ts';
import { Descent, errorsOf } from './descent.ts';
import { type Example, isOrdinary } from './examples.ts';

const STEPS = 250;
/** Wrong lines that cost nothing: about as many as a preview of 1 KB has room for. */
const LEFT_OUT = 7;
/** A preview has room for several lines. The one that is named must be right for ordinary failures first. */
const ORDINARY_WORTH = 3;
/** Weights of standardised features are held small. */
const RIDGE = 0.01;
/** A feature that few lines have gets no large weight. */
const LEAST_DEVIATION = 0.2;

/** Least and most of a weight. What is true of hard failures must not hide an error that an ordinary one says last. */
const BOUNDS: Readonly<Record<string, readonly [number, number]>> = {
  info: [-2, 0.6],
  'from-end': [-2, 3.6],
  fatal: [-1.2, 2.5],
  exception: [-0.5, 2.5],
  mark: [-1.2, 2.5],
  counted: [-1.5, 2.5],
  'only-strong': [0, 2.5],
  share: [0, 2.5],
  error: [-1.2, 2.5],
  'made-good': [-7, 0],
  'lv-error': [0, 3],
  'lv-verdict': [0, 3.5],
};
/** Of a zone other than the failing step's output. */
const ZONE_BOUNDS = [-8, 0] as const;
const USUAL_BOUNDS = [-2, 2.5] as const;

/** Weights of unscaled features, in the order of FEATURES. */
export interface Models {
  shown: Float64Array;
  named: Float64Array;
}

/** `shown` ranks lines to show, `named` ranks lines to name. Examples without a line that explains teach nothing. */
export function modelsFor(all: readonly Example[]): Models {
  const cases = all.filter(({ explains }) => explains.includes(true)).map(withFewerRows);
  const toName = cases
    .map((one) => ({
      ...one,
      explains: one.names,
      worth: one.worth * (isOrdinary(one) ? ORDINARY_WORTH : 1),
    }))
    .filter(({ explains }) => explains.includes(true));
  return { shown: featureWeights(cases, LEFT_OUT), named: featureWeights(toName, 0) };
}

function featureWeights(cases: readonly Example[], leftOut: number): Float64Array {
  const deviations = deviationsOf(cases);
  const weights = new Float64Array(FEATURES.length);
  const descent = new Descent(FEATURES.length);
  const total = cases.reduce((sum, { worth }) => sum + worth, 0);
  for (let step = 0; step < STEPS; step++) {
    const gradient = weights.map((weight) => RIDGE * weight);
    for (const one of cases) addGradient(gradient, one, { weights, deviations, total, leftOut });
    descent.step(weights, gradient);
    for (let f = 0; f < weights.length; f++) {
      const [least, most] = boundsOf(FEATURES[f]![0]);
      weights[f] = Math.min(most * deviations[f]!, Math.max(least * deviations[f]!, weights[f]!));
    }
  }
  return weights.map((weight, f) => weight / deviations[f]!);
}

const boundsOf = (name: string) => (name.startsWith('z-') ? ZONE_BOUNDS : (BOUNDS[name] ?? USUAL_BOUNDS));

/** Rows of a case that the fit reads. Lines that explain are always among them. */
const MOST_ROWS = 260;

function withFewerRows(one: Example): Example {
  const { length } = one.rows;
  if (length <= MOST_ROWS) return one;
  const half = MOST_ROWS / 2;
  const isKept = (_: unknown, i: number) => one.explains[i] || i < half || (i * 7919) % length < half;
  return {
    ...one,
    rows: one.rows.filter(isKept),
    explains: one.explains.filter(isKept),
    names: one.names.filter(isKept),
  };
}

export function chancesOf({ rows }: Example, weights: Float64Array): number[] {
  return rows.map((row) => dot(row, weights));
}

function dot(features: Float64Array, weights: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < features.length; i++) sum += features[i]! * weights[i]!;
  return sum;
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
  const errors = errorsOf(
    rows.map((row) => dot(row, scaled)),
    explains,
    leftOut,
  );
  for (const [i, row] of rows.entries()) {
    const wrong = errors[i]!;
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
