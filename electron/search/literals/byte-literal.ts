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
  return { bytes, fold, rare: { first: 0, second: bytes.length - 1, alone: false } };
}

/** A byte in fewer places than one in this many is looked for alone. */
const ALONE = 1000;

/** Returns the literals with the bytes to look for first: those that are rarest in the sample. */
export function fittedTo(sample: Uint8Array, literals: readonly ByteLiteral[]): ByteLiteral[] {
  const counts = new Uint32Array(256);
  for (const byte of sample) counts[byte]! += 1;
  return literals.map((literal) => {
    const { bytes, fold } = literal;
    const count = (i: number) => counts[bytes[i]!]! + (fold[i] ? counts[bytes[i]! & ~fold[i]!]! : 0);
    const places = [...bytes.keys()].sort((a, b) => count(a) - count(b) || a - b);
    const first = places[0]!;
    // The same byte once more says little.
    const second = places.find((place) => bytes[place] !== bytes[first]) ?? places[1] ?? first;
    return { ...literal, rare: { first, second, alone: count(first) * ALONE < sample.length } };
  });
}
