/** Names in a line of text, hashed as `scanLines` hashes them. */
import { Buffer } from 'node:buffer';
import { FACTOR, NAME_BYTES, SEED } from './line-bytes.ts';

const TOKEN = /[\w\u0080-\uffff]+(?:[./\-@~+][\w\u0080-\uffff]+)*/g;
const HAS_LETTER = /[^\d_./\-@~+]/;

/** Returns the names in `text` by hash; a path also as its last part. */
export function namesIn(text: string): Map<number, string> {
  const names = new Map<number, string>();
  for (const [token] of text.matchAll(TOKEN)) {
    if (token.length < NAME_BYTES || !HAS_LETTER.test(token)) continue;
    names.set(hashOf(token), token);
    const slash = token.lastIndexOf('/');
    if (slash >= 0) names.set(hashOf(token.slice(slash + 1)), token.slice(slash + 1));
  }
  return names;
}

/** As `scanLines` hashes a token. */
export function hashOf(token: string): number {
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
