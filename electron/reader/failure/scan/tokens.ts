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
    names.set(tokenHash(token), token);
    const slash = token.lastIndexOf('/');
    if (slash < 0) continue;
    const file = token.slice(slash + 1);
    names.set(tokenHash(file), file);
    const dot = file.indexOf('.', NAME_BYTES);
    if (dot > 0) names.set(tokenHash(file.slice(0, dot)), file.slice(0, dot));
  }
  return names;
}

/**
 * Includes the beginnings of dotted and joined names: another line may call `acme.Codec.width` just `acme.Codec`, or
 * `rates.json` just `rates`.
 */
export function stemsIn(text: string): Map<number, string> {
  const stems = new Map<number, string>();
  for (const name of namesIn(text).values()) {
    const dot = name.lastIndexOf('.');
    const stem = name.slice(0, dot);
    if (dot >= NAME_BYTES && HAS_LETTER.test(stem)) stems.set(tokenHash(stem), stem);
  }
  return stems;
}

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
