/**
 * Computes the deterministic automaton's transitions, byte by byte; automaton.ts caches them. A state is a set of nodes
 * (subsets.ts) and a place: how far a character, or an escape sequence that line text leaves out, has been read.
 */
import { type Alphabet, intervalOf, PAIR } from './alphabet.ts';
import type { Nfa } from './nfa.ts';
import { MATCHED, Subsets } from './subsets.ts';

export interface State {
  readonly set: number;
  /** A phase; or, from `PHASES` on, a node of the UTF-8 tree. */
  readonly place: number;
}

/** More than the number of phases. */
const PHASES = 16;

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

// The bytes that a line's text leaves out: colours, links, titles, the CR of CRLF, controls without effect. Each kind of
// sequence is a state machine whose states are called phases. Bytes that may move the cursor or draw lines, or are
// malformed, lead to `UNSURE`: such a line has to be rendered. A test compares this with shared/text/line-text.ts, and
// what acts on text there has to be here and in electron/reader/summary/scan/redrawn.wat, too.

/** `TEXT`: the byte is part of a character. `IGNORED`: the phase does not change. `END`: the line ends. */
const TEXT = 0;
const IGNORED = 254;
const END = 255;

const CR = 1;
const ESCAPE = 2;
const ESCAPE_INTERMEDIATE = 3;
const CSI_FIRST = 4;
const CSI_ZERO = 5;
const CSI = 6;
const OSC_FIRST = 7;
const OSC = 8;
const OSC_ESCAPE = 9;
/** Only the line's end leaves this phase. */
const UNSURE = 10;

/** The phase after a CR that may belong to a line end. */
const RETURNED = CR;

/** Final bytes of control sequences that change a line's text. `J` and `K` depend on their parameter. */
const ACTING = 'CaDG`IZP@Xbsu';
/** Final bytes of escape sequences that change it by saving and restoring the cursor. */
const SAVING = '78';

/** For each phase and byte: the next phase. */
type Phases = readonly Uint8Array[];

/** Returns phases for raw text, which has only text and line ends. */
function rawPhases(): Phases {
  const text = new Uint8Array(256).fill(TEXT);
  text[10] = END;
  return [text];
}

/** Returns phases for line text. `IGNORED` follows only `TEXT`. */
function lineTextPhases(): Phases {
  const phases = Array.from({ length: UNSURE + 1 }, () => new Uint8Array(256).fill(UNSURE));
  const set = (phase: number, first: number, last: number, next: number) =>
    phases[phase]!.fill(next, first, last + 1);
  const on = (phase: number, characters: string, next: number) => {
    for (const character of characters) phases[phase]![character.charCodeAt(0)] = next;
  };
  set(TEXT, 0, 255, TEXT);
  set(TEXT, 0, 31, IGNORED);
  on(TEXT, '\t\v\f', TEXT);
  on(TEXT, '\x7f', IGNORED);
  on(TEXT, '\b', UNSURE);
  // Shift out: what follows may be drawn.
  on(TEXT, '\x0e', UNSURE);
  on(TEXT, '\r', CR);
  on(TEXT, '\x1b', ESCAPE);
  on(CR, '\r', CR);

  set(ESCAPE, 0x30, 0x7e, TEXT);
  on(ESCAPE, SAVING, UNSURE);
  on(ESCAPE, 'PX^_', UNSURE);
  on(ESCAPE, '[', CSI_FIRST);
  on(ESCAPE, ']', OSC_FIRST);
  set(ESCAPE, 0x20, 0x2f, ESCAPE_INTERMEDIATE);
  set(ESCAPE_INTERMEDIATE, 0x20, 0x2f, ESCAPE_INTERMEDIATE);
  set(ESCAPE_INTERMEDIATE, 0x30, 0x7e, TEXT);
  // ESC ( 0: line drawing.
  on(ESCAPE_INTERMEDIATE, '0', UNSURE);

  for (const phase of [CSI_FIRST, CSI_ZERO, CSI]) {
    set(phase, 0x30, 0x3f, CSI);
    set(phase, 0x40, 0x7e, TEXT);
    on(phase, ACTING, UNSURE);
    // The cursor is at the line's end, so erasing to the right changes nothing.
    on(phase, 'JK', phase === CSI ? UNSURE : TEXT);
  }
  on(CSI_FIRST, '0', CSI_ZERO);

  for (const phase of [OSC_FIRST, OSC]) {
    set(phase, 0x20, 0xff, OSC);
    // The byte may begin a C1 control that ends the sequence.
    set(phase, 0xc2, 0xc2, UNSURE);
    on(phase, '\x7f', UNSURE);
    on(phase, '\x07', TEXT);
    on(phase, '\x1b', OSC_ESCAPE);
  }
  // Marks of our shell integration, which take effect.
  on(OSC_FIRST, '6', UNSURE);
  on(OSC_ESCAPE, '\\', TEXT);

  for (const phase of phases) phase[10] = END;
  return phases;
}

// Builds a tree that decodes UTF-8 from a character's first byte to its class. Equal branches share a node, so
// `[^x]` takes a dozen nodes. Invalid UTF-8 has no branch.

/** A byte that continues no character. */
const INVALID = -1;
/** A C1 control. */
const CONTROL = 0xffff;

/** A class (0 and above, or `CONTROL` or `PAIR`), `INVALID`, or a node: -2 minus its number. */
type Branch = number;

interface Utf8Tree {
  /** Branches by a character's first byte. */
  readonly first: Int32Array;
  /** Nodes of 64 branches each, by the low six bits of the next byte. */
  readonly nodes: readonly Int32Array[];
}

function nodeOf(branch: Branch): number {
  return -2 - branch;
}

/** With `controls`, C1 controls lead to `CONTROL`. */
function utf8Tree(alphabet: Alphabet, controls: boolean): Utf8Tree {
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
    // Line text has spaces in their place.
    if (this.#controls && (character === 0x0b || character === 0x0c)) return this.symbol(0x20);
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
