/**
 * Finds the lines of a block that may hold one of some literals, by scanning bytes at memory speed. In coloured text
 * an escape sequence may split a literal; those lines are candidates, too (`neighboursOf`).
 */
import { CONTROLS, type Controls, UNKNOWN_BYTE } from '../../reader/lines/controls.ts';
import type { Block } from '../blocks.ts';
import {
  type ByteLiteral,
  type Neighbours,
  type ScannedLines,
  type Scanner,
  WINDOW_BYTES,
} from './scanner.ts';

interface Candidates {
  /** Lines whose text certainly holds a literal. Valid until the scanner is used again. */
  sure: ScannedLines;
  /** Lines whose text may hold one. */
  unsure: ScannedLines;
}

/** Above this share of a block's lines, gathering them costs more than reading the whole block. */
const DENSE = 1 / 3;
/** Up to this many lines are always read singly. */
const FEW_LINES = 16;

export class LiteralSearch {
  readonly #scanner: Scanner;
  readonly #literals: readonly ByteLiteral[];
  readonly #neighbours: Neighbours;
  readonly #inDoubt: Doubt;

  constructor(scanner: Scanner, literals: readonly ByteLiteral[]) {
    this.#scanner = scanner;
    this.#literals = literals;
    this.#neighbours = neighboursOf(literals);
    this.#inDoubt = doubtOf(literals);
  }

