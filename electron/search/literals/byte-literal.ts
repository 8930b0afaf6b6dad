/** Prepares literals for the scanner. */
import type { ByteLiteral } from '../scanner/scanner.ts';

/**
 * Returns a literal's UTF-8 bytes. With `ignoreCase`, only ASCII letters may occur: the cases of others differ in
 * more than one bit.
 */
export function byteLiteral(text: string, ignoreCase: boolean): ByteLiteral {
  const bytes = Buffer.from(text);
  const fold = new Uint8Array(bytes.length);
  for (const [i, byte] of bytes.entries()) {
    const lower = byte | 0x20;
    if (!ignoreCase || byte > 127 || lower < 0x61 || lower > 0x7a) continue;
    fold[i] = 0x20;
    bytes[i] = lower;
  }
  return { bytes, fold, rare: rarest(bytes, fold) };
}

/** Bytes by their frequency in logs and program output, most common first. All others are rare. */
const COMMON = ' e0t1a2o\nrnisl3d4c5p6f-8u79m/.:ghb_,vw"=yk()xE[]TSAR<>CIDNLOPFM\'|;*jqz';
const FREQUENCY = new Uint8Array(256);
for (const [i, char] of [...COMMON].entries()) FREQUENCY[char.charCodeAt(0)] = COMMON.length - i;

function rarest(bytes: Uint8Array, fold: Uint8Array): [number, number] {
  const cost = (i: number) => {
    const byte = bytes[i]!;
    return FREQUENCY[byte]! + (fold[i] ? FREQUENCY[byte & ~0x20]! : 0);
  };
  const places = [...bytes.keys()].sort((a, b) => cost(a) - cost(b) || a - b);
  return [places[0]!, places[1] ?? places[0]!];
}
