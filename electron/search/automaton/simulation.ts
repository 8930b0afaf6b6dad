/**
 * Reads the text of single lines with a bit for each character that the expression may have read last: for expressions
 * with so many states that rows don't pay, such as `a.{200}b`. A character takes a few operations for each 32 of these
 * bits, whatever the text. After G. Navarro and M. Raffinot, Fast and simple character classes and bounded gaps pattern
 * matching, 2003.
 */
import { type Alphabet, classesOfUnits, classOf } from './alphabet.ts';
import { type Nfa, NODE_KIND } from './nfa.ts';
import { Reach } from './subsets.ts';

/** Where each position leads, between two characters; one for each answer to whether a word begins or ends there. */
interface Steps {
  /** Positions that lead to the next one, and to themselves. */
  readonly next: Int32Array;
  readonly self: Int32Array;
  /** Positions that lead elsewhere, too; at first all, as it is found out when a text first needs it. */
  readonly odd: Int32Array;
  /** For odd positions, pairs: an index of 32 bits, and the bits; null where the expression has matched. */
  readonly others: (readonly number[] | null | undefined)[];
  /** Positions where a match may begin; null if it ends there, too. The first applies at a line's start. */
  readonly first: Int32Array | null;
  readonly begins: Int32Array | null;
  /** Only the first so many numbers of these two have bits. */
  readonly beginsUsed: number;
}

export class Simulation {
  readonly #alphabet: Alphabet;
  readonly #reach: Reach;
  readonly #readsWords: boolean;
  /** The node of each position: a character that the expression reads. Those of a sequence follow one another. */
  readonly #nodes: readonly number[];
  readonly #positionOf: Int32Array;
  /** For each class, the positions that read it. */
  readonly #members: readonly Int32Array[];
  readonly #steps: (Steps | undefined)[] = [];
  /** Positions that have read the last character, and those that read the next. */
  readonly #sets: readonly [Int32Array, Int32Array];
  /** Class of each UTF-16 unit. */
  #classes: Uint16Array | null = null;

  constructor(nfa: Nfa, alphabet: Alphabet) {
    const { kinds, setOf } = nfa;
    this.#alphabet = alphabet;
    this.#reach = new Reach(nfa, alphabet);
    this.#readsWords = nfa.word !== null;
    // Nodes were made from the expression's end to its beginning.
    this.#nodes = [...kinds.keys()].filter((node) => kinds[node] === NODE_KIND.char).reverse();
    this.#positionOf = new Int32Array(kinds.length);
    for (const [position, node] of this.#nodes.entries()) this.#positionOf[node] = position;
    this.#members = Array.from({ length: alphabet.size }, (_, symbol) =>
      this.#bitsOf(this.#nodes.filter((node) => alphabet.members[setOf[node]!]![symbol] === 1)),
    );
    this.#sets = [this.#bitsOf([]), this.#bitsOf([])];
  }

