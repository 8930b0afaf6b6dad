/** Estimates how many ways V8 may try to match an expression at one place. */
import type { AST } from '@eslint-community/regexpp';
import { visitRegExpAST } from '@eslint-community/regexpp';

/** A repetition that may end in so many places lets V8 try each of them for each place of the one before. */
const WIDE = 10;

/**
 * Returns the degree of the polynomial in the text's length that bounds V8's steps; infinity if nested repetitions
 * make them exponential, as in `(a+)+` or `(?:a|ab)*`.
 */
export function backtrackingDegree(pattern: AST.Pattern): number {
  const repeats: boolean[] = [];
  let degree = 1;
  visitRegExpAST(pattern, {
    onQuantifierEnter({ min, max }) {
      if (min !== max && repeats.includes(true)) degree = Number.POSITIVE_INFINITY;
      if (max - min >= WIDE) degree += 1;
      repeats.push(max > 1);
    },
    onQuantifierLeave() {
      repeats.pop();
    },
    onGroupEnter: choose,
    onCapturingGroupEnter: choose,
  });
  return degree;

  function choose({ alternatives }: AST.Group | AST.CapturingGroup): void {
    if (alternatives.length > 1 && repeats.includes(true)) degree = Number.POSITIVE_INFINITY;
  }
}
