/**
 * Simulates a small nondeterministic automaton with one bit for each character it waits for. A step takes a mask and
 * eight table lookups. After G. Navarro and M. Raffinot, Fast and simple character classes and bounded gaps pattern
 * matching, 2003.
 */
import type { Alphabet } from './alphabet.ts';
import { KIND, type Nfa } from './nfa.ts';

const MAX_BITS = 64;
const BYTES = MAX_BITS / 8;

export class BitSimulation {
  /** Two words for each class: the bits that wait for one of its characters. */
  readonly #members: Int32Array;
  /** Two words for each byte of the state and each of its values: the bits that follow. */
  readonly #follow = new Int32Array(BYTES * 256 * 2);
  /**
   * Two words each. `#first`: bits at the line's start. `#again`: bits to start a match elsewhere. `#accept`: bits
   * after which the expression has matched; `#acceptAtEnd`: bits after which it has matched if the line ends.
   */
  readonly #first: Int32Array;
  readonly #again: Int32Array;
  readonly #accept: Int32Array;
  readonly #acceptAtEnd: Int32Array;
  readonly #emptyMatches: boolean;

  private constructor(
    nfa: Nfa,
    alphabet: Alphabet,
    bitOf: ReadonlyMap<number, number>,
    links: readonly Link[],
  ) {
    this.#members = new Int32Array(alphabet.size * 2);
    for (const [node, bit] of bitOf) {
      const member = alphabet.members[nfa.setOf[node]!]!;
      for (const [symbol, isMember] of member.entries()) {
        if (isMember === 1) this.#members[symbol * 2 + (bit >> 5)]! |= 1 << (bit & 31);
      }
    }
    const masks = links.map(({ nodes }) => maskOf(nodes.map((node) => bitOf.get(node)!)));
    const [first, again, ...follow] = masks;
    this.#first = first!;
    this.#again = again!;
    for (let byte = 0; byte < BYTES * 256; byte += 1) {
      for (let i = 0; i < 8; i += 1) {
        const mask = (byte & (1 << i)) === 0 ? undefined : follow[(byte >> 8) * 8 + i];
        if (!mask) continue;
        this.#follow[byte * 2]! |= mask[0]!;
        this.#follow[byte * 2 + 1]! |= mask[1]!;
      }
    }
    const bitsWhere = (has: (link: Link) => boolean) =>
      maskOf(links.slice(2).flatMap((link, bit) => (has(link) ? [bit] : [])));
    this.#accept = bitsWhere((link) => link.accepts);
    this.#acceptAtEnd = bitsWhere((link) => link.accepts || link.acceptsAtEnd);
    this.#emptyMatches = links[0]!.acceptsAtEnd;
  }

  /** Returns null for an automaton that is too large, needs word boundaries, or matches everywhere. */
  static of(nfa: Nfa, alphabet: Alphabet): BitSimulation | null {
    if (nfa.word) return null;
    const characters = [...nfa.kinds.keys()].filter((node) => nfa.kinds[node] === KIND.char);
    if (characters.length > MAX_BITS) return null;
    const links = [
      linkOf(nfa, nfa.start, true),
      linkOf(nfa, nfa.start, false),
      ...characters.map((node) => linkOf(nfa, nfa.edges[node]![0]!, false)),
    ];
    // The general simulation handles empty matches.
    if (links[0]!.accepts || links[1]!.accepts || links[1]!.acceptsAtEnd) return null;
    return new BitSimulation(nfa, alphabet, new Map(characters.map((node, bit) => [node, bit])), links);
  }

  /** Returns whether the text matches; `classes` has the class of each UTF-16 unit. */
  matches(text: string, classes: Uint16Array): boolean {
    const [members, follow] = [this.#members, this.#follow];
    const [againLow, againHigh] = [this.#again[0]!, this.#again[1]!];
    const [acceptLow, acceptHigh] = [this.#accept[0]!, this.#accept[1]!];
    let [low, high] = [this.#first[0]!, this.#first[1]!];
    let [lastLow, lastHigh] = [0, 0];
    for (let at = 0; at < text.length; at += 1) {
      const symbol = classes[text.charCodeAt(at)]! * 2;
      lastLow = low & members[symbol]!;
      lastHigh = high & members[symbol + 1]!;
      if (((lastLow & acceptLow) | (lastHigh & acceptHigh)) !== 0) return true;
      low = againLow;
      high = againHigh;
      for (let word = lastLow, i = 0; word !== 0; word >>>= 8, i += 512) {
        low |= follow[i + (word & 255) * 2]!;
        high |= follow[i + (word & 255) * 2 + 1]!;
      }
      for (let word = lastHigh, i = 2048; word !== 0; word >>>= 8, i += 512) {
        low |= follow[i + (word & 255) * 2]!;
        high |= follow[i + (word & 255) * 2 + 1]!;
      }
    }
    if (text.length === 0) return this.#emptyMatches;
    return ((lastLow & this.#acceptAtEnd[0]!) | (lastHigh & this.#acceptAtEnd[1]!)) !== 0;
  }
}

/** The nodes that a node leads to without reading a character. */
interface Link {
  nodes: number[];
  accepts: boolean;
  acceptsAtEnd: boolean;
}

function linkOf(nfa: Nfa, from: number, atLineStart: boolean): Link {
  const { kinds, edges } = nfa;
  const nodes = reached([from], (kind) => kind === KIND.split || (kind === KIND.lineStart && atLineStart));
  const atEnd = reached(
    [from],
    (kind) => kind === KIND.split || kind === KIND.lineEnd || (kind === KIND.lineStart && atLineStart),
  );
  return {
    nodes: nodes.filter((node) => kinds[node] === KIND.char),
    accepts: nodes.some((node) => kinds[node] === KIND.accept),
    acceptsAtEnd: atEnd.some((node) => kinds[node] === KIND.accept),
  };

  function reached(queue: number[], passes: (kind: number) => boolean): number[] {
    const seen = new Set(queue);
    for (const node of seen) if (passes(kinds[node]!)) for (const edge of edges[node]!) seen.add(edge);
    return [...seen];
  }
}

function maskOf(bits: readonly number[]): Int32Array {
  const mask = new Int32Array(2);
  for (const bit of bits) mask[bit >> 5]! |= 1 << (bit & 31);
  return mask;
}
