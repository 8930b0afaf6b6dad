/** Writes the tables of a simulation into memory, as bits.wat reads them. */
import type { Alphabet } from '../alphabet.ts';
import { classOf, REPLACEMENT } from '../alphabet.ts';
import { CONTROL, INVALID, nodeOf, PAIR, type Utf8Tree } from '../decoder.ts';
import { END, IGNORED, type Phases, RETURNED, TEXT, UNSURE } from '../phases.ts';
import { EVENT, PHASES } from '../transitions.ts';
import { type Around, type Positions, VECTOR_BITS } from './positions.ts';

/** Offsets from the tables' beginning; bits.wat repeats them. */
const OF = {
  ...{ bytes: 0, classes: 0x800, wordClasses: 0x1800, wordBytes: 0x1a00 },
  ...{ state: 0x2000, exceptional: 0x2200, ends: 0x2300, decoding: 0x2800 },
};
const MAX_CLASSES = 512;
const VECTOR_BYTES = 16;
/** Vectors of a record for each 128 positions. */
const MASKS = 4;
/** In place of a record's address: the byte begins no character, or a rare one. */
const NO_RECORD = 1;
/** Meanings of a byte. */
const MEANS = { move: 0, class: 1, pair: 2, invalid: 3, line: 4 } as const;

/** Parameters of `load` in bits.wat, after the tables' address. */
export type Properties = [
  least: number,
  last: number,
  exceptional: number,
  matches: number,
  replacement: number,
  first: number,
  second: number,
];

interface Expression {
  positions: Positions;
  alphabet: Alphabet;
  phases: Phases;
  tree: Utf8Tree;
}

/** Writes to the memory at `[base, end)`. Returns null if the tables don't fit. */
export function writeTables(
  memory: ArrayBuffer,
  base: number,
  end: number,
  expression: Expression,
): Properties | null {
  const places = PHASES + expression.tree.nodes.length;
  const decodingBytes = OF.decoding + places * 1024;
  if (expression.alphabet.size > MAX_CLASSES || decodingBytes > end - base) return null;
  try {
    return new TableWriter(memory, base, end, expression).write(decodingBytes);
  } catch (error) {
    if (error instanceof NoRoom) return null;
    throw error;
  }
}

class NoRoom extends Error {}

/** Where positions lead before a character of one kind. */
interface Leads {
  begins: readonly number[];
  toNext: readonly number[];
  toSelf: readonly number[];
}

class TableWriter {
  readonly #expression: Expression;
  readonly #base: number;
  readonly #end: number;
  readonly #bytes: Uint8Array;
  readonly #words: Int32Array;
  /** Vectors of a set of positions. */
  readonly #vectors: number;
  readonly #isWordSensitive: boolean;
  /** Addresses of sets of positions that are written. */
  readonly #rows = new Map<string, number>();
  #free = 0;
  #least = 0;
  #exceptional = 0;
  #matches = 0;

  constructor(memory: ArrayBuffer, base: number, end: number, expression: Expression) {
    this.#expression = expression;
    this.#base = base;
    this.#end = end;
    this.#bytes = new Uint8Array(memory);
    this.#words = new Int32Array(memory);
    this.#vectors = Math.ceil(expression.positions.count / VECTOR_BITS);
    this.#isWordSensitive = expression.alphabet.word.includes(1);
  }

