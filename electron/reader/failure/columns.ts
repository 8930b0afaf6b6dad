/**
 * Compares lines that are built alike, piece by piece: in a column that mostly repeats a few values, another one stands
 * out; in a column where each line has its own, so does one that comes twice. It reads the beginning and the end of a
 * text, as bytes: it runs once after a command, when nothing of it is compiled yet.
 */

import { Buffer } from 'node:buffer';
import { CR, ESC, LF } from '../../../shared/text/codes.ts';
import type { FailureText } from './log-lines.ts';
import { HashCounts } from './scan/hash-slots.ts';
import {
  afterEscape,
  BLANK,
  BYTE_CLASS,
  DIGIT,
  FACTOR,
  HIGH,
  NOT_HEX,
  SEED,
  WORD,
} from './scan/line-bytes.ts';
import { COLON, DOT, endOfToken, hashOfFolder, lastHash, lastKinds, SLASHED } from './scan/tokens.ts';

/** How a line's columns differ from those of lines with the same structure; each from 0 to 1. */
export interface ColumnSigns {
  /** How rare its rarest value is in a column that mostly repeats. */
  readonly rare: number;
  /** The same of its second rarest. */
  readonly alsoRare: number;
  /** It repeats a value where others don't. */
  readonly twice: number;
  /** As `rare`, where the lines before and after agree. */
  readonly departs: number;
  /** How rare its first words are among lines that begin alike. */
  readonly lead: number;
}

export const NO_SIGNS: ColumnSigns = { rare: 0, alsoRare: 0, twice: 0, departs: 0, lead: 0 };

/** Returns one figure for all signs. */
export function unlikeness({ rare, twice, departs, lead }: ColumnSigns): number {
  return Math.max(rare, 0.6 * lead) + 0.4 * twice + departs;
}

const LEAST_LINES = 5;
const MOST_COLUMNS = 64;
const LEAD_COLUMNS = 3;
/** So many bits of rarity count in full. */
const FULL_BITS = 9;
/** In a column with a smaller share of different values, lines agree. */
const AGREEING_SHARE = 0.2;
/** In a column with a larger one, each line has its own. */
const OWN_SHARE = 0.85;
const LEAST_OWN_LINES = 8;
const MOST_TWICE = 3;

/** By index of the line. */
export function compareColumns(close: CloseLines): ColumnSigns[] {
  return new Columns(close).signs();
}

class Columns {
  readonly #close: CloseLines;
  readonly #pieces: Int32Array;
  /** Lines of a kind, values of a column, lines with a value. */
  readonly #lines: HashCounts;
  readonly #values: HashCounts;
  readonly #times: HashCounts;

  constructor(close: CloseLines) {
    this.#close = close;
    this.#pieces = close.splitter.pieces;
    const pieces = close.splitter.pieceCount;
    this.#lines = new HashCounts(close.count * 2);
    this.#values = new HashCounts(pieces + close.count * LEAD_COLUMNS);
    this.#times = new HashCounts(pieces + close.count * LEAD_COLUMNS);
  }

  signs(): ColumnSigns[] {
    const { count, kinds, leads } = this.#close;
    const before = new Int32Array(count).fill(-1);
    const behind = new Int32Array(count).fill(-1);
    const last = new Map<number, number>();
    for (let i = 0; i < count; i++) {
      const previous = last.get(kinds[i]!);
      if (previous !== undefined) {
        before[i] = previous;
        behind[previous] = i;
      }
      last.set(kinds[i]!, i);
      this.#count(i, kinds[i]!, MOST_COLUMNS);
      if (leads[i] !== 0) this.#count(i, leads[i]! ^ IS_LEAD, LEAD_COLUMNS);
    }
    return Array.from({ length: count }, (_, i) => this.#signsOf(i, before[i]!, behind[i]!));
  }

  #width(i: number): number {
    const { pieceStarts, splitter } = this.#close;
    return (pieceStarts[i + 1] ?? splitter.pieceCount) - pieceStarts[i]!;
  }

