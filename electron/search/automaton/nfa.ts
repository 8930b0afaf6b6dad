/**
 * Builds an expression's nondeterministic automaton over characters (K. Thompson, 1968). Assertions are nodes;
 * counted repetitions are unrolled.
 */
import type { AST } from '@eslint-community/regexpp';
import { charsetOf, charsetOfCharacter, type Ranges, unionOf } from './alphabet.ts';

/** Limit, since each new state takes time in proportion to the nodes. */
const MAX_NODES = 20_000;
/**
 * Up to so many required repetitions come after the optional ones. With more, rows have too many sets, and
 * simulation.ts reads the lines: for it the required ones come first, as most lines end before the optional ones.
 */
const FEW_REPEATED = 16;

export const NODE_KIND = {
  char: 0,
  split: 1,
  accept: 2,
  lineStart: 3,
  lineEnd: 4,
  word: 5,
  notWord: 6,
} as const;

export interface Nfa {
  /** One of `NODE_KIND` for each node. */
  readonly kinds: readonly number[];
  /** The character set of each `char` node: an index into `sets`. */
  readonly setOf: readonly number[];
  /** The nodes that each node leads to. */
  readonly edges: readonly (readonly number[])[];
  readonly start: number;
  readonly sets: readonly Ranges[];
  /** Word characters; null if no assertion needs them. */
  readonly word: Ranges | null;
  /**
   * True if it matches exactly what the expression matches. Otherwise it matches more: lookaround is left out, a
   * backreference matches any text, and repetitions beyond `MAX_NODES` are unbounded.
   */
  readonly exact: boolean;
}

/** Returns null for syntax that is not supported here. */
export function buildNfa(pattern: AST.Pattern, flags: string): Nfa | null {
  for (const unrolled of [true, false]) {
    const builder = new Builder(flags, unrolled);
    try {
      return builder.build(pattern);
    } catch (error) {
      if (error === UNKNOWN) return null;
      if (error !== TOO_LARGE) throw error;
    }
  }
  return null;
}

/** An element that matches one character. */
type Single = AST.Character | AST.CharacterSet | AST.CharacterClass;

const TOO_LARGE = new Error('too many nodes');
const UNKNOWN = new Error('unknown syntax');

/** The nodes of an automaton that is being built, from the last to the first. */
export class Nodes {
  readonly #most: number;
  readonly #excess: Error;
  readonly #setIds = new Map<string, number>();
  readonly made = {
    kinds: [] as number[],
    setOf: [] as number[],
    edges: [] as number[][],
    sets: [] as Ranges[],
  };

  /** `excess` is thrown for more than `most` nodes. */
  constructor(most: number, excess: Error) {
    this.#most = most;
    this.#excess = excess;
  }

  add(kind: number, edges: number[], set = -1): number {
    const { kinds, setOf } = this.made;
    if (kinds.length >= this.#most) throw this.#excess;
    this.made.edges.push(edges);
    setOf.push(set);
    return kinds.push(kind) - 1;
  }

  /** Adds a node for one character. Nodes with the same `key` share a set. */
  addChar(key: string, next: number, ranges: () => Ranges): number {
    let set = this.#setIds.get(key);
    if (set === undefined) {
      set = this.made.sets.push(ranges()) - 1;
      this.#setIds.set(key, set);
    }
    return this.add(NODE_KIND.char, [next], set);
  }
}

class Builder {
  readonly #flags: string;
  readonly #unrolled: boolean;
  readonly #nodes = new Nodes(MAX_NODES, TOO_LARGE);
  #asksForWords = false;
  #exact = true;

  constructor(flags: string, unrolled: boolean) {
    this.#flags = flags;
    this.#unrolled = unrolled;
    this.#exact = unrolled;
  }

  build(pattern: AST.Pattern): Nfa {
    const accept = this.#nodes.add(NODE_KIND.accept, []);
    const start = this.#alternatives(pattern.alternatives, accept);
    return {
      ...this.#nodes.made,
      start,
      word: this.#asksForWords ? charsetOf('\\w', this.#flags) : null,
      exact: this.#exact,
    };
  }

