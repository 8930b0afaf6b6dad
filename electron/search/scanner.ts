/**
 * Runs the byte loops of a search in WebAssembly (scan.wat, classify.wat): kinds of bytes, literals, line ends. scanner-plain.ts
 * does the same without vectors.
 */
import classifyWasm from './classify.wat';
import { AT, instantiate, SOURCE_BYTES } from './memory.ts';
import scanWasm from './scan.wat';

/** Kinds of bytes, as bits. */
export const NOT_ASCII = 1;
export const CRLF = 2;
/** Controls that line text leaves out or applies (CR before LF is not among them). With these, CRLF is not told. */
export const CONTROLS = 4;

/** A literal to look for in bytes: a byte matches when `(byte | fold) === literal byte`. */
export interface ByteLiteral {
  readonly bytes: Uint8Array;
  /** 0x20 where ASCII case does not matter. */
  readonly fold: Uint8Array;
  /** The two places in it whose bytes are rarest in text. */
  readonly rare: readonly [number, number];
}

/** Which bytes follow one another in some literals: of each byte the places where it stands, as 32 bits. */
export interface Neighbours {
  /** At which places, counted from the literal's second byte, it stands right before. */
  readonly before: Uint32Array;
  /** At which it stands. */
  readonly behind: Uint32Array;
}

/** Lines that were found. */
export interface Found {
  /** How many. */
  count: number;
  /** Their numbers, from 0 for the first line read. Valid until the next call. */
  lines: Uint32Array;
  /** And the offset in `source` of what was found in it first. */
  places: Uint32Array;
}

/** Reads `source[start, end)`; may read or write up to 80 bytes behind it. */
export interface Scanner {
  /** Kinds of bytes, and how many line ends. */
  classify(start: number, end: number): { kinds: number; newlines: number };
  /** How many line ends. */
  count(start: number, end: number): number;
  /** Lines that hold the literal; at most STEP_BYTES, or a single line. */
  find(start: number, end: number, literal: ByteLiteral): Found;
  /**
   * Lines whose text may hold a literal that their bytes do not: bytes that are neighbours in a literal have a control between
   * them, or a control does more than colour. At most STEP_BYTES, or a line.
   */
  seams(start: number, end: number, neighbours: Neighbours): Found;
  /**
   * Returns the numbers of the lines that end at the addresses `ends`, from 0 for the line at the address `start`. The highest
   * four bits of `ends` don't count. Valid until the next call.
   */
  number(start: number, ends: Uint32Array): Uint32Array;
}

interface Classifier {
  newlines: { value: number };
  classify(at: number, end: number): number;
}

/** As in scan.wat. */
interface Exports {
  count(at: number, end: number): number;
  find(...numbers: number[]): number;
  seams(...numbers: number[]): number;
  number(start: number, places: number, count: number, lines: number): void;
}

/** Throws where the engine has no vectors. */
export function wasmScanner(memory: WebAssembly.Memory): Scanner {
  const exports = instantiate<Exports>(scanWasm, memory);
  const classifier = instantiate<Classifier>(classifyWasm, memory);
  const { buffer } = memory;
  const bytes = new Uint8Array(buffer);
  let loaded: ByteLiteral | null = null;
  let loadedNeighbours: Neighbours | null = null;
  const found = (count: number): Found => {
    const places = new Uint32Array(buffer, AT.places, count);
    for (let i = 0; i < count; i += 1) places[i]! -= AT.source;
    return { count, lines: new Uint32Array(buffer, AT.lines, count), places };
  };
  return {
    classify(start, end) {
      // Steps of 64 look past the end, where a CR would look for its LF. Printable bytes there are of no kind.
      bytes.fill(0x78, AT.source + end, AT.source + end + 80);
      bytes[AT.source + end] = 10;
      const kinds = classifier.classify(AT.source + start, AT.source + end);
      const behind = (end - start) % 64 === 0 ? 0 : 1;
      return { kinds, newlines: classifier.newlines.value - behind };
    },
    count: (start, end) => exports.count(AT.source + start, AT.source + end),
    find(start, end, literal) {
      if (literal !== loaded) {
        bytes.set(literal.bytes, AT.literal);
        bytes.set(literal.fold, AT.fold);
        loaded = literal;
      }
      const area = [AT.source + start, AT.source + end];
      const { length } = literal.bytes;
      return found(exports.find(...area, AT.literal, AT.fold, length, ...literal.rare, AT.lines, AT.places));
    },
    seams(start, end, neighbours) {
      if (neighbours !== loadedNeighbours) {
        new Uint32Array(buffer, AT.before, 256).set(neighbours.before);
        new Uint32Array(buffer, AT.behind, 256).set(neighbours.behind);
        loadedNeighbours = neighbours;
      }
      const area = [AT.source + start, AT.source + end];
      return found(exports.seams(...area, AT.before, AT.behind, AT.scratch, AT.lines, AT.places));
    },
    number(start, ends) {
      const places = ends.byteOffset;
      exports.number(start, places, ends.length, AT.lines);
      return new Uint32Array(buffer, AT.lines, ends.length);
    },
  };
}

/** The bytes that are searched: SOURCE_BYTES to fill, and a few more that scanners may write to. */
export function sourceOf(memory: WebAssembly.Memory): Buffer {
  return Buffer.from(memory.buffer, AT.source, SOURCE_BYTES + 128);
}
