/** Measures by cross-validation how a model does on failures that it was not fitted to. */
import { namedLine, showsOneOf } from '../../fixtures/reader/failures.ts';
import type { Example } from './examples.ts';
import { familyOf } from './families.ts';
import { chancesOf, modelsFor } from './fit.ts';

export const BUDGETS_BYTES = [1024, 2048, 4096, 8192];
const FOLDS = 5;

/** Counts of a set: failures, right causes named, and right causes shown at each budget. */
export interface Tally {
  cases: number;
  named: number;
  shown: number[];
  /** At the smallest budget. */
  missed: string[];
}

export function crossValidated(examples: readonly Example[]): Map<string, Tally> {
  const families = [...new Set(examples.map(familyOf))].sort((a, b) => hashOf(a) - hashOf(b));
  const tallies = new Map<string, Tally>();
  for (let fold = 0; fold < FOLDS; fold++) {
    const left = new Set(families.filter((_, i) => i % FOLDS === fold));
    const models = modelsFor(examples.filter((one) => !left.has(familyOf(one))));
    tally(
      examples.filter((one) => left.has(familyOf(one))),
      models,
      tallies,
    );
  }
  return tallies;
}

export function tally(
  examples: readonly Example[],
  models: ReturnType<typeof modelsFor>,
  into = new Map<string, Tally>(),
) {
  for (const one of examples) {
    const of = into.get(one.set) ?? { cases: 0, named: 0, shown: BUDGETS_BYTES.map(() => 0), missed: [] };
    into.set(one.set, of);
    const explanation = one.explanationBy(chancesOf(one, models.shown), chancesOf(one, models.named));
    of.cases++;
    if (one.log.names(namedLine(explanation))) of.named++;
    const shown = BUDGETS_BYTES.map((budget) => showsOneOf(explanation, one.log.explains, budget));
    for (const [i, is] of shown.entries()) if (is) of.shown[i]!++;
    if (!shown[0]) of.missed.push(one.id);
  }
  return into;
}

function hashOf(text: string): number {
  let hash = 7;
  for (const character of text) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0;
  return hash;
}
