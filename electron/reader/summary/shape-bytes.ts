/** Classifies bytes by their role in a line's shape. */
import { isDigit, isLetter } from '../../../shared/text/codes.ts';

/** A letter or underscore. */
const LETTER = 1;
export const DIGIT = 2;
/** Beyond ASCII: part of a word. */
const HIGH = 4;
/** Any of the three: part of a word. */
export const WORD_PART = 7;
/** Joins words to names and paths: `. - + @ % ~ # $`. */
export const JOIN = 8;
export const SLASH = 16;
/** May stand between parts of one number or time: `. - + / : ,` and blanks. */
export const KEEP = 32;
export const BLANK = 64;
/** `" ' \`` */
export const QUOTE = 128;
/** Controls other than tab: the line ends, or must be rendered. */
export const CONTROL = 256;

/** The bits of each byte. */
export const SHAPE_BITS: Uint16Array = Uint16Array.from({ length: 256 }, (_, code) => {
  if (code >= 0x80) return HIGH;
  if (code === 0x20 || code === 0x09) return BLANK | KEEP;
  if (code < 0x20 || code === 0x7f) return CONTROL;
  if (isLetter(code) || code === 0x5f) return LETTER;
  if (isDigit(code)) return DIGIT;
  const character = String.fromCharCode(code);
  let kind = 0;
  if ('.-+@%~#$'.includes(character)) kind |= JOIN;
  if (character === '/') kind |= SLASH;
  if ('.-+/:,'.includes(character)) kind |= KEEP;
  if ('"\'`'.includes(character)) kind |= QUOTE;
  return kind;
});

/** Bytes that stand for masked parts in a shape; no line text has them. */
export const NUMBER = 1;
export const PATH = 2;
export const URL = 3;
export const STRING = 4;
/** The line continues. */
export const CUT = 5;
