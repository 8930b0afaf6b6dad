/**
 * Passes once over whole lines: hashes each line's shape, looks up its words, and counts them.
 *
 * The fine shape masks paths, quoted words and words with a digit; the coarse one masks all words. The pass reads over
 * colours; a carriage return begins the line anew.
 */
import { Buffer } from 'node:buffer';
import { CR, ESC, LF } from '../../../../shared/text/codes.ts';
import { isErrorLevel, levelOfCodes } from '../../../../shared/text/levels.ts';
import { mayMarkStep } from '../../sections/markers.ts';
import type { Steps } from '../../sections/steps.ts';
import { stampEnd } from '../../shapes/line-prefix.ts';
import {
  afterEscape,
  BLANK,
  BYTE_CLASS,
  DIGIT,
  FACTOR,
  HIGH,
  LETTER,
  LOWER,
  QUOTE,
  SEED,
  STOP,
  UPPER,
  WORD,
} from './line-bytes.ts';
import type { FailureShapes } from './shape-table.ts';
import { COLON, endOfToken, lastHash, lastKinds, SLASHED } from './tokens.ts';
import { groupsOf, WORD_FILTER, WORD_GROUP } from './words.ts';

/** Bytes of a line that are looked at. */
const LOOKED_AT_BYTES = 1024;

const LABELS = WORD_GROUP.error | WORD_GROUP.fatal | WORD_GROUP.warn;
/** Codes that replace masked text. */
const A_NUMBER = 1;
const A_PATH = 2;
const A_WORD = 3;
const A_QUOTED = 4;
const MASK_16 = 0xffff;

/** Counts of the lines so far. */
interface Counts {
  readonly shapes: FailureShapes;
  readonly steps: Steps;
  /** Lines have a job and a step before their time. */
  hasColumns: boolean;
  /** How often words came, by the end of their hash. */
  readonly wordCounts: Uint8Array;
  /** Lines so far, and where the next one begins. */
  lines: number;
  offset: number;
}

/** `to` must follow a line end. */
export function scanLines(bytes: Uint8Array, from: number, to: number, scanner: Counts): void {
  const base = scanner.offset - from;
  for (let p = from; p < to; p++) {
    const line = ++scanner.lines;
    const message = stampEnd(bytes, p, to, scanner.hasColumns || line <= COLUMN_LINES);
    if (message > p && !scanner.hasColumns) scanner.hasColumns = isLetterOrMark(bytes[p]!);
    if (mayMarkStep(bytes, message)) scanner.steps.add(line, beginningOf(bytes, message, to));
    p = scanLine(bytes, p, to, base + p, line, scanner, message);
  }
  scanner.offset = base + to;
}

/** A log that has a job and a step before each line has them in its first lines. */
const COLUMN_LINES = 64;
/** A name begins with neither a digit nor a bracket. */
const isLetterOrMark = (byte: number) => byte > 0x39 && byte !== 0x5b;
/** Words without which hardly a line is at error level. */
const LEVELLED = WORD_GROUP.error | WORD_GROUP.fatal | WORD_GROUP.label | WORD_GROUP.mark;

/** Bytes of a line that may mark a step. */
const MARKER_BYTES = 300;

function beginningOf(bytes: Uint8Array, from: number, to: number): string {
  const end = bytes.indexOf(LF, from);
  const most = from + MARKER_BYTES;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + from, Math.min(most, end < 0 ? to : end) - from);
  return text.toString('utf8').replace(/\r$/, '');
}