  #count(i: number, kind: number, most: number): void {
    this.#lines.add(kind);
    const start = this.#close.pieceStarts[i]!;
    const width = Math.min(most, this.#width(i));
    for (let c = 0; c < width; c++) {
      const piece = this.#pieces[start + c]!;
      if (piece === 0) continue;
      const column = columnOf(kind, c);
      if (this.#times.add(column ^ piece) === 1) this.#values.add(column);
    }
  }

  #signsOf(i: number, before: number, behind: number): ColumnSigns {
    const { kinds, leads, pieceStarts } = this.#close;
    const kind = kinds[i]!;
    const lines = this.#lines.of(kind);
    const start = pieceStarts[i]!;
    let rare = 0;
    let alsoRare = 0;
    let twice = 0;
    let departs = 0;
    if (lines >= LEAST_LINES) {
      const width = Math.min(MOST_COLUMNS, this.#width(i));
      for (let c = 0; c < width; c++) {
        const piece = this.#pieces[start + c]!;
        if (piece === 0) continue;
        const column = columnOf(kind, c);
        const values = this.#values.of(column);
        if (values === 1) continue;
        const times = this.#times.of(column ^ piece);
        const own = values / lines;
        if (own > OWN_SHARE) {
          if (times > 1 && times <= MOST_TWICE && lines >= LEAST_OWN_LINES) twice = 1;
          continue;
        }
        const bits = Math.log2(lines / times) * (1 - own) ** 2;
        if (bits > rare) {
          alsoRare = rare;
          rare = bits;
        } else if (bits > alsoRare) alsoRare = bits;
        if (before < 0 || behind < 0 || own >= AGREEING_SHARE) continue;
        const other = this.#pieces[pieceStarts[before]! + c]!;
        if (other !== piece && other === this.#pieces[pieceStarts[behind]! + c]) departs = 1;
      }
    }
    const lead = leads[i] === 0 ? 0 : this.#leadOf(start, leads[i]! ^ IS_LEAD);
    if (rare === 0 && twice === 0 && lead === 0) return NO_SIGNS;
    rare = Math.min(1, rare / FULL_BITS);
    return { rare, alsoRare: Math.min(1, alsoRare / FULL_BITS), twice, departs: departs * rare, lead };
  }

  #leadOf(start: number, kind: number): number {
    const lines = this.#lines.of(kind);
    if (lines < LEAST_LINES) return 0;
    let rare = 0;
    for (let c = 0; c < LEAD_COLUMNS; c++) {
      const piece = this.#pieces[start + c]!;
      if (piece === 0) continue;
      const column = columnOf(kind, c);
      const values = this.#values.of(column);
      if (values > 1)
        rare = Math.max(rare, Math.log2(lines / this.#times.of(column ^ piece)) * (1 - values / lines) ** 2);
    }
    return Math.min(1, rare / FULL_BITS);
  }
}

const IS_LEAD = 0x2545f491;

function columnOf(kind: number, column: number): number {
  return Math.imul(Math.imul(kind ^ (column + 1), FACTOR) ^ (kind >>> 13), 0x5bd1e995);
}

/** A longer text is read at its beginning and its end alone. */
const HEAD_BYTES = 96 * 1024;
const TAIL_BYTES = 160 * 1024;

/** The lines of a text's beginning and end, taken apart into hashes of their pieces. */
export class CloseLines {
  count = 0;
  /** By line: its number, where it begins, and where its pieces begin. */
  readonly numbers: number[] = [];
  readonly offsets: number[] = [];
  readonly splitter: LineSplitter;
  readonly pieceStarts: number[] = [];
  /** Hash of the classes of a line's pieces, and of its first ones. */
  readonly kinds: number[] = [];
  readonly leads: number[] = [];
  /** Number of lines from the beginning; lines from the end follow in the same numbering. */
  #headLines = 0;

  constructor(text: FailureText, totalLines: number) {
    const isWhole = text.size <= HEAD_BYTES + TAIL_BYTES;
    const head = read(text, 0, isWhole ? text.size : HEAD_BYTES);
    const tail = isWhole ? head.subarray(0, 0) : read(text, text.size - TAIL_BYTES, text.size);
    this.splitter = new LineSplitter(head.length + tail.length);
    const headEnd = isWhole ? head.length : head.lastIndexOf(LF) + 1;
    this.#take(head.subarray(0, headEnd), 0, 1);
    this.#headLines = this.count;
    const rest = tail.subarray(tail.indexOf(LF) + 1);
    if (rest.length > 0) this.#take(rest, text.size - rest.length, totalLines + 1 - linesIn(rest));
  }

  /** Index of a line by its number, or -1. */
  indexOf(number: number): number {
    if (number <= this.#headLines) return number - 1;
    const index = this.#headLines + number - (this.numbers[this.#headLines] ?? Number.POSITIVE_INFINITY);
    return index >= this.#headLines && index < this.count ? index : -1;
  }

  #take(bytes: Buffer, base: number, firstLine: number): void {
    const { splitter } = this;
    let number = firstLine;
    for (let at = 0; at < bytes.length; number++) {
      const next = bytes.indexOf(LF, at);
      const end = next < 0 ? bytes.length : next;
      this.count++;
      this.numbers.push(number);
      this.offsets.push(base + at);
      this.pieceStarts.push(splitter.pieceCount);
      splitter.split(bytes, at, end);
      this.kinds.push(splitter.kind);
      this.leads.push(splitter.lead);
      at = end + 1;
    }
  }
}

function read(text: FailureText, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(Math.max(0, to - from));
  return bytes.subarray(0, text.read(bytes, from));
}

/** A last line without a line end counts. */
function linesIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) count++;
  return bytes.at(-1) === LF ? count : count + 1;
}

/** A longer line is cut. */
const LINE_BYTES = 256;
/** Pieces that a line begins with. */
const LEAD = 3;

/** Classes of pieces; a sign is its own class. */
const A_NUMBER = 1;
const A_PATH = 2;
const A_WORD = 3;
/** A time, a date or an id: it differs anyway. */
const A_STAMP = 4;
/** Numbers with so many dots between them are an address. */
const ADDRESS_DOTS = 3;
const STAMP_DIGITS = 7;

/** Splits lines into hashes of pieces: whole names and numbers, and signs. */
class LineSplitter {
  /** Hashes; 0 for signs and stamps. */
  readonly pieces: Int32Array;
  pieceCount = 0;
  /** Hashes of the last line: the classes of its pieces, and of its first ones. */
  kind = 0;
  lead = 0;

