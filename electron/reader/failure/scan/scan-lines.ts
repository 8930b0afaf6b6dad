/**
 * Passes once over whole lines: hashes each line's shape, looks up its words, and counts names and values.
 *
 * The fine shape masks paths, quoted words and words with a digit; the coarse one masks all words. The pass reads over
 * colours; a carriage return begins the line anew.
 */
import { CR, ESC, LF } from '../../../../shared/text/byte-values.ts';
import { afterEscape } from './escape.ts';
import type { KeyValues } from './key-values.ts';
import {
  BLANK,
  BYTE_CLASS,
  DIGIT,
  FACTOR,
  HIGH,
  JOINT,
  LETTER,
  LOWER,
  NAME_BYTES,
  QUOTE,
  SEED,
  STOP,
  UPPER,
  WORD,
} from './line-bytes.ts';
import type { NameCounts } from './names.ts';
import { type FailureShapes, SLOTS } from './shape-table.ts';
import { groupsOf, WORD_FILTER, WORD_GROUP } from './words.ts';

/** Bytes of a line that are looked at. */
const LOOKED_AT_BYTES = 1024;

const LABELS = WORD_GROUP.error | WORD_GROUP.fatal | WORD_GROUP.warn;
/** Codes that replace masked text. */
const A_NUMBER = 1;
const A_PATH = 2;
const A_WORD = 3;
const A_QUOTED = 4;
/** Tells `revision 41` from `revision=41`. */
const BEFORE_NUMBER = 0x5bd1e995;
/** A word that came so often does not count as a name. */
const COMMON = 200;
const MASK_16 = 0xffff;

const values = new Int32Array(SLOTS);
const magnitudes = new Int32Array(SLOTS);

/** Counts of the lines so far. */
interface Counts {
  readonly shapes: FailureShapes;
  readonly names: NameCounts;
  readonly keys: KeyValues;
  /** How often words came, by the end of their hash. */
  readonly wordCounts: Uint8Array;
  /** Lines so far, and where the next one begins. */
  lines: number;
  offset: number;
}

