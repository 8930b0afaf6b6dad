/**
 * Finds the lines of coloured text in which a literal can't be trusted from the bytes alone: a control may split a
 * literal (`neighboursOf`), or a found literal may be part of a control (`doubtOf`). Most lines are neither.
 */
import { UNKNOWN_BYTE } from '../../reader/lines/seam-table.ts';
import { filtered, NONE } from '../lines/found.ts';
import type { ByteLiteral } from '../scanner/literal.ts';
import type { Neighbours, ScannedLines } from '../scanner/scanner.ts';

const [TAB, LF, BACKSPACE, CR, ESC, DELETE] = [9, 10, 8, 13, 27, 127];
/** The last bytes of colours. */
const [COLOUR, ERASE] = [0x6d, 0x4b];

/** Marks the bytes that are neighbours in a literal: a control between them may hide it (`Scanner.seams`). */
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
  // A control after a control counts as a neighbour of any byte: the scanner does not look further. Backspace, a
  // lone CR and longer sequences are seams anyway.
  for (let byte = 0; byte <= DELETE!; byte += 1) {
    const leftOut =
      (byte < 32 && byte !== TAB && byte !== LF && byte !== CR && byte !== BACKSPACE) || byte === DELETE;
    if (leftOut) behind[byte] = 0xffff_ffff;
  }
  return { before, behind };
}

/** Returns whether one of these seams (seam-table.ts) may be in a literal. */
export function maySplit(seams: ReadonlySet<number>, { before, behind }: Neighbours): boolean {
  // Behind a colour may be another one, which follows the `m` or `K` of the first.
  let behindColours = 0;
  for (const seam of seams) {
    const final = seam >> 8;
    if (final === COLOUR || final === ERASE) behindColours |= placesOf(behind, seam & 0xff);
  }
  for (const seam of seams) {
    const next = seam & 0xff;
    const places = next === ESC ? behindColours : placesOf(behind, next);
    if ((placesOf(before, seam >> 8) & places) !== 0) return true;
  }
  return false;
}

function placesOf(table: Uint32Array, byte: number): number {
  return byte === UNKNOWN_BYTE ? -1 : table[byte]!;
}

/** Returns the lines in doubt; stops once there are more than `most`. */
export type Doubt = (bytes: Uint8Array, found: ScannedLines, most: number) => ScannedLines;

/** For lines without a seam, whose text leaves out only `ESC [ … m`, `ESC [ K` and controls without effect. */
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

/** Returns whether the literal could begin within an escape sequence: bracket, digits and separators, letter. */
function beginsLikeTheRestOfOne({ bytes, fold }: ByteLiteral): boolean {
  const first = bytes[0]!;
  return [first, first & ~fold[0]!].some((byte) => /[[0-;mK]/.test(String.fromCharCode(byte)));
}

function goesOnBehind(byte: number): boolean {
  return byte === ESC || byte === 0x5b || (byte >= 0x30 && byte <= 0x3b);
}
