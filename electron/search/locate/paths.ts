/**
 * Builds an expression's automaton with its paths in the order in which a JavaScript expression tries them. nfa.ts
 * builds the same without an order, which tells whether a line matches, but not where.
 */
import type { AST } from '@eslint-community/regexpp';
import { charsetOf } from '../automaton/charsets.ts';
import { isSingle, keyOf, type Nfa, NODE_KIND, Nodes, rangesOf } from '../automaton/nfa.ts';

/** Kinds of node beside `NODE_KIND`: before and after a round of a repetition, which must not be empty. */
export const ROUND_KIND = { begin: 7, end: 8 } as const;

/** Limit, since each character takes time in proportion to the nodes. */
const MAX_NODES = 3000;
/** Limit on repetitions within each other whose rounds could be empty. */
const MAX_DEPTH = 6;

export interface Paths extends Nfa {
  /** For a node of `ROUND_KIND`: how many such repetitions are around its own. */
  readonly depths: readonly number[];
  /** Most of these within each other. */
  readonly depth: number;
}

/** Returns null for expressions that are too large, or look around, or refer back. */
export function pathsOf(pattern: AST.Pattern, flags: string): Paths | null {
  const builder = new PathBuilder(flags);
  try {
    return builder.build(pattern);
  } catch (error) {
    if (error !== UNFIT) throw error;
    return null;
  }
}

const UNFIT = new Error('unfit');

class PathBuilder {
  readonly #flags: string;
  readonly #nodes = new Nodes(MAX_NODES, UNFIT);
  readonly #depths: number[] = [];
  #depth = 0;
  #deepest = 0;
  #asksForWords = false;

  constructor(flags: string) {
    this.#flags = flags;
  }

  build(pattern: AST.Pattern): Paths {
    const start = this.#alternatives(pattern.alternatives, this.#nodes.add(NODE_KIND.accept, []));
    return {
      ...this.#nodes.made,
      depths: this.#depths,
      start,
      word: this.#asksForWords ? charsetOf('\\w', this.#flags) : null,
      exact: true,
      depth: this.#deepest,
    };
  }

  #alternatives(alternatives: readonly AST.Alternative[], next: number): number {
    const starts = alternatives.map(({ elements }) =>
      elements.reduceRight((after, element) => this.#element(element, after), next),
    );
    return starts.length === 1 ? starts[0]! : this.#nodes.add(NODE_KIND.split, starts);
  }

  /** Adds the element's nodes, which lead on to `next`; returns the first. */
  #element(element: AST.Element, next: number): number {
    if (isSingle(element))
      return this.#nodes.addChar(keyOf(element), next, () => rangesOf(element, this.#flags));
    switch (element.type) {
      case 'Group':
        if (element.modifiers) throw UNFIT;
        return this.#alternatives(element.alternatives, next);
      case 'CapturingGroup':
        return this.#alternatives(element.alternatives, next);
      case 'Quantifier':
        return this.#quantifier(element, next);
      case 'Assertion':
        return this.#assertion(element, next);
      default:
        throw UNFIT;
    }
  }

  #quantifier({ element, min, max, greedy }: AST.Quantifier, next: number): number {
    if (max === 0) return next;
    const round = canBeEmpty(element)
      ? (after: number) => this.#round(element, after)
      : (after: number) => this.#element(element, after);
    const choice = (first: number) => (greedy ? [first, next] : [next, first]);
    let start = next;
    if (max === Number.POSITIVE_INFINITY) {
      const again: number[] = [];
      start = this.#nodes.add(NODE_KIND.split, again);
      again.push(...choice(round(start)));
    } else for (let i = min; i < max; i += 1) start = this.#nodes.add(NODE_KIND.split, choice(round(start)));
    // Rounds that are required may be empty.
    for (let i = 0; i < min; i += 1) start = this.#element(element, start);
    return start;
  }

  #round(element: AST.Element, after: number): number {
    if (this.#depth >= MAX_DEPTH) throw UNFIT;
    const end = this.#nodes.add(ROUND_KIND.end, [after]);
    this.#depths[end] = this.#depth;
    this.#depth += 1;
    this.#deepest = Math.max(this.#deepest, this.#depth);
    const body = this.#element(element, end);
    this.#depth -= 1;
    const begin = this.#nodes.add(ROUND_KIND.begin, [body]);
    this.#depths[begin] = this.#depth;
    return begin;
  }

  #assertion(assertion: AST.Assertion, next: number): number {
    if (assertion.kind === 'start') return this.#nodes.add(NODE_KIND.lineStart, [next]);
    if (assertion.kind === 'end') return this.#nodes.add(NODE_KIND.lineEnd, [next]);
    // In Unicode mode, V8 finds `\B` between the halves of a surrogate pair.
    if (assertion.kind !== 'word' || (assertion.negate && this.#flags.includes('u'))) throw UNFIT;
    this.#asksForWords = true;
    return this.#nodes.add(assertion.negate ? NODE_KIND.notWord : NODE_KIND.word, [next]);
  }
}

function canBeEmpty(element: AST.Element): boolean {
  switch (element.type) {
    case 'Group':
    case 'CapturingGroup':
      return element.alternatives.some(({ elements }) => elements.every(canBeEmpty));
    case 'Quantifier':
      return element.min === 0 || canBeEmpty(element.element);
    default:
      return element.type === 'Assertion';
  }
}
