/**
 * Turns an automaton into one whose states are positions: one for each character it waits for, one for a line's start
 * and one for the end of a match (V. Glushkov, 1961). Neighbours in the expression are neighbours here, so that
 * most steps are shifts of bits.
 */
import type { Alphabet } from '../alphabet.ts';
import { type Nfa, NODE_KIND } from '../nfa.ts';

/** The surroundings of a place between two characters. */
export interface Around {
  atLineStart: boolean;
  behindWord: boolean;
  beforeWord: boolean;
  atLineEnd: boolean;
}

/** The positions that may read the next character, rising. */
type Successors = readonly number[];

export interface Positions {
  readonly count: number;
  /** The position that a match leads to; it stays. It is the last. */
  readonly accept: number;
  /** For each position: a 1 for each class of characters that it reads. */
  readonly members: readonly Uint8Array[];
  /** Returns where a position leads (0 is a line's start), for null where a match may begin. */
  after(position: number | null, around: Around): Successors;
}

export const VECTOR_BITS = 128;
/** Limit on the positions; with more, a step takes longer than reading the lines one by one. */
const MAX_POSITIONS = 2048;

/** Returns how many vectors hold a bit for each position; null for too many. */
export function vectorsOf({ kinds }: Nfa): number | null {
  const count = kinds.filter((kind) => kind === NODE_KIND.char).length + 2;
  return count > MAX_POSITIONS ? null : Math.ceil(count / VECTOR_BITS);
}

/** Returns null for an automaton with too many positions. */
export function positionsOf(nfa: Nfa, alphabet: Alphabet): Positions | null {
  const { kinds, setOf, edges } = nfa;
  // Nodes were made from the expression's end to its beginning; the first is `accept`.
  const nodes = [...kinds.keys()].filter((node) => kinds[node] === NODE_KIND.char).reverse();
  if (vectorsOf(nfa) === null) return null;
  const count = nodes.length + 2;
  const accept = count - 1;
  const positionOf = new Map(nodes.map((node, i) => [node, i + 1]));
  const all = new Uint8Array(alphabet.size).fill(1);
  const none = new Uint8Array(alphabet.size);
  const known = new Map<string, Successors>();

  function closure(from: number, around: Around): Successors {
    const key = [from, ...Object.values(around).map(Number)].join();
    const before = known.get(key);
    if (before) return before;
    const seen = new Set([from]);
    for (const node of seen) {
      if (passes(kinds[node]!, around)) for (const edge of edges[node]!) seen.add(edge);
    }
    const found = [...seen].flatMap((node) =>
      kinds[node] === NODE_KIND.accept ? [accept] : (positionOf.get(node) ?? []),
    );
    const successors = found.sort((a, b) => a - b);
    known.set(key, successors);
    return successors;
  }

  return {
    count,
    accept,
    members: [none, ...nodes.map((node) => alphabet.members[setOf[node]!]!), all],
    after(position, around) {
      if (position === accept) return [accept];
      const from = position === null || position === 0 ? nfa.start : edges[nodes[position - 1]!]![0]!;
      return closure(from, around);
    },
  };
}

function passes(kind: number, { atLineStart, behindWord, beforeWord, atLineEnd }: Around): boolean {
  switch (kind) {
    case NODE_KIND.split:
      return true;
    case NODE_KIND.lineStart:
      return atLineStart;
    case NODE_KIND.lineEnd:
      return atLineEnd;
    case NODE_KIND.word:
      return behindWord !== beforeWord;
    case NODE_KIND.notWord:
      return behindWord === beforeWord;
    default:
      return false;
  }
}
