/**
 * Makes sets of the automaton's nodes when they are reached: the subset construction, one step at a time. A set
 * holds all nodes that may be active between two characters of a line.
 */
import { type Alphabet, classOf, PAIR, REPLACEMENT } from './alphabet.ts';
import { type Nfa, NODE_KIND } from './nfa.ts';

/** The set reached once the line has matched; it never changes again. */
export const MATCHED = 0;

interface Subset extends UnderWay {
  /** Rising; without those of `again`, which every set has. They are many if an expression has many alternatives. */
  readonly nodes: Int32Array;
  /** The next set for each class; -1 until it is computed. */
  readonly next: Int32Array;
  /** Whether the line matches if it ends here; null until it is computed. */
  matchesAtEnd: boolean | null;
}

/** Limit on the numbers kept for all sets, before the caller must clear them. */
const MAX_KEPT = 2_000_000;

export class Subsets {
  readonly #nfa: Nfa;
  readonly #alphabet: Alphabet;
  readonly #replacement: number;
  readonly #reach: Reach;
  readonly #subsets: Subset[] = [];
  readonly #known = new Map<string, number>();
  /** Nodes where a match may begin after any character; null if it ends there, too. */
  readonly #again: readonly number[] | null;
  readonly #isAgain: Uint8Array;
  readonly #againPends: boolean;
  /** Where these lead, by class and what is before; null where the expression has matched. */
  readonly #fromAgain = new Map<number, readonly number[] | null>();
  #kept = 0;
  /** The set at a line's start. */
  start = MATCHED;
  /** The set of no nodes, from which the line can't match any more. */
  dead = MATCHED;

  constructor(nfa: Nfa, alphabet: Alphabet) {
    this.#nfa = nfa;
    this.#alphabet = alphabet;
    this.#replacement = classOf(alphabet, REPLACEMENT);
    this.#reach = new Reach(nfa, alphabet);
    this.#again = this.#reach.again();
    this.#isAgain = new Uint8Array(nfa.kinds.length);
    for (const node of this.#again ?? []) this.#isAgain[node] = 1;
    this.#againPends = (this.#again ?? []).some((node) => nfa.kinds[node] !== NODE_KIND.char);
    this.clear([]);
  }

  /** True when the sets take so much memory that the caller must clear them. */
  get full(): boolean {
    return this.#kept > MAX_KEPT;
  }

  /** Forgets all sets but `needed`; returns their new numbers. */
  clear(needed: readonly number[]): number[] {
    const kept = needed.map((set) => this.#subsets[set]!);
    this.#subsets.length = 0;
    this.#known.clear();
    this.#kept = 0;
    this.#add(new Int32Array(), false, false);
    this.start = this.#intern(this.#reach.first(), false, true);
    // Where a match may begin anywhere, no state leads there.
    this.dead =
      this.#again?.length === 0 ? this.#intern([], false, false) : this.#add(new Int32Array(), false, false);
    return kept.map(({ nodes, behindWord, atLineStart }, i) =>
      needed[i] === MATCHED ? MATCHED : this.#intern(nodes, behindWord, atLineStart),
    );
  }

  /** Returns the set after a character: one of a class, or `PAIR`. */
  step(set: number, symbol: number): number {
    if (symbol !== PAIR) return this.#stepClass(set, symbol);
    const { high, low } = this.#alphabet.pair!;
    return this.#stepClass(this.#stepClass(set, high), low);
  }

  /** Returns the set after U+FFFD. */
  stepReplacement(set: number): number {
    return this.#stepClass(set, this.#replacement);
  }

  matchesAtEnd(set: number): boolean {
    const subset = this.#subsets[set]!;
    if (subset.matchesAtEnd === null) {
      const nodes = [...subset.nodes, ...(this.#again ?? [])];
      subset.matchesAtEnd = this.#reach.decided({ ...subset, nodes }, false, true) === null;
    }
    return subset.matchesAtEnd;
  }

  #stepClass(set: number, symbol: number): number {
    if (set === MATCHED) return MATCHED;
    const subset = this.#subsets[set]!;
    const known = subset.next[symbol]!;
    if (known >= 0) return known;
    const next = this.#intern(this.#after(subset, symbol), this.#alphabet.word[symbol] === 1, false);
    subset.next[symbol] = next;
    return next;
  }

  /** Returns the nodes after a character of the class, maybe twice; null when the expression has matched. */
  #after(subset: Subset, symbol: number): number[] | null {
    const nodes = this.#again && this.#reach.advance(subset, symbol);
    const { behindWord, atLineStart } = subset;
    const key = symbol * 4 + Number(behindWord) * 2 + Number(atLineStart);
    let begun = this.#fromAgain.get(key);
    if (begun === undefined) {
      begun = this.#reach.advance({ nodes: this.#again ?? [], behindWord, atLineStart }, symbol);
      this.#fromAgain.set(key, begun);
    }
    return nodes && begun && [...nodes, ...begun];
  }

  /** Returns the set with these nodes, in any order; `MATCHED` for null. */
  #intern(nodes: Iterable<number> | null, behindWord: boolean, atLineStart: boolean): number {
    if (nodes === null) return MATCHED;
    const own = new Set<number>();
    for (const node of nodes) if (this.#isAgain[node] === 0) own.add(node);
    const sorted = Int32Array.from(own).sort();
    // Only assertions depend on the character before.
    const pending = this.#againPends || sorted.some((node) => this.#nfa.kinds[node] !== NODE_KIND.char);
    const flags = pending ? (behindWord ? 1 : 0) + (atLineStart ? 2 : 0) : 0;
    const key = flags + keyOf(sorted);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const set = this.#add(sorted, (flags & 1) !== 0, (flags & 2) !== 0);
    this.#known.set(key, set);
    return set;
  }

  #add(nodes: Int32Array, behindWord: boolean, atLineStart: boolean): number {
    const next = new Int32Array(this.#alphabet.size).fill(-1);
    this.#kept += nodes.length + next.length + 16;
    return this.#subsets.push({ nodes, behindWord, atLineStart, next, matchesAtEnd: null }) - 1;
  }
}

/** Returns the nodes as a string; node numbers are below 2^16. */
function keyOf(nodes: Int32Array): string {
  let key = '';
  for (let at = 0; at < nodes.length; at += 4096)
    key += String.fromCharCode(...nodes.subarray(at, at + 4096));
  return key;
}

// Walks the nondeterministic automaton: returns the nodes that other nodes reach, by a character.

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
