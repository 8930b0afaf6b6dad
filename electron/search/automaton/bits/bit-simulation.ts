/**
 * Simulates the nondeterministic automaton with one bit for each character it waits for: for expressions with so many
 * states that rows don't pay. Each character takes a few vector operations, whatever the text. After G. Navarro and
 * M. Raffinot, Fast and simple character classes and bounded gaps pattern matching, 2003.
 */
import { AT, ROWS_BYTES } from '../../memory.ts';
import type { Alphabet } from '../alphabet.ts';
import type { Kernel } from '../kernel.ts';
import type { Nfa } from '../nfa.ts';
import { EVENT, type Transitions } from '../transitions.ts';
import { type Positions, positionsOf } from './positions.ts';
import { writeTables } from './tables.ts';

export class BitSimulation {
  readonly #kernel: Kernel;
  readonly #positions: Positions;
  readonly #alphabet: Alphabet;
  readonly #transitions: Transitions;
  readonly #words: Uint32Array;

  private constructor(kernel: Kernel, positions: Positions, alphabet: Alphabet, transitions: Transitions) {
    this.#kernel = kernel;
    this.#positions = positions;
    this.#alphabet = alphabet;
    this.#transitions = transitions;
    this.#words = new Uint32Array(kernel.memory.buffer);
  }

  /** Returns null if the automaton is too large. */
  static of(kernel: Kernel, nfa: Nfa, alphabet: Alphabet, transitions: Transitions): BitSimulation | null {
    const positions = positionsOf(nfa, alphabet);
    if (positions === null) return null;
    const simulation = new BitSimulation(kernel, positions, alphabet, transitions);
    return simulation.#load() ? simulation : null;
  }

  /** True if the last scan found an unsure line. */
  get sawUnsure(): boolean {
    return this.#kernel.exports.bits.unsure.value !== 0;
  }

  /** Does what `StateRows.scan` does. */
  scan(start: number, end: number): Uint32Array {
    this.#own();
    const { bits } = this.#kernel.exports;
    bits.unsure.value = 0;
    bits.out.value = AT.events;
    bits.begin();
    bits.run(start, end);
    return this.#words.subarray(AT.events >> 2, bits.out.value >> 2);
  }

  /** Does what `StateRows.feed` does; null if the parts before were not read here. */
  feed(start: number, end: number, first: boolean): number | null {
    if (!first && this.#kernel.owner !== this) return null;
    this.#own();
    const { bits } = this.#kernel.exports;
    bits.out.value = AT.events;
    if (first) bits.begin();
    bits.run(start, end);
    return bits.out.value > AT.events ? this.#words[AT.events >> 2]! >>> 28 : EVENT.none;
  }

  #own(): void {
    if (this.#kernel.owner !== this) this.#load();
  }

  /** Takes over the memory; returns false if the tables don't fit. */
  #load(): boolean {
    this.#kernel.owner = this;
    const { phases, tree } = this.#transitions;
    const expression = { positions: this.#positions, alphabet: this.#alphabet, phases, tree };
    const { buffer } = this.#kernel.memory;
    const properties = writeTables(buffer, AT.rows, AT.rows + ROWS_BYTES, expression);
    if (properties !== null) this.#kernel.exports.bits.load(AT.rows, ...properties);
    return properties !== null;
  }
}
