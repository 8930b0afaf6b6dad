/**
 * Makes sets of the automaton's nodes as they are reached: the subset construction, one step at a time. A set is everything
 * that may be under way between two characters of a line.
 */
import { type Alphabet, classOf, REPLACEMENT } from './alphabet.ts';
import { PAIR } from './decoder.ts';
import { KIND, type Nfa } from './nfa.ts';
import { Reach, type UnderWay } from './reach.ts';

/** The set in which the line has matched, whatever follows. */
export const MATCHED = 0;

interface Subset extends UnderWay {
  readonly nodes: Int32Array;
  /** By class: the next set, -1 while it is not known. */
  readonly next: Int32Array;
  /** Whether the line matches if it ends here; null while it is not known. */
  matchesAtEnd: boolean | null;
}

/** Numbers kept for all sets together: beyond that they should be forgotten. */
const MAX_KEPT = 2_000_000;

export class Subsets {
  readonly #nfa: Nfa;
  readonly #alphabet: Alphabet;
  readonly #replacement: number;
  readonly #reach: Reach;
  readonly #subsets: Subset[] = [];
  readonly #known = new Map<string, number>();
  #kept = 0;
  /** The set with which a line begins. */
  start = MATCHED;

  constructor(nfa: Nfa, alphabet: Alphabet) {
    this.#nfa = nfa;
    this.#alphabet = alphabet;
    this.#replacement = classOf(alphabet, REPLACEMENT);
    this.#reach = new Reach(nfa, alphabet);
    this.clear([]);
  }

  /** There are so many sets, or such large ones, that they should be forgotten. */
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
    return kept.map(({ nodes, behindWord, atLineStart }, i) =>
      needed[i] === MATCHED ? MATCHED : this.#intern(nodes, behindWord, atLineStart),
    );
  }

  /** The set behind a character: one of a class, or `PAIR`. */
  step(set: number, symbol: number): number {
    if (symbol !== PAIR) return this.#stepClass(set, symbol);
    const { high, low } = this.#alphabet.pair!;
    return this.#stepClass(this.#stepClass(set, high), low);
  }

  /** The set behind U+FFFD. */
  stepReplacement(set: number): number {
    return this.#stepClass(set, this.#replacement);
  }

  matchesAtEnd(set: number): boolean {
    const subset = this.#subsets[set]!;
    subset.matchesAtEnd ??= this.#reach.decided(subset, false, true) === null;
    return subset.matchesAtEnd;
  }

  #stepClass(set: number, symbol: number): number {
    if (set === MATCHED) return MATCHED;
    const subset = this.#subsets[set]!;
    const known = subset.next[symbol]!;
    if (known >= 0) return known;
    const nodes = this.#reach.step(subset, symbol);
    const next = this.#intern(nodes, this.#alphabet.word[symbol] === 1, false);
    subset.next[symbol] = next;
    return next;
  }

  /** The number of the set with these nodes, rising or not; null is `MATCHED`. */
  #intern(nodes: ArrayLike<number> | null, behindWord: boolean, atLineStart: boolean): number {
    if (nodes === null) return MATCHED;
    const sorted = Int32Array.from(nodes).sort();
    // Only assertions depend on the character before.
    const pending = sorted.some((node) => this.#nfa.kinds[node] !== KIND.char);
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

/** Nodes have numbers below 2^16. */
function keyOf(nodes: Int32Array): string {
  let key = '';
  for (let at = 0; at < nodes.length; at += 4096)
    key += String.fromCharCode(...nodes.subarray(at, at + 4096));
  return key;
}
