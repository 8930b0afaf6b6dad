/**
 * Runs the nondeterministic automaton over a line's text, for expressions with too many states for rows and too many
 * characters for bits (bits/bit-simulation.ts). Much slower than both, but still linear.
 */
import { type Alphabet, classesOfUnits, classOf } from './alphabet.ts';
import type { Nfa } from './nfa.ts';
import { Reach } from './reach.ts';

export class Simulation {
  readonly #alphabet: Alphabet;
  readonly #reach: Reach;
  /** Class of each UTF-16 unit. */
  #classes: Uint16Array | null = null;

  constructor(nfa: Nfa, alphabet: Alphabet) {
    this.#alphabet = alphabet;
    this.#reach = new Reach(nfa, alphabet);
  }

  matches(text: string): boolean {
    this.#classes ??= classesOfUnits(this.#alphabet);
    const classes = this.#classes;
    const unicode = this.#alphabet.pair === null;
    let nodes = this.#reach.first();
    let atLineStart = true;
    let behindWord = false;
    for (let at = 0; at < text.length && nodes !== null; at += 1) {
      const character = unicode ? text.codePointAt(at)! : text.charCodeAt(at);
      if (character > 0xffff) at += 1;
      const symbol = character > 0xffff ? classOf(this.#alphabet, character) : classes[character]!;
      nodes = this.#reach.step({ nodes, behindWord, atLineStart }, symbol);
      behindWord = this.#alphabet.word[symbol] === 1;
      atLineStart = false;
    }
    return nodes === null || this.#reach.decided({ nodes, behindWord, atLineStart }, false, true) === null;
  }
}
