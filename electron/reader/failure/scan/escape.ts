/** Reads over escape sequences in the bytes of a line. */
import { ESC, LF } from '../../../../shared/text/byte-values.ts';

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
