/**
 * Runs the byte loops of a search in WebAssembly: literals, line ends (scan.wat, several.wat, seams.wat, lines.wat).
 */

import { AT, instantiate, PAGE_BYTES, SOURCE_BYTES } from '../memory.ts';
import linesWasm from './lines.wat';
import scanWasm from './scan.wat';
import seamsWasm from './seams.wat';
import severalWasm from './several.wat';

/** Marks bytes that follow one another in some literals: for each byte its places, as 32 bits. */
export interface Neighbours {
  /** Places right after the byte, counted from the literal's second byte. */
  readonly before: Uint32Array;
  /** Places of the byte itself. */
  readonly behind: Uint32Array;
}

/** Lines that the scanner found. */
export interface ScannedLines {
  count: number;
  /** Line numbers, from 0 for the first line read. Valid until the next call. */
  lines: Uint32Array;
  /** Offset in `source` of the first match in each line. */
  places: Uint32Array;
}

/** Reads `source[start, end)`; may read or write up to 80 bytes after it. */
export interface Scanner {
  /** Returns the number of line ends. */
  count(start: number, end: number): number;
  /** Finds the lines that hold the literal. Reads at most STEP_BYTES, or a single line. */
  find(start: number, end: number, literal: ByteLiteral): ScannedLines;
  /** Finds the lines that hold one of two to MAX_LITERALS literals; the places need not be the first in their lines. */
  findAny(start: number, end: number, literals: readonly ByteLiteral[]): ScannedLines;
  /**
   * Finds the lines whose text may hold a literal that their bytes don't: a control separates two neighbours in a
   * literal, or does more than colour. Faster for text with no controls but colours (`CONTROLS` of the index). Reads at
   * most STEP_BYTES, or a single line.
   */
  seams(start: number, end: number, neighbours: Neighbours, onlyColours: boolean): ScannedLines;
  /**
   * Returns the numbers of the lines that end at the addresses `ends`, from 0 for the line at the address `start`.
   * Ignores the highest four bits of `ends`. Valid until the next call.
   */
  number(start: number, ends: Uint32Array): Uint32Array;
  /**
   * Copies the lines that hold the given places to the address `AT.rendered`, with their line ends; returns the address
   * after them. Reads at most STEP_BYTES. Each line has its line end before `end`.
   */
  gather(start: number, end: number, places: Uint32Array): number;
}

/** The exports of lines.wat. */
interface LineExports {
  count(at: number, end: number): number;
  lineEnd(at: number, end: number): number;
  gather(start: number, end: number, places: number, count: number, to: number): number;
  number(start: number, places: number, count: number, lines: number): void;
}

/** The exports of scan.wat. */
interface Exports {
  find(...numbers: number[]): number;
  rest(place: number, literal: number, fold: number, length: number): number;
}

/** The exports of several.wat. */
interface SeveralExports {
  findAny(...numbers: number[]): number;
}

/** The exports of seams.wat. */
interface SeamExports {
  seams(...numbers: number[]): number;
}

export function createScanner(memory: WebAssembly.Memory): Scanner {
  const lines = instantiate<LineExports>(linesWasm, memory);
  const { find, rest } = instantiate<Exports>(scanWasm, memory, { ...lines });
  const { findAny } = instantiate<SeveralExports>(severalWasm, memory, { ...lines, rest });
  const { seams } = instantiate<SeamExports>(seamsWasm, memory, { ...lines });
  const { buffer } = memory;
  const bytes = new Uint8Array(buffer);
  let loaded: ByteLiteral | readonly ByteLiteral[] | null = null;
  let loadedNeighbours: Neighbours | null = null;
  const found = (count: number): ScannedLines => ({
    count,
    lines: new Uint32Array(buffer, AT.lines, count),
    places: new Uint32Array(buffer, AT.places, count),
  });
  return {
    count: (start, end) => lines.count(AT.source + start, AT.source + end),
    find(start, end, literal) {
      if (literal !== loaded) {
        bytes.set(literal.bytes, AT.literal);
        bytes.set(literal.fold, AT.fold);
        loaded = literal;
      }
      const { first, second } = literal.rare;
      const [from, to, length] = [AT.source + start, AT.source + end, literal.bytes.length];
      return found(
        find(...[from, to, AT.literal, AT.fold, length, first, second], ...[AT.source, AT.lines, AT.places]),
      );
    },
    findAny(start, end, literals) {
      if (literals !== loaded) {
        loadSeveral(bytes, literals);
        loaded = literals;
      }
      const [from, to] = [AT.source + start, AT.source + end];
      return found(findAny(from, to, AT.several, AT.source, AT.lines, AT.places));
    },
    seams(start, end, neighbours, onlyColours) {
      if (neighbours !== loadedNeighbours) {
        new Uint32Array(buffer, AT.before, 256).set(neighbours.before);
        new Uint32Array(buffer, AT.behind, 256).set(neighbours.behind);
        bytes.set(nibblesOf(neighbours.before), AT.nibbles);
        loadedNeighbours = neighbours;
      }
      const [from, to] = [AT.source + start, AT.source + end];
      const nibbles = onlyColours ? AT.nibbles : 0;
      return found(
        seams(from, to, AT.before, AT.behind, nibbles, AT.scratch, AT.source, AT.lines, AT.places),
      );
    },
    gather(start, end, places) {
      const at = new Uint32Array(buffer, AT.places, places.length);
      for (let i = 0; i < places.length; i += 1) at[i] = AT.source + places[i]!;
      return lines.gather(AT.source + start, AT.source + end, AT.places, places.length, AT.rendered);
    },
    number(start, ends) {
      const places = ends.byteOffset;
      lines.number(start, places, ends.length, AT.lines);
      return new Uint32Array(buffer, AT.lines, ends.length);
    },
  };
}