/** `to` must follow a line end. */
export function scanLines(bytes: Uint8Array, from: number, to: number, scanner: Counts): void {
  const { shapes, names, keys, wordCounts } = scanner;
  const base = scanner.offset - from;
  let line = scanner.lines;
  let p = from;
  while (p < to) {
    const start = p;
    const limit = start + LOOKED_AT_BYTES;
    line++;
    let fine = SEED;
    let coarse = SEED;
    let words = 0;
    let numbers = 0;
    let hasFolder = false;
    /** Hash of the token before, while only ` `, `=` and `:` followed it. */
    let key = 0;
    let isKeyed = false;
    /** Hash of the last word with a blank after it, and where that blank ends. */
    let word = 0;
    let wordEnd = -1;
    for (;;) {
      const byte = bytes[p]!;
      const kind = BYTE_CLASS[byte]!;
      if ((kind & WORD) !== 0) {
        // A token: words and what joins them.
        const first = p;
        let kinds = 0;
        let token = SEED;
        let b = byte;
        let k = kind;
        for (;;) {
          do {
            kinds |= k;
            token = Math.imul(token ^ b, FACTOR);
            b = bytes[++p]!;
            k = BYTE_CLASS[b]!;
          } while ((k & WORD) !== 0);
          if ((k & JOINT) !== 0) {
            if ((BYTE_CLASS[bytes[p + 1]!]! & WORD) === 0) break;
            if (b === 0x2f) kinds |= SLASHED;
          } else if (b === 0x3a && (BYTE_CLASS[bytes[p - 1]!]! & BYTE_CLASS[bytes[p + 1]!]! & DIGIT) !== 0) {
            kinds |= COLON; // 12:34:56
          } else break;
        }
        let groups: number;
        if (kinds === LOWER) {
          groups = WORD_FILTER[token & 0x3fff] !== 0 ? groupsOf(token) : 0;
          words |= groups;
        } else if ((kinds & (UPPER | LOWER | HIGH)) !== 0) {
          const both = wordsOfToken(bytes, first, p);
          words |= both & ALL_GROUPS;
          groups = both >>> 16;
          if ((both & IS_CAMEL) !== 0) kinds |= CAMEL;
        } else groups = 0;
        if ((groups & LABELS) !== 0 && (b === 0x3a || b === 0x5d || b === 0x5b || (kinds & CAMEL) !== 0))
          words |= WORD_GROUP.label;
        const length = p - first;
        if ((kinds & ~COLON) === DIGIT && bytes[first - 1] === 0x3a) words |= WORD_GROUP.fileLine;
        let masked: number;
        if ((kinds & SLASHED) !== 0 || (first > start && bytes[first - 1] === 0x2f)) masked = A_PATH;
        else if ((kinds & DIGIT) !== 0) masked = A_NUMBER;
        else masked = A_WORD;
        if (
          first > start &&
          (BYTE_CLASS[bytes[first - 1]!]! & QUOTE) !== 0 &&
          (k & QUOTE) !== 0 &&
          masked === A_WORD
        ) {
          // Mask 'x', but not "key": or :"value" of JSON.
          const outside = bytes[p + 1];
          if (outside !== 0x3a && (first < start + 2 || bytes[first - 2] !== 0x3a)) masked = A_QUOTED;
        }
        fine = Math.imul(fine ^ (masked === A_WORD ? token : masked), FACTOR);
        coarse = Math.imul(coarse ^ masked, FACTOR);
        if (masked === A_NUMBER && numbers < SLOTS && !isTime(kinds, length)) {
          values[numbers] = token;
          magnitudes[numbers++] = magnitudeOf(bytes, first, p);
        }
        if (length > 2) {
          const at = (token ^ (token >>> 16)) & MASK_16;
          const known = wordCounts[at]!;
          if (known < 0xff) wordCounts[at] = known + 1;
          if (length >= NAME_BYTES && known < COMMON && (kinds & LETTER) !== 0) {
            names.add(token, line, base + start);
            if ((kinds & SLASHED) !== 0) {
              names.add(hashAfterSlash(bytes, first, p), line, base + start);
              if (stem !== 0) names.add(stem, line, base + start);
              if (!hasFolder && numbers < SLOTS && bytes[first - 1] === 0x2f) {
                hasFolder = true;
                values[numbers] = hashOfFolder(bytes, first, p);
                magnitudes[numbers++] = OF_FOLDER;
              }
            }
          }
        }
        if (isKeyed && key !== 0) keys.add(key, token, line, base + start);
        else if (first === wordEnd && masked === A_NUMBER && !isTime(kinds, length)) {
          keys.add(word ^ BEFORE_NUMBER, token, line, base + start);
        }
        key = (kinds & DIGIT) === 0 ? token : 0;
        if (key !== 0 && b === 0x20) {
          word = token;
          wordEnd = p + 1;
        }
        isKeyed = false;
        continue;
      }
      if ((kind & STOP) !== 0) {
        if (byte === ESC) {
          p = afterEscape(bytes, p, to);
          continue;
        }
        if (byte === LF) break;
        // CR: of CRLF, or a redraw
        if (bytes[p + 1] === LF) {
          p++;
          break;
        }
        p++;
        if (bytes[p] === CR) continue;
        fine = coarse = SEED;
        words = numbers = key = 0;
        hasFolder = false;
        continue;
      }
      p++;
      if ((kind & BLANK) !== 0) {
        if (!isKeyed && bytes[p - 2] !== 0x3a) key = 0;
        continue;
      }
      if (byte === 0x3d || byte === 0x3a) isKeyed = key !== 0;
      else if ((kind & QUOTE) === 0) key = 0;
      fine = Math.imul(fine ^ byte, FACTOR);
      coarse = Math.imul(coarse ^ byte, FACTOR);
      if (p > limit) {
        p = bytes.indexOf(LF, p);
        break;
      }
    }
    shapes.add(fine, coarse, words, line, base + start, values, magnitudes, numbers);
    p++;
  }
  scanner.lines = line;
  scanner.offset = base + to;
}

