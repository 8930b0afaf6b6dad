/**
 * Which lines of coloured text have to be looked at as text when literals are looked for in the bytes: those in which something that is
 * left out may stand in the middle of a literal (`neighboursOf`), and those in which a literal was found that may itself be left out
 * (`doubtOf`). Most lines are neither.
 */
import { filtered, NONE } from './found.ts';
import type { ByteLiteral, Found, Neighbours } from './scanner.ts';

const [TAB, LF, BACKSPACE, CR, ESC, DELETE] = [9, 10, 8, 13, 27, 127];

/** Which bytes follow one another in the literals: what is left out between two such bytes may hide one (`Scanner.seams`). */
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
  // More that is left out follows: what is behind that is not looked for. What is a seam whatever is around it, and the CR of a line's
  // end, have nothing behind them.
  for (let byte = 0; byte <= DELETE!; byte += 1) {
    const leftOut =
      (byte < 32 && byte !== TAB && byte !== LF && byte !== CR && byte !== BACKSPACE) || byte === DELETE;
    if (leftOut) behind[byte] = 0xffff_ffff;
  }
  return { before, behind };
}

/** Those of the lines found that are in doubt; stops once they are more than `most`. */
export type Doubt = (bytes: Uint8Array, found: Found, most: number) => Found;

/**
 * For lines that are no seams: there only `ESC [ … m`, `ESC [ K` and controls that do nothing are left out, so that all other bytes are
 * text, one behind the other.
 */
export function doubtOf(literals: readonly ByteLiteral[]): Doubt {
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

/** Behind its ESC a sequence has a bracket, then digits and separators, then a letter. */
function beginsLikeTheRestOfOne({ bytes, fold }: ByteLiteral): boolean {
  const first = bytes[0]!;
  return [first, first & ~fold[0]!].some((byte) => /[[0-;mK]/.test(String.fromCharCode(byte)));
}

function goesOnBehind(byte: number): boolean {
  return byte === ESC || byte === 0x5b || (byte >= 0x30 && byte <= 0x3b);
}