/**
 * Returns a table by the lower halves of bytes, then 16 times some bits. A byte with these bits set is what the table
 * has for its lower half if the byte has places, and for as few others as possible.
 */
function nibblesOf(places: Uint32Array): Uint8Array {
  const bytes = [...places.keys()].filter((byte) => places[byte] !== 0);
  const ways = (map: (byte: number) => number) => new Set(bytes.map(map)).size;
  const lowest = ways((byte) => byte & 15);
  // With all upper bits set, only the lower halves count.
  const alike = UPPER_BITS.find((bits) => ways((byte) => byte | bits) === lowest)!;
  // A byte never becomes one with another lower half.
  const table = Uint8Array.from({ length: 32 }, (_, i) => (i < 16 ? i ^ 1 : alike));
  for (const byte of bytes) table[byte & 15] = byte | alike;
  return table;
}

/** All sets of upper bits, the smallest first. */
const UPPER_BITS = Array.from({ length: 16 }, (_, i) => i << 4).sort((a, b) => bitsIn(a) - bitsIn(b));

function bitsIn(bits: number): number {
  return bits === 0 ? 0 : (bits & 1) + bitsIn(bits >> 1);
}

/** Returns the memory for text: SOURCE_BYTES fit from anywhere in its first page, with some that scanners write. */
export function sourceOf(memory: WebAssembly.Memory): Buffer {
  return Buffer.from(memory.buffer, AT.source, PAGE_BYTES + SOURCE_BYTES + 128);
}

// Writes the tables that several.wat reads and describes.

/** Most literals that are found in one pass: each has a bit. */
export const MAX_LITERALS = 8;
/** Bytes of a literal that are looked for first. */
export const WINDOW_BYTES = 3;
const VECTOR_BYTES = 16;
const ENTRIES = (1 + WINDOW_BYTES) * VECTOR_BYTES;

/** Bytes that literals take in the memory. */
export function roomOf(literals: readonly ByteLiteral[]): number {
  return literals.reduce((sum, { bytes }) => sum + roundedUp(bytes.length), 0);
}

/** Returns the bits of a byte that tell the literals apart. */
function maskOf(literals: readonly ByteLiteral[]): number {
  return literals.some(({ fold }) => fold.some((bit) => bit !== 0)) ? 0xdf : 0xff;
}

/** Returns what the tables know of a byte, 0 to 15. */
function byteHash(byte: number, mask: number): number {
  const left = byte & mask;
  return (left ^ (left >> 4)) & 15;
}

function loadSeveral(memory: Uint8Array, literals: readonly ByteLiteral[]): void {
  const tables = memory.subarray(AT.several, AT.several + ENTRIES).fill(0);
  const entries = new DataView(memory.buffer, AT.several + ENTRIES);
  const mask = maskOf(literals);
  tables.fill(mask, 0, VECTOR_BYTES);
  let used = 0;
  for (const [i, { bytes, fold, rare }] of literals.entries()) {
    memory.set(bytes, AT.literal + used);
    memory.set(fold, AT.fold + used);
    for (const [field, value] of [AT.literal + used, AT.fold + used, bytes.length, rare.window].entries())
      entries.setUint32(i * VECTOR_BYTES + field * 4, value, true);
    used += roundedUp(bytes.length);
    for (let place = 0; place < WINDOW_BYTES; place += 1) {
      const table = tables.subarray((1 + place) * VECTOR_BYTES, (2 + place) * VECTOR_BYTES);
      const byte = bytes[rare.window + place];
      // A literal of two bytes has none here: any will do.
      if (byte === undefined) for (let hash = 0; hash < VECTOR_BYTES; hash += 1) table[hash]! |= 1 << i;
      else table[byteHash(byte, mask)]! |= 1 << i;
    }
  }
}

function roundedUp(length: number): number {
  return Math.ceil(length / VECTOR_BYTES) * VECTOR_BYTES;
}

// Literals for the scanner.

/** A literal to find in bytes: a byte matches when `(byte | fold) === literal byte`. */
export interface ByteLiteral {
  readonly bytes: Uint8Array;
  /** 0x20 where ASCII case is ignored. */
  readonly fold: Uint8Array;
  /** Indices of its two bytes that are rarest in text; index of the first of three neighbours that are rarest together. */
  readonly rare: { readonly first: number; readonly second: number; readonly window: number };
}
