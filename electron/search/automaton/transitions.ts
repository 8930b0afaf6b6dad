/**
 * Computes the deterministic automaton's transitions, byte by byte; rows.ts caches them. A state is a set of nodes
 * (subsets.ts) and a position within a character (decoder.ts) or an escape sequence (phases.ts).
 */
import type { Alphabet } from './alphabet.ts';
import { CONTROL, INVALID, nodeOf, type Utf8Tree, utf8Tree } from './decoder.ts';
import type { Nfa } from './nfa.ts';
import { END, IGNORED, lineTextPhases, type Phases, RETURNED, rawPhases, TEXT, UNSURE } from './phases.ts';
import { MATCHED, Subsets } from './subsets.ts';

export interface State {
  readonly set: number;
  /** A phase; or, from `PHASES` on, a node of the UTF-8 tree. */
  readonly place: number;
}

/** More than the number of phases. */
export const PHASES = 16;

/** The outcome of a line, known at its end. */
export const EVENT = { none: 0, match: 1, unsure: 2 } as const;

interface Step extends State {
  /** One of `EVENT`. */
  readonly event: number;
}

export class Transitions {
  readonly subsets: Subsets;
  /** The column of each byte. Bytes of one column have the same transitions in every state. */
  readonly columns: Uint8Array;
  readonly columnCount: number;
  readonly phases: Phases;
  readonly tree: Utf8Tree;

  /** With `raw`, matches the bytes themselves; otherwise the line text within them. */
  constructor(nfa: Nfa, alphabet: Alphabet, raw: boolean) {
    this.subsets = new Subsets(nfa, alphabet);
    this.phases = raw ? rawPhases() : lineTextPhases();
    this.tree = utf8Tree(alphabet, !raw);
    const { columns, count } = columnsOf([...this.phases, this.tree.first], this.tree.nodes);
    this.columns = columns;
    this.columnCount = count;
  }

  get start(): State {
    return { set: this.subsets.start, place: TEXT };
  }

  /** The state of a line that has matched, whatever text follows. */
  get matched(): State {
    return { set: MATCHED, place: TEXT };
  }

  /** The state of a line that can't match any more. */
  get dead(): State {
    return { set: this.subsets.dead, place: TEXT };
  }

  step({ set, place }: State, byte: number): Step {
    if (place >= PHASES) return this.#stepInCharacter(set, this.tree.nodes[place - PHASES]!, byte);
    const next = this.phases[place]![byte]!;
    if (next === END) return this.#end(set, place);
    if (place !== TEXT || next !== TEXT) {
      return {
        set: next === UNSURE ? MATCHED : set,
        place: next === IGNORED ? place : next,
        event: EVENT.none,
      };
    }
    return this.#branch(set, this.tree.first[byte]!);
  }

  #end(set: number, place: number): Step {
    const sure = place === TEXT || place === RETURNED;
    const matches = sure && (set === MATCHED || this.subsets.matchesAtEnd(set));
    const event = sure ? (matches ? EVENT.match : EVENT.none) : EVENT.unsure;
    return { ...this.start, event };
  }

  #branch(set: number, branch: number): Step {
    if (branch === CONTROL) return { set: MATCHED, place: UNSURE, event: EVENT.none };
    if (branch >= 0) return { set: this.subsets.step(set, branch), place: TEXT, event: EVENT.none };
    if (branch === INVALID) return { set: this.subsets.stepReplacement(set), place: TEXT, event: EVENT.none };
    return { set, place: PHASES + nodeOf(branch), event: EVENT.none };
  }

  #stepInCharacter(set: number, node: Int32Array, byte: number): Step {
    const branch = byte >= 0x80 && byte < 0xc0 ? node[byte - 0x80]! : INVALID;
    if (branch !== INVALID) return this.#branch(set, branch);
    // The bytes so far are invalid; this byte begins the next character.
    return this.step({ set: this.subsets.stepReplacement(set), place: TEXT }, byte);
  }
}

/** Puts bytes in one column if every table and every node treats them alike. */
function columnsOf(
  tables: readonly (Uint8Array | Int32Array)[],
  nodes: readonly Int32Array[],
): { columns: Uint8Array; count: number } {
  const columns = new Uint8Array(256);
  let count = 1;
  const split = (first: number, behind: number, of: (byte: number) => number) => {
    const known = new Map<number, number>();
    for (let byte = 0; byte < 256; byte += 1) {
      const value = byte >= first && byte < behind ? of(byte) : INVALID;
      const key = columns[byte]! * 0x2_0000 + value + 0x1_0000;
      const column = known.get(key) ?? known.size;
      known.set(key, column);
      columns[byte] = column;
    }
    count = known.size;
  };
  for (const table of tables) split(0, 256, (byte) => table[byte]!);
  for (const node of nodes) split(0x80, 0xc0, (byte) => node[byte - 0x80]!);
  return { columns, count };
}
