/**
 * Builds an expression's nondeterministic automaton over characters (K. Thompson, 1968). Assertions are nodes;
 * counted repetitions are unrolled.
 */
import type { AST } from '../query/parse.ts';
import { charsetOf, charsetOfCharacter, type Ranges } from './charsets.ts';

/** Limit, since each new state takes time in proportion to the nodes. */
const MAX_NODES = 20_000;

export const KIND = { char: 0, split: 1, accept: 2, lineStart: 3, lineEnd: 4, word: 5, notWord: 6 } as const;

export interface Nfa {
  /** One of `KIND` for each node. */
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

const TOO_LARGE = new Error('too many nodes');
const UNKNOWN = new Error('unknown syntax');

class Builder {
  readonly #flags: string;
  readonly #unrolled: boolean;
  readonly #kinds: number[] = [];
  readonly #setOf: number[] = [];
  readonly #edges: number[][] = [];
  readonly #sets: Ranges[] = [];
  readonly #setIds = new Map<string, number>();
  #asksForWords = false;
  #exact = true;

  constructor(flags: string, unrolled: boolean) {
    this.#flags = flags;
    this.#unrolled = unrolled;
    this.#exact = unrolled;
  }

  build(pattern: AST.Pattern): Nfa {
    const accept = this.#node(KIND.accept, []);
    const start = this.#alternatives(pattern.alternatives, accept);
    return {
      kinds: this.#kinds,
      setOf: this.#setOf,
      edges: this.#edges,
      start,
      sets: this.#sets,
      word: this.#asksForWords ? charsetOf('\\w', this.#flags) : null,
      exact: this.#exact,
    };
  }

  #node(kind: number, edges: number[], set = -1): number {
    if (this.#kinds.length >= MAX_NODES) throw TOO_LARGE;
    this.#edges.push(edges);
    this.#setOf.push(set);
    return this.#kinds.push(kind) - 1;
  }

  #alternatives(alternatives: readonly AST.Alternative[], next: number): number {
    const starts = alternatives.map(({ elements }) =>
      elements.reduceRight((after, element) => this.#element(element, after), next),
    );
    return starts.length === 1 ? starts[0]! : this.#node(KIND.split, starts);
  }

  /** Adds the element's nodes, which lead on to `next`; returns the first. */
  #element(element: AST.Element, next: number): number {
    switch (element.type) {
      case 'Character':
        return this.#char(`c${element.value}`, next, () => charsetOfCharacter(element.value, this.#flags));
      case 'CharacterSet':
        return this.#char(element.raw, next, () => charsetOf(element.raw, this.#flags));
      case 'CharacterClass':
        if (element.unicodeSets) throw UNKNOWN;
        return this.#char(element.raw, next, () => charsetOf(element.raw, this.#flags));
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
        return this.#loop((loop) => this.#char('[^]', loop, () => charsetOf('[^]', this.#flags)), next, true);
      default:
        throw UNKNOWN;
    }
  }

  #char(key: string, next: number, ranges: () => Ranges): number {
    let set = this.#setIds.get(key);
    if (set === undefined) {
      set = this.#sets.push(ranges()) - 1;
      this.#setIds.set(key, set);
    }
    return this.#node(KIND.char, [next], set);
  }

  #quantifier({ element, min, max }: AST.Quantifier, next: number): number {
    if (max === 0) return next;
    const body = (after: number) => this.#element(element, after);
    if (!this.#unrolled && max > 1) return this.#loop(body, next, min === 0);
    let start = next;
    let required = min;
    if (max === Number.POSITIVE_INFINITY) {
      start = this.#loop(body, next, min === 0);
      required -= 1;
    }
    for (let i = 0; i < required; i += 1) start = body(start);
    if (max === Number.POSITIVE_INFINITY || min === max) return start;
    // What may be left out comes first, so that all that is active later are intervals: `a.{50,100}b` then has thousands
    // of sets, and otherwise as many as fifty bits have values.
    const starts = [start];
    for (let i = min; i < max; i += 1) {
      start = body(start);
      starts.unshift(start);
    }
    return this.#node(KIND.split, starts);
  }

  #loop(body: (after: number) => number, next: number, optional: boolean): number {
    const again: number[] = [];
    const loop = this.#node(KIND.split, again);
    const start = body(loop);
    again.push(start, next);
    return optional ? loop : start;
  }

  #assertion(assertion: AST.Assertion, next: number): number {
    if (assertion.kind === 'start') return this.#node(KIND.lineStart, [next]);
    if (assertion.kind === 'end') return this.#node(KIND.lineEnd, [next]);
    if (assertion.kind === 'word') {
      // In Unicode mode, V8 finds `\B` between the halves of a surrogate pair.
      if (!assertion.negate || !this.#flags.includes('u')) {
        this.#asksForWords = true;
        return this.#node(assertion.negate ? KIND.notWord : KIND.word, [next]);
      }
    }
    this.#exact = false;
    return next;
  }
}
