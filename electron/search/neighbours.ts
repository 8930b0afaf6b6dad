/** Which bytes follow one another in some literals: what is left out between two such may hide one (scanner.ts, `seams`). */
import type { ByteLiteral, Neighbours } from './scanner.ts';

const [TAB, LF, BACKSPACE, CR, DELETE] = [9, 10, 8, 13, 127];

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
  // Something else that is left out follows: what is behind that is not looked for. Those that are a seam whatever is
  // around them, and the CR of a line's end, have nothing behind them.
  for (let byte = 0; byte <= DELETE!; byte += 1) {
    const left =
      (byte < 32 && byte !== TAB && byte !== LF && byte !== CR && byte !== BACKSPACE) || byte === DELETE;
    if (left) behind[byte] = 0xffff_ffff;
  }
  return { before, behind };
}