  matches(text: string): boolean {
    this.#classes ??= classesOfUnits(this.#alphabet);
    const classes = this.#classes;
    const { word, pair } = this.#alphabet;
    let [from, to] = this.#sets;
    /** Only the first `used` numbers of `from` have bits. */
    let used = 0;
    let behindWord = 0;
    let steps = this.#stepsAt(false);
    for (let at = 0; at < text.length; at += 1) {
      const character = pair === null ? text.codePointAt(at)! : text.charCodeAt(at);
      const isFirst = at === 0;
      const symbol = character > 0xffff ? classOf(this.#alphabet, character) : classes[character]!;
      if (character > 0xffff) at += 1;
      if (this.#readsWords) {
        steps = this.#stepsAt(behindWord !== word[symbol]);
        behindWord = word[symbol]!;
      }
      const begins = isFirst ? steps.first : steps.begins;
      if (begins === null) return true;
      const { next, self, odd } = steps;
      const members = this.#members[symbol]!;
      const most = Math.max(Math.min(used + 1, from.length), steps.beginsUsed);
      for (let i = used; i < most; i += 1) from[i] = 0;
      let carried = 0;
      let anyOdd = 0;
      used = 0;
      for (let i = 0; i < most; i += 1) {
        const bits = from[i]!;
        const moved = bits & next[i]!;
        const read = ((moved << 1) | carried | (bits & self[i]!) | begins[i]!) & members[i]!;
        to[i] = read;
        if (read !== 0) used = i + 1;
        carried = moved >>> 31;
        anyOdd |= bits & odd[i]!;
      }
      if (anyOdd !== 0) {
        to.fill(0, most);
        if (this.#addOthers(steps, from.subarray(0, most), to, members)) return true;
        used = to.length;
      }
      [from, to] = [to, from];
    }
    return this.#matchesAtEnd(from.subarray(0, used), behindWord === 1, text === '');
  }

  /** Adds to `to` where odd positions lead; returns true where the expression has matched. */
  #addOthers(steps: Steps, from: Int32Array, to: Int32Array, members: Int32Array): boolean {
    for (let i = 0; i < from.length; i += 1) {
      for (let bits = from[i]! & steps.odd[i]!; bits !== 0; bits &= bits - 1) {
        const position = i * 32 + 31 - Math.clz32(bits & -bits);
        let others = steps.others[position];
        if (others === undefined) others = this.#explore(steps, position);
        if (others === null) return true;
        for (let at = 0; at < others.length; at += 2)
          to[others[at]!]! |= others[at + 1]! & members[others[at]!]!;
      }
    }
    return false;
  }

  #stepsAt(isBoundary: boolean): Steps {
    const known = this.#steps[isBoundary ? 1 : 0];
    if (known) return known;
    const begin = (nodes: number[] | null, atLineStart: boolean) => {
      const at = { behindWord: isBoundary, atLineStart };
      const decided = nodes && this.#reach.decided({ nodes, ...at }, false, false);
      return decided && this.#bitsOf(decided);
    };
    const [first, begins] = [begin(this.#reach.first(), true), begin(this.#reach.again(), false)];
    const usedIn = (bits: Int32Array | null) => (bits?.findLastIndex((some) => some !== 0) ?? -1) + 1;
    const steps = {
      ...{ next: this.#bitsOf([]), self: this.#bitsOf([]), odd: this.#bitsOf([]).fill(-1), others: [] },
      ...{ first, begins, beginsUsed: Math.max(usedIn(first), usedIn(begins)) },
    };
    this.#steps[isBoundary ? 1 : 0] = steps;
    return steps;
  }

  /** Finds out where a position leads; returns its entry in `others`. */
  #explore(steps: Steps, position: number): readonly number[] | null {
    const nodes = this.#reach.after(this.#nodes[position]!);
    const at = { behindWord: steps === this.#steps[1], atLineStart: false };
    const decided = nodes && this.#reach.decided({ nodes, ...at }, false, false);
    if (decided === null) {
      steps.others[position] = null;
      return null;
    }
    const [i, bit] = [position >> 5, 1 << (position & 31)];
    const places = decided.map((node) => this.#positionOf[node]!);
    if (places.every((place) => place === position || place === position + 1)) {
      if (places.includes(position)) steps.self[i]! |= bit;
      if (places.includes(position + 1)) steps.next[i]! |= bit;
      steps.odd[i]! &= ~bit;
    }
    const others = [...this.#bitsOf(decided)].flatMap((some, i) => (some === 0 ? [] : [i, some]));
    steps.others[position] = others;
    return others;
  }

  #matchesAtEnd(from: Int32Array, behindWord: boolean, atLineStart: boolean): boolean {
    const ends = (nodes: number[] | null) =>
      nodes === null || this.#reach.decided({ nodes, behindWord, atLineStart }, false, true) === null;
    if (ends(atLineStart ? this.#reach.first() : this.#reach.again())) return true;
    return from.some((bits, i) => {
      for (let rest = bits; rest !== 0; rest &= rest - 1) {
        const position = i * 32 + 31 - Math.clz32(rest & -rest);
        if (ends(this.#reach.after(this.#nodes[position]!))) return true;
      }
      return false;
    });
  }

  /** Returns a bit for each position, set for those of the nodes. */
  #bitsOf(nodes: readonly number[]): Int32Array {
    const bits = new Int32Array(Math.ceil(this.#nodes.length / 32));
    for (const node of nodes) bits[this.#positionOf[node]! >> 5]! |= 1 << (this.#positionOf[node]! & 31);
    return bits;
  }
}