  #alternatives(alternatives: readonly AST.Alternative[], next: number): number {
    const [single, others] = divided(alternatives);
    const starts = others.map(({ elements }) =>
      elements.reduceRight((after, element) => this.#element(element, after), next),
    );
    if (single.length > 0) {
      const key = single.map(keyOf).join('|');
      starts.push(
        this.#nodes.addChar(key, next, () => unionOf(single.map((one) => rangesOf(one, this.#flags)))),
      );
    }
    return starts.length === 1 ? starts[0]! : this.#nodes.add(NODE_KIND.split, starts);
  }

  /** Adds the element's nodes, which lead on to `next`; returns the first. */
  #element(element: AST.Element, next: number): number {
    switch (element.type) {
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
        return this.#nodes.addChar(keyOf(element), next, () => rangesOf(element, this.#flags));
      case 'Group':
        if (element.modifiers) throw UNKNOWN;
        return this.#alternatives(element.alternatives, next);
      case 'CapturingGroup':
        return this.#alternatives(element.alternatives, next);
      case 'Quantifier':
        return this.#quantifier(element, next);
      case 'Assertion':
        return this.#assertion(element, next);
      case 'Backreference':
        this.#exact = false;
        return this.#loop(
          (loop) => this.#nodes.addChar('[^]', loop, () => charsetOf('[^]', this.#flags)),
          next,
          true,
        );
      default:
        throw UNKNOWN;
    }
  }

  #quantifier({ element, min, max }: AST.Quantifier, next: number): number {
    if (max === 0) return next;
    const body = (after: number) => this.#element(element, after);
    if (!this.#unrolled && max > 1) return this.#loop(body, next, min === 0);
    if (max === Number.POSITIVE_INFINITY) return repeated(this.#loop(body, next, min === 0), min - 1);
    if (min > FEW_REPEATED) return repeated(this.#upTo(body, next, max - min), min);
    // With the optional ones in front, the active nodes are a few intervals, so there are few sets.
    return this.#upTo(body, repeated(next, min), max - min);

    function repeated(start: number, times: number): number {
      let first = start;
      for (let i = 0; i < times; i += 1) first = body(first);
      return first;
    }
  }

  /** Up to `times` repetitions, all of which may begin at once: later steps lead to one node each. */
  #upTo(body: (after: number) => number, next: number, times: number): number {
    if (times === 0) return next;
    const starts = [next];
    for (let i = 0; i < times; i += 1) starts.unshift(body(starts[0]!));
    return this.#nodes.add(NODE_KIND.split, starts);
  }

  #loop(body: (after: number) => number, next: number, optional: boolean): number {
    const again: number[] = [];
    const loop = this.#nodes.add(NODE_KIND.split, again);
    const start = body(loop);
    again.push(start, next);
    return optional ? loop : start;
  }

  #assertion(assertion: AST.Assertion, next: number): number {
    if (assertion.kind === 'start') return this.#nodes.add(NODE_KIND.lineStart, [next]);
    if (assertion.kind === 'end') return this.#nodes.add(NODE_KIND.lineEnd, [next]);
    if (assertion.kind === 'word') {
      // In Unicode mode, V8 finds `\B` between the halves of a surrogate pair.
      if (!assertion.negate || !this.#flags.includes('u')) {
        this.#asksForWords = true;
        return this.#nodes.add(assertion.negate ? NODE_KIND.notWord : NODE_KIND.word, [next]);
      }
    }
    this.#exact = false;
    return next;
  }
}

export function keyOf(single: Single): string {
  return single.type === 'Character' ? `c${single.value}` : single.raw;
}

export function rangesOf(single: Single, flags: string): Ranges {
  if (single.type === 'Character') return charsetOfCharacter(single.value, flags);
  if (single.type === 'CharacterClass' && single.unicodeSets) throw UNKNOWN;
  return charsetOf(single.raw, flags);
}

/** Returns the alternatives that are one character each, and the others. */
function divided(alternatives: readonly AST.Alternative[]): [Single[], AST.Alternative[]] {
  const single: Single[] = [];
  const others: AST.Alternative[] = [];
  for (const alternative of alternatives) {
    const [first, ...more] = alternative.elements;
    if (first && more.length === 0 && isSingle(first)) single.push(first);
    else others.push(alternative);
  }
  return [single, others];
}

export function isSingle(element: AST.Element): element is Single {
  return ['Character', 'CharacterSet', 'CharacterClass'].includes(element.type);
}
