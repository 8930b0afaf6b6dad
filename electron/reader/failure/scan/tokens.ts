/** Tokens: words and what joins them, such as names, paths, numbers and times. */
import { Buffer } from 'node:buffer';
import { BYTE_CLASS, DIGIT, FACTOR, JOINT, SEED, WORD } from './line-bytes.ts';

/** As `scanLines` hashes a token. */
export function tokenHash(token: string): number {
  let hash = SEED;
  for (let i = 0; i < token.length; i++) {
    const code = token.charCodeAt(i);
    if (code > 0x7f) return hashOfBytes(Buffer.from(token));
    hash = Math.imul(hash ^ code, FACTOR);
  }
  return hash;
}

function hashOfBytes(bytes: Uint8Array): number {
  let hash = SEED;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, FACTOR);
  return hash;
}

/** Contents of a token, beside the classes of its bytes. */
export const SLASHED = 1 << 10;
/** A colon between digits: 12:34:56. */
export const COLON = 1 << 11;

/** Set by `endOfToken`: the hash of the token it read, and what that holds. */
export let lastHash = SEED;
export let lastKinds = 0;

/** Reads the token that begins at `from`; returns where it ends. */
export function endOfToken(bytes: Uint8Array, from: number, limit: number): number {
  let p = from;
  let kinds = 0;
  let hash = SEED;
  let b = bytes[p]!;
  let k = BYTE_CLASS[b]!;
  for (;;) {
    do {
      kinds |= k;
      hash = Math.imul(hash ^ b, FACTOR);
      b = bytes[++p]!;
      k = BYTE_CLASS[b]!;
    } while ((k & WORD) !== 0 && p < limit);
    if ((k & JOINT) !== 0) {
      if (p + 1 >= limit || (BYTE_CLASS[bytes[p + 1]!]! & WORD) === 0) break;
      if (b === 0x2f) kinds |= SLASHED;
    } else if (b === 0x3a && isBetweenDigits(bytes, p, limit)) kinds |= COLON;
    else break;
  }
  lastHash = hash;
  lastKinds = kinds;
  return p;
}

function isBetweenDigits(bytes: Uint8Array, p: number, limit: number): boolean {
  return p + 1 < limit && (BYTE_CLASS[bytes[p - 1]!]! & BYTE_CLASS[bytes[p + 1]!]! & DIGIT) !== 0;
}
