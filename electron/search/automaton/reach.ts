/** Walks the nondeterministic automaton: returns the nodes that other nodes reach, by a character. */
import type { Alphabet } from './alphabet.ts';
import { type Nfa, NODE_KIND } from './nfa.ts';

/** The state of the nondeterministic automaton between two characters. */
export interface UnderWay {
  /** Nodes that wait for a character, and assertions that the next character decides. */
  readonly nodes: Iterable<number>;
  /** True after a word character. */
  readonly behindWord: boolean;
  readonly atLineStart: boolean;
}

export class Reach {
  readonly #nfa: Nfa;
  readonly #alphabet: Alphabet;
  readonly #seen: Uint32Array;
  #stamp = 0;

  constructor(nfa: Nfa, alphabet: Alphabet) {
    this.#nfa = nfa;
    this.#alphabet = alphabet;
    this.#seen = new Uint32Array(nfa.kinds.length);
  }

  /** Returns the nodes at a line's start; null when the expression has matched. */
  first(): number[] | null {
    const nodes: number[] = [];
    this.#stamp += 1;
    return this.#collect(this.#nfa.start, nodes, true) ? null : nodes;
  }

  /** Returns the nodes where a match may begin after a character; null when it ends there, too. */
  again(): number[] | null {
    const nodes: number[] = [];
    this.#stamp += 1;
    return this.#collect(this.#nfa.start, nodes, false) ? null : nodes;
  }

  /** Returns the nodes after a node that has read its character; null when the expression has matched. */
  after(node: number): number[] | null {
    const nodes: number[] = [];
    this.#stamp += 1;
    return this.#collect(this.#nfa.edges[node]![0]!, nodes, false) ? null : nodes;
  }

  /**
   * Returns the nodes after a character of the class, without those where a match begins; null when the expression has
   * matched.
   */
  advance(from: UnderWay, symbol: number): number[] | null {
    const { kinds, setOf, edges } = this.#nfa;
    const now = this.decided(from, this.#alphabet.word[symbol] === 1, false);
    if (now === null) return null;
    const next: number[] = [];
    this.#stamp += 1;
    for (const node of now) {
      if (kinds[node] !== NODE_KIND.char || this.#alphabet.members[setOf[node]!]![symbol] === 0) continue;
      if (this.#collect(edges[node]![0]!, next, false)) return null;
    }
    return next;
  }

  /**
   * Decides pending assertions by what follows. Returns the nodes that wait for a character; null when the
   * expression has matched.
   */
  decided({ nodes, behindWord, atLineStart }: UnderWay, isWord: boolean, atEnd: boolean): number[] | null {
    const { kinds, edges } = this.#nfa;
    const isBoundary = behindWord !== isWord;
    const characters: number[] = [];
    const queue = [...nodes];
    this.#stamp += 1;
    for (const node of queue) this.#seen[node] = this.#stamp;
    for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
      const kind = kinds[node]!;
      if (kind === NODE_KIND.char) characters.push(node);
      else if (kind === NODE_KIND.lineEnd ? atEnd : isBoundary === (kind === NODE_KIND.word)) {
        if (this.#collect(edges[node]![0]!, queue, atLineStart)) return null;
      }
    }
    return characters;
  }

  /** Adds the nodes reached without a character; returns true when these include the expression's end. */
  #collect(from: number, into: number[], atLineStart: boolean): boolean {
    const { kinds, edges } = this.#nfa;
    const stack = [from];
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (this.#seen[node] === this.#stamp) continue;
      this.#seen[node] = this.#stamp;
      const kind = kinds[node];
      if (kind === NODE_KIND.accept) return true;
      if (kind === NODE_KIND.split || (kind === NODE_KIND.lineStart && atLineStart)) {
        for (const edge of edges[node]!) stack.push(edge);
      } else if (kind !== NODE_KIND.lineStart) into.push(node);
    }
    return false;
  }
}
