/**
 * The characters of windows-1252, which is what `latin1` names on the web (WHATWG encoding standard, section 9). Node's
 * decoder drops a first byte of 0xff and takes 0x80 to 0x9f for control characters (Node 20).
 */

/** Bytes 0x80 to 0x9f. */
const HIGH =
  '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f' + //
  '\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Returns the text of bytes that were read as characters of the same numbers. */
export function windows1252(latin1: string): string {
  return latin1.replace(/[\u0080-\u009f]/g, (char) => HIGH[char.charCodeAt(0) - 0x80]!);
}