  /** Throws NoRoom. */
  write(decodingBytes: number): Properties {
    const { alphabet, phases, tree } = this.#expression;
    const decoding = this.#base + OF.decoding;
    this.#bytes.fill(0, this.#base, decoding);
    this.#free = this.#base + decodingBytes;
    writeDecoding(this.#words.subarray(decoding >> 2, this.#free >> 2), phases, tree);
    for (const behindWord of this.#isWordSensitive ? [false, true] : [false]) {
      this.#writeClasses(behindWord);
      this.#writeEnds(behindWord);
    }
    this.#bytes.set(alphabet.word, this.#base + OF.wordClasses);
    for (const after of [0, 1]) this.#writeBytes(after);
    const { high, low } = alphabet.pair ?? { high: 0, low: 0 };
    const last = (this.#vectors - 1) * VECTOR_BYTES;
    const replacement = classOf(alphabet, REPLACEMENT);
    return [this.#least * VECTOR_BYTES, last, this.#exceptional, this.#matches, replacement, high, low];
  }

  /** Writes a record for each class of characters. */
  #writeClasses(behindWord: boolean): void {
    const { alphabet, positions } = this.#expression;
    const kinds = [false, true].map((beforeWord) => {
      const around = { ...MIDDLE, behindWord, beforeWord };
      return { begins: positions.after(null, around), ...followers(positions, around) };
    });
    const tables = kinds.map(({ others }) => this.#writeOthers(others));
    for (const { others } of kinds) {
      for (const position of others.keys()) this.#setBit(this.#base + OF.exceptional, position);
      if (others.size > 0) this.#exceptional = 1;
    }
    for (let symbol = 0; symbol < alphabet.size; symbol += 1) {
      const kind = alphabet.word[symbol]!;
      const record = this.#writeRecord(symbol, kinds[kind]!, [tables[kind]!, kind]);
      for (const after of this.#after(behindWord)) this.#words[this.#classAt(after, symbol)] = record;
    }
  }

  /** Writes which positions a character of the class takes, and `behind` after them; returns the address. */
  #writeRecord(symbol: number, { begins, toNext, toSelf }: Leads, behind: readonly number[]): number {
    const { positions } = this.#expression;
    const masksBytes = this.#vectors * MASKS * VECTOR_BYTES;
    const record = this.#take(masksBytes + 8);
    const set = (mask: number, position: number) => {
      if (positions.members[position]![symbol] === 0) return;
      const vector = Math.floor(position / VECTOR_BITS);
      this.#setBit(record + (vector * MASKS + mask) * VECTOR_BYTES, position % VECTOR_BITS);
      if (mask === 2) this.#least = Math.max(this.#least, vector);
    };
    for (const position of toNext) set(0, position);
    for (const position of toSelf) set(1, position);
    for (const position of begins) set(2, position);
    for (let position = 0; position < positions.count; position += 1) set(3, position);
    this.#words.set(behind, (record + masksBytes) >> 2);
    return record;
  }

  /** Writes which positions a line may end at. */
  #writeEnds(behindWord: boolean): void {
    const { positions } = this.#expression;
    const atEnd = { ...MIDDLE, behindWord, atLineEnd: true };
    const accepts = (position: number | null, around: Around) =>
      positions.after(position, around).includes(positions.accept);
    for (const after of this.#after(behindWord)) {
      if (accepts(null, atEnd)) this.#matches |= 1 << after;
      for (let position = 0; position < positions.count; position += 1) {
        if (accepts(position, { ...atEnd, atLineStart: position === 0 }))
          this.#setBit(this.#base + OF.ends + after * 256, position);
      }
    }
  }

  /** Writes where each exceptional position leads; returns the address of the table, 0 if there is none. */
  #writeOthers(others: ReadonlyMap<number, readonly number[]>): number {
    if (others.size === 0) return 0;
    const { count } = this.#expression.positions;
    const table = this.#take(count * 4);
    // Not every exception in one table is one in the other.
    this.#words.fill(this.#rowOf([]), table >> 2, (table >> 2) + count);
    for (const [position, successors] of others)
      this.#words[(table >> 2) + position] = this.#rowOf(successors);
    return table;
  }

  #rowOf(successors: readonly number[]): number {
    const key = successors.join();
    const known = this.#rows.get(key);
    if (known !== undefined) return known;
    const row = this.#take(this.#vectors * VECTOR_BYTES);
    for (const position of successors) this.#setBit(row, position);
    this.#rows.set(key, row);
    return row;
  }