  /**
   * Returns the lines of a block that may match; null if they are so many that reading the whole block costs less.
   * With `exact`, lines in `sure` match and need no reading.
   */
  candidates(
    source: Uint8Array,
    { start, end, newlines, seams: known }: Pick<Block, 'start' | 'end' | 'newlines' | 'seams'>,
    controls: Controls,
    exact: boolean,
  ): Candidates | null {
    const most = Math.max(FEW_LINES, newlines * DENSE);
    if (controls === CONTROLS.none) {
      const sure = this.#find(start, end);
      return exact || sure.count <= most ? { sure, unsure: NONE } : null;
    }
    const onlyColours = controls === CONTROLS.colours;
    const mayHide = !onlyColours || this.#mayBeSplit(known);
    const hidden = mayHide ? this.#scanner.seams(start, end, this.#neighbours, onlyColours) : NONE;
    if (hidden.count > most) return null;
    const seams = copied(hidden);
    const hits = this.#find(start, end);
    const unsure = uniqueLines([seams, copied(this.#inDoubt(source, hits, most))]);
    if (unsure.count + (exact ? 0 : hits.count) > most) return null;
    if (unsure.count === 0) return { sure: hits, unsure };
    const looked = new Set(unsure.lines);
    return { sure: filtered(hits, (line) => !looked.has(line)), unsure };
  }

  /** Returns whether a colour may be within a literal. */
  #mayBeSplit(seams: ReadonlySet<number> | null): boolean {
    if (seams) return maySplit(seams, this.#neighbours);
    return this.#literals.some(({ bytes }) => bytes.length > 1);
  }

  #find(start: number, end: number): ScannedLines {
    const [first, ...more] = this.#literals;
    if (more.length === 0) return this.#scanner.find(start, end, first!);
    return this.#scanner.findAny(start, end, this.#literals);
  }
}

// Prepares literals for the scanner.

/**
 * Returns a literal's UTF-8 bytes. With `ignoreCase`, only ASCII letters may occur: the cases of others differ in
 * more than one bit.
 */
export function byteLiteral(text: string, ignoreCase: boolean): ByteLiteral {
  const bytes = Buffer.from(text);
  const fold = new Uint8Array(bytes.length);
  for (const [i, byte] of bytes.entries()) {
    const lower = byte | 0x20;
    if (!ignoreCase || byte > 127 || lower < 0x61 || lower > 0x7a) continue;
    fold[i] = 0x20;
    bytes[i] = lower;
  }
  return { bytes, fold, rare: rarest(bytes) };
}

/** The bytes of texts, logs and disassemblies, from the most frequent on; others are rare. */
const FREQUENT = ' e0taoinrs1l2cd34f8u56m79pbhg.-/:_yvwk=,x"()%[]\'$#qj;z@<>{}';
/** Only so many of a literal's first bytes are candidates. */
const CANDIDATES = 32;

/** Returns the places to look at first: of the rarest bytes, and of the neighbours that are rarest together. */
function rarest(bytes: Uint8Array): ByteLiteral['rare'] {
  const ranks = Array.from(bytes.subarray(0, CANDIDATES), (byte) => {
    const rank = FREQUENT.indexOf(String.fromCharCode(byte));
    return rank < 0 ? FREQUENT.length : rank;
  });
  const places = [...ranks.keys()].sort((a, b) => ranks[b]! - ranks[a]!);
  const windows = ranks.slice(0, 1 - WINDOW_BYTES).map((rank, i) => rank + ranks[i + 1]! + ranks[i + 2]!);
  return {
    first: places[0]!,
    second: places[1] ?? 0,
    window: Math.max(0, windows.indexOf(Math.max(...windows))),
  };
}

// Finds the lines of coloured text in which a literal can't be trusted from the bytes alone: a control may split a
// literal (`neighboursOf`), or a found literal may be part of a control (`doubtOf`). Most lines are neither.

const [TAB, LF, BACKSPACE, CR, ESC, DELETE] = [9, 10, 8, 13, 27, 127];
/** The last bytes of colours. */
const [COLOUR, ERASE] = [0x6d, 0x4b];

/** Marks the bytes that are neighbours in a literal: a control between them may hide it (`Scanner.seams`). */
export function neighboursOf(literals: readonly ByteLiteral[]): Neighbours {
  const before = new Uint32Array(256);
  const behind = new Uint32Array(256);
  let place = 0;
  for (const { bytes, fold } of literals) {
    const mark = (table: Uint32Array, i: number) => {
      for (const byte of [bytes[i]!, bytes[i]! & ~fold[i]!]) table[byte]! |= 1 << (place % 32);
    };
    for (let i = 1; i < bytes.length; i += 1) {
      mark(before, i - 1);
      mark(behind, i);
      place += 1;
    }
  }
  // A control after a control counts as a neighbour of any byte: the scanner does not look further. Backspace, a
  // lone CR and longer sequences are seams anyway.
  for (let byte = 0; byte <= DELETE!; byte += 1) {
    const leftOut =
      (byte < 32 && byte !== TAB && byte !== LF && byte !== CR && byte !== BACKSPACE) || byte === DELETE;
    if (leftOut) behind[byte] = 0xffff_ffff;
  }
  return { before, behind };
}

/** Returns whether one of these seams (controls.ts) may be in a literal. */
function maySplit(seams: ReadonlySet<number>, { before, behind }: Neighbours): boolean {
  // Behind a colour may be another one, which follows the `m` or `K` of the first.
  let behindColours = 0;
  for (const seam of seams) {
    const final = seam >> 8;
    if (final === COLOUR || final === ERASE) behindColours |= placesOf(behind, seam & 0xff);
  }
  for (const seam of seams) {
    const next = seam & 0xff;
    const places = next === ESC ? behindColours : placesOf(behind, next);
    if ((placesOf(before, seam >> 8) & places) !== 0) return true;
  }
  return false;
}

function placesOf(table: Uint32Array, byte: number): number {
  return byte === UNKNOWN_BYTE ? -1 : table[byte]!;
}

/** Returns the lines in doubt; stops once there are more than `most`. */
type Doubt = (bytes: Uint8Array, found: ScannedLines, most: number) => ScannedLines;

/** For lines without a seam, whose text leaves out only `ESC [ … m`, `ESC [ K` and controls without effect. */
function doubtOf(literals: readonly ByteLiteral[]): Doubt {
  if (literals.some(({ bytes }) => bytes.some(isControl))) {
    return (_bytes, found, most) => filtered(found, () => true, most);
  }
  if (!literals.some(beginsLikeTheRestOfOne)) return () => NONE;
  return (bytes, found, most) =>
    filtered(found, (_line, place) => place > 0 && goesOnBehind(bytes[place - 1]!), most);
}

function isControl(byte: number): boolean {
  return (byte < 32 && byte !== TAB) || byte === DELETE;
}

/** Returns whether the literal could begin within an escape sequence: bracket, digits and separators, letter. */
function beginsLikeTheRestOfOne({ bytes, fold }: ByteLiteral): boolean {
  const first = bytes[0]!;
  return [first, first & ~fold[0]!].some((byte) => /[[0-;mK]/.test(String.fromCharCode(byte)));
}

function goesOnBehind(byte: number): boolean {
  return byte === ESC || byte === 0x5b || (byte >= 0x30 && byte <= 0x3b);
}

// Combines results of the scanner, which are valid only until its next call.

export function copied({ count, lines, places }: ScannedLines): ScannedLines {
  return { count, lines: lines.slice(), places: places.slice() };
}

/** Larger than any offset in the scanner's memory. */
const PLACES = 2 ** 23;

/** The empty result. */
const NONE: ScannedLines = { count: 0, lines: new Uint32Array(), places: new Uint32Array() };

/** Returns each line once, in order, with the first of its places. */
function uniqueLines(given: readonly ScannedLines[]): ScannedLines {
  const parts = given.filter(({ count }) => count > 0);
  // Usually only one part has lines, and sorting is the most expensive step here.
  if (parts.length < 2) return parts[0] ?? NONE;
  const all = new Float64Array(parts.reduce((sum, part) => sum + part.count, 0));
  let filled = 0;
  for (const { count, lines, places } of parts) {
    for (let i = 0; i < count; i += 1) all[filled + i] = lines[i]! * PLACES + places[i]!;
    filled += count;
  }
  all.sort();
  const lines = new Uint32Array(all.length);
  const places = new Uint32Array(all.length);
  let count = 0;
  for (const each of all) {
    const line = Math.floor(each / PLACES);
    if (count > 0 && lines[count - 1] === line) continue;
    lines[count] = line;
    places[count] = each % PLACES;
    count += 1;
  }
  return { count, lines: lines.subarray(0, count), places: places.subarray(0, count) };
}

/** Returns the lines for which `keep` returns true; stops once there are more than `most`. */
function filtered(
  found: ScannedLines,
  keep: (line: number, place: number) => boolean,
  most = found.count,
): ScannedLines {
  const lines = new Uint32Array(Math.min(found.count, most + 1));
  const places = new Uint32Array(lines.length);
  let count = 0;
  for (let i = 0; i < found.count && count <= most; i += 1) {
    if (!keep(found.lines[i]!, found.places[i]!)) continue;
    lines[count] = found.lines[i]!;
    places[count] = found.places[i]!;
    count += 1;
  }
  return { count, lines: lines.subarray(0, count), places: places.subarray(0, count) };
}
