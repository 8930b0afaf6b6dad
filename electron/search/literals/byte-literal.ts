/** Prepares literals for the scanner. */
import type { ByteLiteral } from '../scanner/literal.ts';
import { hashOf, maskOf, WINDOW_BYTES } from '../scanner/several.ts';

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
  return { bytes, fold, rare: { first: 0, second: bytes.length - 1, alone: false, window: 0 } };
}

/** A byte in fewer places than one in this many is looked for alone. */
const ALONE = 1000;

/** Only so many of a literal's first bytes are candidates. */
const CANDIDATES = 32;

/**
 * Returns the literals with the bytes to look for first: the rarest in the sample, and the rarest beside it; and the
 * neighbours that should be rarest together.
 */
export function fittedTo(sample: Uint8Array, literals: readonly ByteLiteral[]): ByteLiteral[] {
  const counts = new Uint32Array(256);
  for (const byte of sample) counts[byte]! += 1;
  const mask = maskOf(literals);
  const hashed = new Uint32Array(16);
  for (const [byte, count] of counts.entries()) hashed[hashOf(byte, mask)]! += count;
  return literals.map((literal) => {
    const { bytes, fold } = literal;
    const hashes = (i: number) => hashed[hashOf(bytes[i]!, mask)]!;
    const places = [...bytes.subarray(0, CANDIDATES).keys()];
    const count = (i: number) => counts[bytes[i]!]! + (fold[i] ? counts[bytes[i]! & ~fold[i]!]! : 0);
    const first = lowest(places, count);
    const others = places.filter((place) => place !== first);
    const together = new Uint32Array(places.length);
    for (let at = first; at < sample.length; at += 1) {
      if ((sample[at]! | fold[first]!) !== bytes[first]) continue;
      for (const i of others) if ((sample[at - first + i]! | fold[i]!) === bytes[i]) together[i]! += 1;
    }
    const second = others.length > 0 ? lowest(others, (i) => together[i]! * sample.length + count(i)) : first;
    const chance = (i: number) => (hashes(i) + 1) * (hashes(i + 1) + 1) * (hashes(i + 2) + 1);
    const windows = places.slice(0, 1 - WINDOW_BYTES);
    const window = windows.length > 0 ? lowest(windows, chance) : 0;
    return { ...literal, rare: { first, second, alone: count(first) * ALONE < sample.length, window } };
  });
}

function lowest(places: readonly number[], cost: (place: number) => number): number {
  return places.reduce((best, place) => (cost(place) < cost(best) ? place : best));
}
