/** Classes of bytes, for the one pass of the scanner. */
import { ESC, LF } from '../../../../shared/text/codes.ts';

/** First value and multiplier of FNV-1a, 32 bits. */
export const SEED = 0x811c9dc5 | 0;
export const FACTOR = 0x01000193;

export const LOWER = 1;
export const UPPER = 2;
export const DIGIT = 4;
/** Part of a character outside ASCII. */
export const HIGH = 8;
const UNDERSCORE = 16;
/** Joins words to one token where a word follows: `.` `-` `/` `@` `~` `+`. */
export const JOINT = 32;
export const BLANK = 64;
export const QUOTE = 128;
/** Ends the fast path: LF, CR, ESC. */
export const STOP = 256;
export const LETTER = LOWER | UPPER | HIGH;
export const WORD = LOWER | UPPER | DIGIT | HIGH | UNDERSCORE;

export const BYTE_CLASS = new Uint16Array(256);
for (let byte = 0x61; byte <= 0x7a; byte++) BYTE_CLASS[byte] = LOWER;
for (let byte = 0x41; byte <= 0x5a; byte++) BYTE_CLASS[byte] = UPPER;
for (let byte = 0x30; byte <= 0x39; byte++) BYTE_CLASS[byte] = DIGIT;
for (let byte = 0x80; byte <= 0xff; byte++) BYTE_CLASS[byte] = HIGH;
BYTE_CLASS[0x5f] = UNDERSCORE;
for (const char of './-@~+') BYTE_CLASS[char.charCodeAt(0)] = JOINT;
for (const char of '\'"`') BYTE_CLASS[char.charCodeAt(0)] = QUOTE;
BYTE_CLASS[0x20] = BLANK;
BYTE_CLASS[0x09] = BLANK;
for (const byte of [0x0a, 0x0d, 0x1b]) BYTE_CLASS[byte] = STOP;

/** Returns where the escape sequence at `p` ends: CSI, OSC (colours, titles, links), or two bytes. */
export function afterEscape(bytes: Uint8Array, p: number, to: number): number {
  const next = bytes[p + 1];
  if (next === 0x5b) {
    let q = p + 2;
    while (q < to && bytes[q]! >= 0x20 && bytes[q]! < 0x40) q++;
    return bytes[q] === LF ? q : q + 1;
  }
  if (next === 0x5d) {
    let q = p + 2;
    while (q < to && bytes[q] !== 7 && bytes[q] !== LF && bytes[q] !== ESC) q++;
    return bytes[q] === LF ? q : bytes[q] === ESC && bytes[q + 1] === 0x5c ? q + 2 : q + 1;
  }
  return next === LF || next === undefined ? p + 1 : p + 2;
}