  /** Has room for the lines of so many bytes. */
  constructor(bytes: number) {
    // A byte is at most one piece, and a path adds its folder as another.
    this.pieces = new Int32Array(bytes * 2 + 16);
  }

  split(bytes: Uint8Array, from: number, to: number): void {
    const limit = Math.min(to, from + LINE_BYTES);
    const firstPiece = this.pieceCount;
    let kind = SEED;
    let folders = 0;
    this.lead = 0;
    let p = from;
    while (p < limit) {
      const byte = bytes[p]!;
      const k = BYTE_CLASS[byte]!;
      if ((k & WORD) !== 0) {
        const first = p;
        p = endOfToken(bytes, p, limit, true);
        const kinds = lastKinds;
        let token = lastHash || 1;
        let of = A_WORD;
        if ((kinds & COLON) !== 0 || isStamp(kinds, p - first)) {
          of = A_STAMP;
          token = 0;
        } else if ((kinds & SLASHED) !== 0) of = A_PATH;
        else if ((kinds & DIGIT) !== 0) of = A_NUMBER;
        kind = Math.imul(kind ^ of, FACTOR);
        this.pieces[this.pieceCount++] = token;
        if (of === A_PATH) folders++;
      } else if ((k & BLANK) !== 0) p++;
      else if (byte === ESC) p = afterEscape(bytes, p, limit);
      else if (byte === CR) {
        p++;
        if (p < limit) {
          this.pieceCount = firstPiece;
          kind = SEED;
          folders = this.lead = 0;
        }
      } else {
        kind = Math.imul(kind ^ (byte + 8), FACTOR);
        this.pieces[this.pieceCount++] = 0;
        p++;
      }
      if (this.lead === 0 && this.pieceCount - firstPiece === LEAD) this.lead = kind | 1;
    }
    this.kind = kind;
    if (folders > 0) this.#folders(bytes, from, limit);
  }

  /** Adds the folder of each path as another piece. */
  #folders(bytes: Uint8Array, from: number, limit: number): void {
    for (let p = from; p < limit; ) {
      if ((BYTE_CLASS[bytes[p]!]! & WORD) === 0) {
        p++;
        continue;
      }
      const first = p;
      p = endOfToken(bytes, p, limit, true);
      if ((lastKinds & SLASHED) === 0 || (lastKinds & COLON) !== 0) continue;
      this.pieces[this.pieceCount++] = hashOfFolder(bytes, first, p) || 1;
    }
  }
}

function isStamp(kinds: number, length: number): boolean {
  if (length < STAMP_DIGITS || (kinds & DIGIT) === 0 || kinds >= ADDRESS_DOTS * DOT) return false;
  return (kinds & (NOT_HEX | SLASHED | HIGH)) === 0;
}
