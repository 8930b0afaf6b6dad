/** Where the bytes of a literal may be no text, but part of what line text leaves out. */
import { filtered } from './found.ts';
import type { ByteLiteral, Found } from './scanner.ts';

/** Those of the places found that are in doubt; once they are more than `most`, no further. */
export type Doubt = (bytes: Uint8Array, found: Found, most: number) => Found;

const [TAB, ESC, DELETE] = [9, 27, 127];
const NOTHING: Found = { count: 0, lines: new Uint32Array(), places: new Uint32Array() };

/**
 * For lines that are no seams (scanner.ts): there only `ESC [ … m`, `ESC [ K` and controls that do nothing are left out, so that all
 * other bytes are text, one behind the other.
 */
export function doubtOf(literals: readonly ByteLiteral[]): Doubt {
  if (literals.some(({ bytes }) => bytes.some(isControl))) {
    return (_bytes, found, most) => filtered(found, () => true, most);
  }
  if (!literals.some(beginsLikeTheRestOfOne)) return () => NOTHING;
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