  /** Writes the records of characters by their bytes. */
  #writeBytes(after: number): void {
    const { alphabet, phases, tree } = this.#expression;
    const nodes = tree.nodes.map(() => this.#take(64 * 4));
    const recordOf = (branch: number) => {
      if (nodeOf(branch) >= 0) return nodes[nodeOf(branch)]! + 1;
      if (branch < 0 || branch >= alphabet.size) return NO_RECORD;
      return this.#words[this.#classAt(after, branch)]!;
    };
    for (const [i, node] of tree.nodes.entries()) this.#words.set(Array.from(node, recordOf), nodes[i]! >> 2);
    for (let byte = 0; byte < 256; byte += 1) {
      const symbol = tree.first[byte]!;
      const isText = phases[TEXT]![byte] === TEXT;
      const record = isText ? recordOf(symbol) : NO_RECORD;
      this.#words[((this.#base + OF.bytes) >> 2) + after * 256 + byte] = record;
      if (record % 2 === 0) this.#bytes[this.#base + OF.wordBytes + byte] = alphabet.word[symbol]!;
    }
  }

  /** Whether a word character is before: as 0 and 1, both where it makes no difference. */
  #after(behindWord: boolean): readonly number[] {
    return this.#isWordSensitive ? [Number(behindWord)] : [0, 1];
  }

  /** The index among the words of the record of a class. */
  #classAt(after: number, symbol: number): number {
    return ((this.#base + OF.classes) >> 2) + after * MAX_CLASSES + symbol;
  }

  #take(size: number): number {
    const at = this.#free;
    this.#free = (at + size + VECTOR_BYTES - 1) & -VECTOR_BYTES;
    if (this.#free > this.#end) throw new NoRoom();
    this.#bytes.fill(0, at, this.#free);
    return at;
  }

  #setBit(at: number, bit: number): void {
    this.#bytes[at + (bit >> 3)]! |= 1 << (bit & 7);
  }
}

const MIDDLE: Around = { atLineStart: false, behindWord: false, beforeWord: false, atLineEnd: false };

/** Sorts where positions lead: to the next position, to themselves, and elsewhere. */
function followers(positions: Positions, around: Around) {
  const toNext: number[] = [];
  const toSelf: number[] = [];
  const others = new Map<number, number[]>();
  for (let position = 0; position < positions.count; position += 1) {
    const atLineStart = position === 0;
    // No word character is before a line's start.
    const after = positions.after(
      position,
      atLineStart ? { ...around, atLineStart, behindWord: false } : around,
    );
    const elsewhere: number[] = [];
    for (const one of after) {
      if (one === position + 1) toNext.push(one);
      else if (one === position) toSelf.push(one);
      else elsewhere.push(one);
    }
    if (elsewhere.length > 0) others.set(position, elsewhere);
  }
  return { toNext, toSelf, others };
}

/** Writes what each byte means in each phase, and in each part of a character. */
function writeDecoding(entries: Int32Array, phases: Phases, { first, nodes }: Utf8Tree): void {
  const entry = (means: number, value: number) => means | (value << 3);
  const branchEntry = (branch: number) => {
    if (branch === CONTROL) return entry(MEANS.move, UNSURE);
    if (branch === PAIR) return entry(MEANS.pair, 0);
    return branch >= 0 ? entry(MEANS.class, branch) : entry(MEANS.move, PHASES + nodeOf(branch));
  };
  for (const [place, table] of phases.entries()) {
    for (const [byte, next] of table.entries()) {
      const at = place * 256 + byte;
      if (next === END) {
        const sure = place === TEXT || place === RETURNED;
        entries[at] = entry(MEANS.line, (sure ? EVENT.match : EVENT.unsure) * 2);
      } else if (place === TEXT && next === TEXT) {
        const branch = first[byte]!;
        // No character begins with this byte: read on after it.
        entries[at] = branch === INVALID ? entry(MEANS.invalid, 1) : branchEntry(branch);
      } else entries[at] = entry(MEANS.move, next === IGNORED ? place : next);
    }
  }
  for (const [i, node] of nodes.entries()) {
    for (let byte = 0; byte < 256; byte += 1) {
      const branch = byte >= 0x80 && byte < 0xc0 ? node[byte - 0x80]! : INVALID;
      // The bytes so far are invalid; this byte begins the next character.
      entries[(PHASES + i) * 256 + byte] = branch === INVALID ? entry(MEANS.invalid, 0) : branchEntry(branch);
    }
  }
}
