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
  const { alphabet, positions, phases, tree } = expression;
  const vectors = Math.ceil(positions.count / VECTOR_BITS);
  const places = PHASES + tree.nodes.length;
  if (alphabet.size > MAX_CLASSES || OF.decoding + places * 1024 > end - base) return null;
  const [bytes, words] = [new Uint8Array(memory), new Int32Array(memory)];
  bytes.fill(0, base, base + OF.decoding);
  let free = base + OF.decoding + places * 1024;
  writeDecoding(words.subarray((base + OF.decoding) >> 2, free >> 2), phases, tree);

  const take = (size: number) => {
    const at = free;
    free = (free + size + VECTOR_BYTES - 1) & -VECTOR_BYTES;
    if (free <= end) bytes.fill(0, at, free);
    return free <= end ? at : null;
  };
  const setBit = (at: number, bit: number) => {
    bytes[at + (bit >> 3)]! |= 1 << (bit & 7);
  };
  const isWordSensitive = alphabet.word.includes(1);
  let [least, exceptional, matches] = [0, 0, 0];
  const rows = new Map<string, number>();

  for (const behindWord of isWordSensitive ? [false, true] : [false]) {
    const tables = [false, true].map((beforeWord) => ({
      begins: positions.after(null, { ...MIDDLE, behindWord, beforeWord }),
      ...followers(positions, { ...MIDDLE, behindWord, beforeWord }),
    }));
    const lists = tables.map(({ others }) => writeOthers(others));
    if (lists.includes(null)) return null;
    for (const { others } of tables) {
      for (const position of others.keys()) setBit(base + OF.exceptional, position);
      if (others.size > 0) exceptional = 1;
    }
    for (let symbol = 0; symbol < alphabet.size; symbol += 1) {
      const which = alphabet.word[symbol]!;
      const record = take(vectors * MASKS * VECTOR_BYTES + 8);
      if (record === null) return null;
      const { begins, toNext, toSelf } = tables[which]!;
      const set = (mask: number, position: number) => {
        if (positions.members[position]![symbol] === 0) return;
        const vector = Math.floor(position / VECTOR_BITS);
        setBit(record + (vector * MASKS + mask) * VECTOR_BYTES, position % VECTOR_BITS);
        if (mask === 2) least = Math.max(least, vector);
      };
      for (const position of toNext) set(0, position);
      for (const position of toSelf) set(1, position);
      for (const position of begins) set(2, position);
      for (let position = 0; position < positions.count; position += 1) set(3, position);
      const behind = (record + vectors * MASKS * VECTOR_BYTES) >> 2;
      words.set([lists[which]!, which], behind);
      for (const after of isWordSensitive ? [Number(behindWord)] : [0, 1])
        words[((base + OF.classes) >> 2) + after * MAX_CLASSES + symbol] = record;
    }
    const atEnd = { ...MIDDLE, behindWord, atLineEnd: true };
    for (const after of isWordSensitive ? [Number(behindWord)] : [0, 1]) {
      if (positions.after(null, atEnd).includes(positions.accept)) matches |= 1 << after;
      const ends = base + OF.ends + after * 256;
      for (let position = 0; position < positions.count; position += 1) {
        const around = { ...atEnd, atLineStart: position === 0 };
        if (positions.after(position, around).includes(positions.accept)) setBit(ends, position);
      }
    }
  }
  bytes.set(alphabet.word, base + OF.wordClasses);
  if (!writeBytes()) return null;
  const { high, low } = alphabet.pair ?? { high: 0, low: 0 };
  const last = (vectors - 1) * VECTOR_BYTES;
  return [least * VECTOR_BYTES, last, exceptional, matches, classOf(alphabet, REPLACEMENT), high, low];

  /** Writes where each exceptional position leads; returns the address of the table, null if it does not fit. */
  function writeOthers(others: ReadonlyMap<number, readonly number[]>): number | null {
    if (others.size === 0) return 0;
    const table = take(positions.count * 4);
    if (table === null) return null;
    // Not every exception in one table is one in the other.
    const empty = rowOf([]);
    if (empty === null) return null;
    words.fill(empty, table >> 2, (table >> 2) + positions.count);
    for (const [position, successors] of others) {
      const row = rowOf(successors);
      if (row === null) return null;
      words[(table >> 2) + position] = row;
    }
    return table;
  }

  function rowOf(successors: readonly number[]): number | null {
    const key = successors.join();
    const known = rows.get(key);
    if (known !== undefined) return known;
    const row = take(vectors * VECTOR_BYTES);
    if (row === null) return null;
    for (const position of successors) setBit(row, position);
    rows.set(key, row);
    return row;
  }

  /** Writes the records of characters by their bytes. Returns false if they don't fit. */
  function writeBytes(): boolean {
    for (const after of [0, 1]) {
      const nodes = tree.nodes.map(() => take(64 * 4));
      if (nodes.includes(null)) return false;
      const recordOf = (branch: number) => {
        if (nodeOf(branch) >= 0) return nodes[nodeOf(branch)]! + 1;
        if (branch < 0 || branch >= alphabet.size) return NO_RECORD;
        return words[((base + OF.classes) >> 2) + after * MAX_CLASSES + branch]!;
      };
      for (const [i, node] of tree.nodes.entries()) words.set(Array.from(node, recordOf), nodes[i]! >> 2);
      for (let byte = 0; byte < 256; byte += 1) {
        const isText = phases[TEXT]![byte] === TEXT;
        const record = isText ? recordOf(tree.first[byte]!) : NO_RECORD;
        words[((base + OF.bytes) >> 2) + after * 256 + byte] = record;
        const symbol = tree.first[byte]!;
        if (record % 2 === 0) bytes[base + OF.wordBytes + byte] = alphabet.word[symbol]!;
      }
    }
    return true;
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
