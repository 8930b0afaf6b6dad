/**
 * Reads lines with the automaton: from rows (rows.ts) as long as these pay, then by a simulation with bits
 * (bits/bit-simulation.ts).
 */
import type { Alphabet } from './alphabet.ts';
import { BitSimulation } from './bits/bit-simulation.ts';
import { vectorsOf } from './bits/positions.ts';
import type { Kernel } from './kernel.ts';
import type { Nfa } from './nfa.ts';
import { StateRows } from './rows.ts';
import { Transitions } from './transitions.ts';

export class Automaton {
  readonly #kernel: Kernel;
  readonly #nfa: Nfa;
  readonly #alphabet: Alphabet;
  readonly #transitions: Transitions;
  readonly #rows: StateRows;
  /** Null if the automaton is too large; undefined until first needed. */
  #bits: BitSimulation | null | undefined;

  /** With `raw`, matches the bytes themselves; otherwise the line text within them. */
  constructor(kernel: Kernel, nfa: Nfa, alphabet: Alphabet, raw: boolean) {
    this.#kernel = kernel;
    this.#nfa = nfa;
    this.#alphabet = alphabet;
    this.#transitions = new Transitions(nfa, alphabet, raw);
    this.#rows = new StateRows(kernel, this.#transitions, vectorsOf(nfa));
  }

  /** True if the last scan found an unsure line. */
  get sawUnsure(): boolean {
    return this.#rows.useless ? (this.#bits?.sawUnsure ?? false) : this.#rows.sawUnsure;
  }

  /** True once neither way suits the expression and the text. */
  get useless(): boolean {
    return this.#rows.useless && this.#simulation() === null;
  }

  /** As `StateRows.scan`. */
  scan(start: number, end: number): Uint32Array | null {
    const said = this.#rows.useless ? null : this.#rows.scan(start, end);
    return said ?? this.#simulation()?.scan(start, end) ?? null;
  }

  /** As `StateRows.scanEarly`. */
  scanEarly(start: number, end: number, limit: number): Uint32Array | null {
    return this.#rows.useless ? null : this.#rows.scanEarly(start, end, limit);
  }

  /** As `StateRows.feed`. */
  feed(start: number, end: number, first: boolean): number | null {
    if (!this.#rows.useless) return this.#rows.feed(start, end, first);
    return this.#simulation()?.feed(start, end, first) ?? null;
  }

  #simulation(): BitSimulation | null {
    if (this.#bits === undefined) {
      this.#bits = BitSimulation.of(this.#kernel, this.#nfa, this.#alphabet, this.#transitions);
    }
    return this.#bits;
  }
}
