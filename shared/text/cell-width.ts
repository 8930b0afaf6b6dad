/** How many terminal cells a character takes: 0, 1 or 2. */
import { eastAsianWidth } from 'get-east-asian-width';

/** Cells of a code point that is not a control: 0 for what attaches to the character before it. */
export function cellWidth(codePoint: number): 0 | 1 | 2 {
  if (codePoint < 0x300) return 1;
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) return 1;
  // Vowels and final consonants of decomposed Hangul join the wide syllable they follow.
  if (codePoint >= 0x1160 && codePoint <= 0x11ff) return 0;
  attaches ??= /[\p{Mn}\p{Me}\p{Cf}]/u;
  if (attaches.test(String.fromCodePoint(codePoint))) return 0;
  return eastAsianWidth(codePoint) === 2 ? 2 : 1;
}

/** Combining marks, joiners, variation selectors and other format characters. Its tables take 0.1 MB. */
let attaches: RegExp | null = null;
