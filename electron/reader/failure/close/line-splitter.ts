/** Splits lines into hashes of pieces (columns: whole names and numbers) and of words (parts of names). */
import { CR, ESC } from '../../../../shared/text/codes.ts';
import {
  afterEscape,
  BLANK,
  BYTE_CLASS,
  DIGIT,
  FACTOR,
  HIGH,
  LETTER,
  LOWER,
  NOT_HEX,
  SEED,
  UPPER,
  WORD,
} from '../scan/line-bytes.ts';
import { COLON, DOT, endOfToken, hashOfFolder, lastHash, lastKinds, SLASHED } from '../scan/tokens.ts';

/** A longer line is cut. */
const LINE_BYTES = 256;
const LEAST_WORD_BYTES = 3;
/** Words that begin alike count as one: `limits` and `limited`, `client` and `clients`. */
const STEM_BYTES = 5;
/** Set in the hash of a number, and in no other word's. */
export const IS_NUMBER = 1;
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

export class LineSplitter {
  /** Hashes; 0 for signs and stamps. */
  readonly pieces: Int32Array;
  pieceCount = 0;
  readonly words: Int32Array;
  wordCount = 0;
  /** Hashes of the last line: the classes of its pieces, and of its first ones. */
  kind = 0;
  lead = 0;

  /** Has room for the lines of so many bytes. */
  constructor(bytes: number) {
    // A byte is at most one piece, and a path adds its folder as another.
    this.pieces = new Int32Array(bytes * 2 + 16);
    this.words = new Int32Array(bytes + 16);
  }

  split(bytes: Uint8Array, from: number, to: number): void {
    const limit = Math.min(to, from + LINE_BYTES);
    const firstPiece = this.pieceCount;
    const firstWord = this.wordCount;
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
        if (of !== A_STAMP) this.#wordsOf(bytes, first, p);
      } else if ((k & BLANK) !== 0) p++;
      else if (byte === ESC) p = afterEscape(bytes, p, limit);
      else if (byte === CR) {
        p++;
        if (p < limit) {
          this.pieceCount = firstPiece;
          this.wordCount = firstWord;
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

  /** Parts of a name, in lower case: `maxOpenFiles` is three. */
  #wordsOf(bytes: Uint8Array, from: number, to: number): void {
    let word = SEED;
    let length = 0;
    let before = 0;
    let last = 0;
    /** Hash before the last byte that was hashed. */
    let without = SEED;
    for (let p = from; p <= to; p++) {
      const b = p < to ? bytes[p]! : 0;
      const k = p < to ? BYTE_CLASS[b]! : 0;
      const isDigit = (k & DIGIT) !== 0;
      const starts = ((k & UPPER) !== 0 && (before & LOWER) !== 0) || isDigit !== ((before & DIGIT) !== 0);
      if ((k & (LETTER | DIGIT)) === 0 || starts) {
        if ((before & DIGIT) !== 0) this.words[this.wordCount++] = word | IS_NUMBER;
        else if (length >= LEAST_WORD_BYTES) {
          const isPlural = length > LEAST_WORD_BYTES && length <= STEM_BYTES && (last | 0x20) === 0x73;
          this.words[this.wordCount++] = (isPlural ? without : word) & ~IS_NUMBER;
        }
        word = SEED;
        length = 0;
      }
      if ((k & (LETTER | DIGIT)) !== 0) {
        length++;
        if (length <= STEM_BYTES || (k & (HIGH | DIGIT)) !== 0) {
          without = word;
          word = Math.imul(word ^ ((k & UPPER) !== 0 ? b | 0x20 : b), FACTOR);
        }
        last = b;
      }
      before = k;
    }
  }
}

function isStamp(kinds: number, length: number): boolean {
  if (length < STAMP_DIGITS || (kinds & DIGIT) === 0 || kinds >= ADDRESS_DOTS * DOT) return false;
  return (kinds & (NOT_HEX | SLASHED | HIGH)) === 0;
}
