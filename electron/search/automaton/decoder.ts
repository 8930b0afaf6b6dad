/**
 * Builds a tree that decodes UTF-8 from a character's first byte to its class. Equal branches share a node, so
 * `[^x]` takes a dozen nodes. Invalid UTF-8 has no branch.
 */
import { type Alphabet, intervalOf } from './alphabet.ts';

/** A byte that continues no character. */
export const INVALID = -1;
/** A C1 control. */
export const CONTROL = 0xffff;
/** A character of two UTF-16 units (`Alphabet.pair`). */
export const PAIR = 0xfffe;

/** A class (0 and above, or `CONTROL` or `PAIR`), `INVALID`, or a node: -2 minus its number. */
type Branch = number;

export interface Utf8Tree {
  /** Branches by a character's first byte. */
  readonly first: Int32Array;
  /** Nodes of 64 branches each, by the low six bits of the next byte. */
  readonly nodes: readonly Int32Array[];
}

export function nodeOf(branch: Branch): number {
  return -2 - branch;
}

/** With `controls`, C1 controls lead to `CONTROL`. */
export function utf8Tree(alphabet: Alphabet, controls: boolean): Utf8Tree {
  const builder = new TreeBuilder(alphabet, controls);
  const first = new Int32Array(256).fill(INVALID);
  for (let byte = 0; byte < 0x80; byte += 1) first[byte] = builder.symbol(byte);
  for (let byte = 0xc2; byte <= 0xdf; byte += 1) first[byte] = builder.node((byte & 0x1f) << 6, 1, 0, 63);
  for (let byte = 0xe0; byte <= 0xef; byte += 1) {
    // Overlong forms and halves of surrogate pairs are invalid.
    const [from, to] = [byte === 0xe0 ? 0x20 : 0, byte === 0xed ? 0x1f : 63];
    first[byte] = builder.node((byte & 0x0f) << 12, 64, from, to);
  }
  for (let byte = 0xf0; byte <= 0xf4; byte += 1) {
    const [from, to] = [byte === 0xf0 ? 0x10 : 0, byte === 0xf4 ? 0x0f : 63];
    first[byte] = builder.node((byte & 0x07) << 18, 4096, from, to);
  }
  return { first, nodes: builder.nodes };
}

class TreeBuilder {
  readonly nodes: Int32Array[] = [];
  readonly #alphabet: Alphabet;
  readonly #controls: boolean;
  readonly #known = new Map<string, Branch>();

  constructor(alphabet: Alphabet, controls: boolean) {
    this.#alphabet = alphabet;
    this.#controls = controls;
  }

  symbol(character: number): number {
    if (this.#controls && character >= 0x80 && character < 0xa0) return CONTROL;
    if (character > 0xffff && this.#alphabet.pair) return PAIR;
    return this.#alphabet.classes[intervalOf(this.#alphabet.bounds, character)]!;
  }

  /**
   * Returns a node for the characters from `start` on, with `each` characters in each of its 64 branches. Only the
   * branches from `from` to `to` are valid.
   */
  node(start: number, each: number, from: number, to: number): Branch {
    const { bounds, pair } = this.#alphabet;
    const least = start + from * each;
    const end = start + (to + 1) * each;
    const uniform = (least > 0xffff && pair !== null) || bounds[intervalOf(bounds, least) + 1]! >= end;
    // All branches are alike, so nodes of this class and size can be shared.
    const short = uniform ? `${this.symbol(least)}:${each}:${from}:${to}` : null;
    const before = short === null ? undefined : this.#known.get(short);
    if (before !== undefined) return before;
    const branches = new Int32Array(64).fill(INVALID);
    for (let i = from; i <= to; i += 1) {
      const first = start + i * each;
      branches[i] = each === 1 ? this.symbol(first) : this.node(first, each / 64, 0, 63);
    }
    const key = branches.join();
    const branch = this.#known.get(key) ?? -2 - (this.nodes.push(branches) - 1);
    this.#known.set(key, branch);
    if (short !== null) this.#known.set(short, branch);
    return branch;
  }
}
