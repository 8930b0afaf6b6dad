/** Classes of bytes, for the one pass of the scanner. */

/** First value and multiplier of FNV-1a, 32 bits. */
export const SEED = 0x811c9dc5 | 0;
export const FACTOR = 0x01000193;

export const LOWER = 1;
export const UPPER = 2;
export const DIGIT = 4;
/** Part of a character outside ASCII. */
export const HIGH = 8;
export const UNDERSCORE = 16;
/** Joins words to one token where a word follows: `.` `-` `/` `@` `~` `+`. */
export const JOINT = 32;
export const BLANK = 64;
export const QUOTE = 128;
/** Ends the fast path: LF, CR, ESC. */
export const STOP = 256;
export const LETTER = LOWER | UPPER | HIGH;
export const WORD = LOWER | UPPER | DIGIT | HIGH | UNDERSCORE;

export const KIND = new Uint16Array(256);
for (let byte = 0x61; byte <= 0x7a; byte++) KIND[byte] = LOWER;
for (let byte = 0x41; byte <= 0x5a; byte++) KIND[byte] = UPPER;
for (let byte = 0x30; byte <= 0x39; byte++) KIND[byte] = DIGIT;
for (let byte = 0x80; byte <= 0xff; byte++) KIND[byte] = HIGH;
KIND[0x5f] = UNDERSCORE;
for (const char of './-@~+') KIND[char.charCodeAt(0)] = JOINT;
for (const char of '\'"`') KIND[char.charCodeAt(0)] = QUOTE;
KIND[0x20] = BLANK;
KIND[0x09] = BLANK;
for (const byte of [0x0a, 0x0d, 0x1b]) KIND[byte] = STOP;

/** Shorter words do not count as names. */
export const NAME_BYTES = 4;
