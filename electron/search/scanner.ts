/**
 * The byte loops of a search, in WebAssembly (scan.wat, classify.wat): what kinds of bytes there are, where a literal is, and text without
 * its colours. scanner-plain.ts does the same without WebAssembly.
 */
import classifyWasm from './classify.wat';
import scanWasm from './scan.wat';
import { plainScanner } from './scanner-plain.ts';

/** Bytes that one fill of `source` may hold; a longer line is searched in windows. */
export const SOURCE_BYTES = 4 * 1024 * 1024;
/** Bytes that are looked at in one call, unless a single line is longer: so many line numbers have room. */
export const STEP_BYTES = 512 * 1024;

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

/** Where `find` and `strip` read from. */
export type Area = 'source' | 'stripped';

export interface Found {
  /** How many lines matched. */
  count: number;
  /** Of each line that matched: its number, from 0 for the first line looked at. Good until the next call. */
  lines: Uint32Array;
  /** And the offset of its first match in the area. */
  places: Uint32Array;
}

export interface Scanner {
  /** SOURCE_BYTES to fill, and a few more. The 80 bytes behind what was filled are written to. */
  readonly source: Uint8Array;
  /** Text without its controls: what `strip` made, and what its caller added. */
  readonly stripped: Uint8Array;
  /** Kinds of bytes in `source[start, end)`, and how many line ends. */
  classify(start: number, end: number): { kinds: number; newlines: number };
  /** Lines of `area[start, end)` that hold the literal; at most STEP_BYTES, or a single line. */
  find(area: Area, start: number, end: number, literal: ByteLiteral): Found;
  /**
   * Copies `source[start, end)` to `stripped[at…)` without what line text leaves out, up to something that moves the
   * cursor. Gives where it stopped in the source and where the copy ends.
   */
  strip(start: number, end: number, at: number): { stopped: number; at: number };
  /**
   * Lines of `source[start, end)` whose text may hold a literal that their bytes do not: something is left out between bytes that
   * follow one another in a literal, or is more than `strip` can leave out without a look. At most STEP_BYTES, or a line.
   */
  seams(start: number, end: number, neighbours: Neighbours): Found;
  /**
   * Strips the whole lines of `source[start, end)` that hold the given places, one behind the other, each with its LF, to
   * `stripped[at…)`, up to one that `strip` can't do. Gives how many lines were done and where the copy ends.
   */
  gather(start: number, end: number, places: Uint32Array, at: number): { done: number; at: number };
}

const PAGE = 64 * 1024;
const LITERAL = 0;
const FOLD = PAGE / 2;
const SOURCE = PAGE;
const STRIPPED = SOURCE + SOURCE_BYTES + PAGE;
const LINES = STRIPPED + SOURCE_BYTES + PAGE;
const PLACES = LINES + (STEP_BYTES + 16) * 4;
const BEFORE = PLACES + (STEP_BYTES + 16) * 4;
const BEHIND = BEFORE + 1024;
const SCRATCH = BEHIND + 1024;
/** Longest literal that has room. */
export const MAX_LITERAL_BYTES = FOLD;

export function createScanner(): Scanner {
  try {
    return wasmScanner();
  } catch {
    // No SIMD: slower, not broken.
    return plainScanner();
  }
}

interface Classifier {
  newlines: { value: number };
  classify(at: number, end: number): number;
}

interface Exports {
  memory: { buffer: ArrayBuffer };
  stopped: { value: number };
  find(
    start: number,
    end: number,
    literal: number,
    fold: number,
    length: number,
    rare1: number,
    rare2: number,
    lines: number,
    places: number,
  ): number;
  strip(at: number, end: number, out: number): number;
  seams(
    start: number,
    end: number,
    before: number,
    behind: number,
    scratch: number,
    lines: number,
    places: number,
  ): number;
  gather(start: number, end: number, places: number, count: number, out: number): number;
}

function wasmScanner(): Scanner {
  const exports = instantiate<Exports>(scanWasm, {});
  const classifier = instantiate<Classifier>(classifyWasm, { scan: { memory: exports.memory as never } });
  const { buffer } = exports.memory;
  const memory = new Uint8Array(buffer);
  let loaded: ByteLiteral | null = null;
  let loadedNeighbours: Neighbours | null = null;
  const found = (count: number, base: number): Found => {
    const places = new Uint32Array(buffer, PLACES, count);
    for (let i = 0; i < count; i += 1) places[i]! -= base;
    return { count, lines: new Uint32Array(buffer, LINES, count), places };
  };
  return {
    source: Buffer.from(buffer, SOURCE, SOURCE_BYTES + 128),
    stripped: Buffer.from(buffer, STRIPPED, SOURCE_BYTES + PAGE),
    classify(start, end) {
      // Steps of 64 look past the end, where a CR would look for its LF. Printable bytes there are of no kind.
      memory.fill(0x78, SOURCE + end, SOURCE + end + 80);
      memory[SOURCE + end] = 10;
      const kinds = classifier.classify(SOURCE + start, SOURCE + end);
      const behind = (end - start) % 64 === 0 ? 0 : 1;
      return { kinds, newlines: classifier.newlines.value - behind };
    },
    find(area, start, end, literal) {
      if (literal !== loaded) {
        memory.set(literal.bytes, LITERAL);
        memory.set(literal.fold, FOLD);
        loaded = literal;
      }
      const base = area === 'source' ? SOURCE : STRIPPED;
      const [rare1, rare2] = literal.rare;
      const { length } = literal.bytes;
      const count = exports.find(
        base + start,
        base + end,
        LITERAL,
        FOLD,
        length,
        rare1,
        rare2,
        LINES,
        PLACES,
      );
      return found(count, base);
    },
    strip(start, end, at) {
      const out = exports.strip(SOURCE + start, SOURCE + end, STRIPPED + at);
      return { stopped: exports.stopped.value - SOURCE, at: out - STRIPPED };
    },
    seams(start, end, neighbours) {
      if (neighbours !== loadedNeighbours) {
        new Uint32Array(buffer, BEFORE, 256).set(neighbours.before);
        new Uint32Array(buffer, BEHIND, 256).set(neighbours.behind);
        loadedNeighbours = neighbours;
      }
      return found(
        exports.seams(SOURCE + start, SOURCE + end, BEFORE, BEHIND, SCRATCH, LINES, PLACES),
        SOURCE,
      );
    },
    gather(start, end, places, at) {
      const own = new Uint32Array(buffer, PLACES, places.length);
      for (let i = 0; i < places.length; i += 1) own[i] = places[i]! + SOURCE;
      const out = exports.gather(SOURCE + start, SOURCE + end, PLACES, places.length, STRIPPED + at);
      return { done: exports.stopped.value, at: out - STRIPPED };
    },
  };
}

function instantiate<Exports>(bytes: Uint8Array, imports: Record<string, Record<string, never>>): Exports {
  const module = new WebAssembly.Module(bytes as Uint8Array<ArrayBuffer>);
  return new WebAssembly.Instance(module, imports).exports as unknown as Exports;
}