/**
 * Returns the groups of all words of a token, camelCase taken apart; in the upper half the groups of its last word;
 * IS_CAMEL where it took the token apart.
 */
function wordsOfToken(bytes: Uint8Array, from: number, to: number): number {
  let groups = 0;
  let last = 0;
  let word = SEED;
  let before = 0;
  for (let p = from; p < to; p++) {
    const b = bytes[p]!;
    const k = BYTE_CLASS[b]!;
    if ((k & UPPER) !== 0 && (before & LOWER) !== 0) {
      if (WORD_FILTER[word & 0x3fff] !== 0) groups |= groupsOf(word);
      word = SEED;
      groups |= IS_CAMEL;
    }
    if ((k & LETTER) !== 0) {
      if (b >= 0xe3 && b < 0xf0) groups |= WORD_GROUP.unspaced;
      word = Math.imul(word ^ ((k & UPPER) !== 0 ? b | 0x20 : b), FACTOR);
    } else if (word !== SEED) {
      if (WORD_FILTER[word & 0x3fff] !== 0) groups |= groupsOf(word);
      word = SEED;
    }
    before = k;
  }
  if (word !== SEED && WORD_FILTER[word & 0x3fff] !== 0) {
    last = groupsOf(word);
    groups |= last;
  }
  return groups | (last << 16);
}

function hashAfterSlash(bytes: Uint8Array, from: number, to: number): number {
  let p = to;
  while (p > from && bytes[p - 1] !== 0x2f) p--;
  const begin = p;
  let hash = SEED;
  stem = 0;
  for (; p < to; p++) {
    if (bytes[p] === 0x2e && stem === 0 && p - begin >= NAME_BYTES) stem = hash;
    hash = Math.imul(hash ^ bytes[p]!, FACTOR);
  }
  return hash;
}

/** Files of one shape of line mostly come from one folder: another one is odd. */
function hashOfFolder(bytes: Uint8Array, from: number, to: number): number {
  let end = to;
  while (end > from && bytes[end] !== 0x2f) end--;
  let hash = SEED;
  for (let p = from; p < end; p++) hash = Math.imul(hash ^ bytes[p]!, FACTOR);
  return hash;
}

/** In place of a magnitude. */
const OF_FOLDER = 22;

/** Set by `hashAfterSlash`: hash of the file's name without extensions, or 0. */
let stem = 0;

const ALL_GROUPS = 0x1fff;
/** Beside the groups of words. */
const IS_CAMEL = 1 << 14;
/** Beside what BYTE_CLASS says. */
const CAMEL = 1 << 10;
const SLASHED = 1 << 11;
const COLON = 1 << 12;

/** A time, or a date: they differ on every line. */
function isTime(kinds: number, length: number): boolean {
  return (kinds & COLON) !== 0 || (kinds === (DIGIT | JOINT) && length === 10);
}

/** Returns a number's count of digits before the point, 0 for zero; for other tokens a class. 0 to 30. */
function magnitudeOf(bytes: Uint8Array, from: number, to: number): number {
  if ((BYTE_CLASS[bytes[from]!]! & DIGIT) === 0) return 24 + Math.min(6, to - from > 12 ? 6 : 1);
  let p = from;
  while (p < to && bytes[p] === 0x30) p++;
  const first = p;
  while (p < to && (BYTE_CLASS[bytes[p]!]! & DIGIT) !== 0) p++;
  const digits = Math.min(15, p - first);
  const isNegative = bytes[from - 1] === 0x2d;
  return isNegative ? 23 : digits;
}