/** Returns where the line end is. The state of the line is in variables: as fields it takes a tenth longer. */
function scanLine(
  bytes: Uint8Array,
  start: number,
  to: number,
  offset: number,
  line: number,
  { shapes, wordCounts }: Counts,
  message: number,
): number {
  const limit = start + LOOKED_AT_BYTES;
  let fine = SEED;
  let coarse = SEED;
  let words = 0;
  let p = start;
  for (;;) {
    const byte = bytes[p]!;
    const kind = BYTE_CLASS[byte]!;
    if ((kind & WORD) !== 0) {
      const first = p;
      p = endOfToken(bytes, first, to);
      const token = lastHash;
      const kinds = lastKinds;
      words |= groupsIn(bytes, first, p, kinds, token);
      const masked = maskOf(bytes, start, first, p, kinds);
      fine = Math.imul(fine ^ (masked === A_WORD ? token : masked), FACTOR);
      coarse = Math.imul(coarse ^ masked, FACTOR);
      if (p - first > 2) countWord(wordCounts, token);
    } else if ((kind & STOP) !== 0) {
      if (byte === LF) break;
      if (byte === ESC) p = afterEscape(bytes, p, to);
      else if (bytes[++p] !== LF && bytes[p] !== CR) {
        // A redraw.
        fine = coarse = SEED;
        words = 0;
      }
    } else if ((kind & BLANK) !== 0) {
      p++;
    } else {
      fine = Math.imul(fine ^ byte, FACTOR);
      coarse = Math.imul(coarse ^ byte, FACTOR);
      if (++p > limit) {
        p = bytes.indexOf(LF, p);
        break;
      }
    }
  }
  const slot = shapes.add(fine, coarse, words, line, offset);
  if (slot >= 0 && (words & LEVELLED) !== 0 && isErrorLevel(levelOfCodes(bytes, message, Math.min(p, limit))))
    shapes.isError[slot] = 1;
  return p;
}

/** The groups of a token's words, and what it says together with the byte before or after it. */
function groupsIn(bytes: Uint8Array, first: number, end: number, kinds: number, hash: number): number {
  if (kinds === LOWER) {
    if (WORD_FILTER[hash & 0x3fff] === 0) return 0;
    const groups = groupsOf(hash);
    return (groups & LABELS) !== 0 && isAfterLabel(bytes[end]!) ? groups | WORD_GROUP.label : groups;
  }
  // Expressions blank paths, too.
  if ((kinds & SLASHED) !== 0) return 0;
  if ((kinds & (UPPER | LOWER | HIGH)) !== 0) {
    const both = wordsOfToken(bytes, first, end);
    const isLabel = ((both >>> 16) & LABELS) !== 0 && ((both & IS_CAMEL) !== 0 || isAfterLabel(bytes[end]!));
    return (both & ALL_GROUPS) | (isLabel ? WORD_GROUP.label : 0);
  }
  return (kinds & ~COLON) === DIGIT && bytes[first - 1] === 0x3a ? WORD_GROUP.fileLine : 0;
}

/** Returns the mask of a token in shapes. */
function maskOf(bytes: Uint8Array, start: number, first: number, end: number, kinds: number): number {
  if ((kinds & SLASHED) !== 0) return A_PATH;
  const before = first > start ? bytes[first - 1]! : 0;
  if (before === 0x2f) return A_PATH;
  if ((kinds & DIGIT) !== 0) return A_NUMBER;
  if ((BYTE_CLASS[before]! & BYTE_CLASS[bytes[end]!]! & QUOTE) === 0) return A_WORD;
  // Mask 'x', but not "key": or :"value" of JSON.
  const isOfJson = bytes[end + 1] === 0x3a || (first >= start + 2 && bytes[first - 2] === 0x3a);
  return isOfJson ? A_WORD : A_QUOTED;
}

function countWord(wordCounts: Uint8Array, hash: number): void {
  const at = (hash ^ (hash >>> 16)) & MASK_16;
  if (wordCounts[at]! < 0xff) wordCounts[at]!++;
}

/** `:`, `[` or `]`. */
function isAfterLabel(byte: number): boolean {
  return byte === 0x3a || byte === 0x5d || byte === 0x5b;
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

const ALL_GROUPS = 0x1fff;
/** Beside the groups of words. */
const IS_CAMEL = 1 << 14;
