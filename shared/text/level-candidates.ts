/** A quick test of whether a word could be one that tells a severity; few others pass. */
import { LEVEL_KEYS, LEVEL_WORDS, PHRASE_WORDS } from './level-words.ts';

/** For a word's first and last letter, the lengths that words of severity with these have, as bits. */
const LENGTHS = new Uint32Array(1024);
/** For a word's last byte, how far back the capital is that a name's suffix (`Error`) begins with; else 0. */
const SUFFIX_LENGTH = new Uint8Array(256);
const SUFFIX_CAPITAL = new Uint8Array(256);

for (const word of [...LEVEL_WORDS.keys(), ...LEVEL_KEYS, ...PHRASE_WORDS]) {
  LENGTHS[placeOf(word.charCodeAt(0), word.charCodeAt(word.length - 1))]! |= 1 << word.length;
}
for (const suffix of ['Error', 'Exception', 'Warning']) {
  const last = suffix.charCodeAt(suffix.length - 1);
  SUFFIX_LENGTH[last] = suffix.length;
  SUFFIX_CAPITAL[last] = suffix.charCodeAt(0);
}

/** `from` up to `to` are letters, underscores and characters beyond ASCII, and what is around them is not. */
export function mayTellLevel(codes: Uint8Array | Uint16Array, from: number, to: number): boolean {
  const last = codes[to - 1]!;
  const length = to - from;
  if (length < 32 && ((LENGTHS[placeOf(codes[from]!, last)]! >>> length) & 1) !== 0) return true;
  const suffix = SUFFIX_LENGTH[last & 0xff]!;
  return suffix !== 0 && suffix <= length && codes[to - suffix] === SUFFIX_CAPITAL[last & 0xff];
}

function placeOf(first: number, last: number): number {
  return ((first & 31) << 5) | (last & 31);
}
