/** Prepares literals for the scanner. */
import type { ByteLiteral } from '../scanner/literal.ts';
import type { Scanner } from '../scanner/scanner.ts';
import { byteHash, maskOf, WINDOW_BYTES } from '../scanner/several.ts';

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
const ALONE = 400;

/** Only so many of a literal's first bytes are candidates. */
const CANDIDATES = 32;

/**
 * Returns the literals with the bytes to look for first: the rarest in the sample, `source[start, end)`, and the rarest
 * beside it; and the neighbours that should be rarest together.
 */
export function fittedTo(
  scanner: Scanner,
  start: number,
  end: number,
  literals: readonly ByteLiteral[],
): ByteLiteral[] {
  const counts = scanner.histogram(start, end);
  const chance = literals.length > 1 ? chanceOfWindows(counts, maskOf(literals)) : () => 0;
  return literals.map((literal) => {
    const { bytes, fold } = literal;
    const places = [...bytes.subarray(0, CANDIDATES).keys()];
    const count = (i: number) => counts[bytes[i]!]! + (fold[i] ? counts[bytes[i]! & ~fold[i]!]! : 0);
    const first = lowest(places, count);
    const others = places.filter((place) => place !== first);
    const together = (i: number) => scanner.together(start, end, literal, first, i);
    const second = others.length > 0 ? lowest(others, (i) => together(i) * (end - start) + count(i)) : first;
    const windows = places.slice(0, 1 - WINDOW_BYTES);
    const window = windows.length > 0 ? lowest(windows, (i) => chance(bytes, i)) : 0;
    return { ...literal, rare: { first, second, alone: count(first) * ALONE < end - start, window } };
  });
}

/** Tells how likely a byte's neighbours in a text look like those of a literal, as several.wat looks at them. */
function chanceOfWindows(counts: Uint32Array, mask: number): (bytes: Uint8Array, i: number) => number {
  const hashed = new Uint32Array(16);
  for (let byte = 0; byte < 256; byte += 1) hashed[byteHash(byte, mask)]! += counts[byte]!;
  const hashes = (byte: number) => hashed[byteHash(byte, mask)]! + 1;
  return (bytes, i) => hashes(bytes[i]!) * hashes(bytes[i + 1]!) * hashes(bytes[i + 2]!);
}

function lowest(places: readonly number[], cost: (place: number) => number): number {
  const costs = places.map(cost);
  return places[costs.indexOf(Math.min(...costs))]!;
}
