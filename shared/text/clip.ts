/** Cuts text to a length at grapheme boundaries: never inside an emoji, or between a letter and its marks. */

/** How far around the cut a grapheme is looked for; a longer one is cut between its code points. */
const NEAR_CHARS = 128;

let segmenter: Intl.Segmenter | undefined;

/** `text` when it has at most `maxChars` UTF-16 code units, else as many whole graphemes of it as fit. */
export function clipText(text: string, maxChars: number): { text: string; clipped: boolean } {
  if (text.length <= maxChars) return { text, clipped: false };
  return { text: text.slice(0, graphemeFloor(text, Math.max(0, maxChars))), clipped: true };
}

/** The last grapheme boundary of `text` at or before `index`. */
export function graphemeFloor(text: string, index: number): number {
  if (index >= text.length) return text.length;
  if (index <= 0) return 0;
  if (isPlain(text.charCodeAt(index)) && isPlain(text.charCodeAt(index - 1))) return index;
  const from = safeStart(text, index);
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  let boundary = from;
  for (const { index: at } of segmenter.segment(text.slice(from, index + NEAR_CHARS))) {
    if (from + at > index) break;
    boundary = from + at;
  }
  return boundary === from && from > 0 && index - from >= NEAR_CHARS ? codePointFloor(text, index) : boundary;
}

/** The first grapheme boundary of `text` at or after `index`. */
export function graphemeCeil(text: string, index: number): number {
  if (index <= 0) return 0;
  const floor = graphemeFloor(text, index);
  if (floor >= index) return floor;
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  const [first] = segmenter.segment(text.slice(floor, index + NEAR_CHARS));
  return floor + (first?.segment.length ?? 0);
}

/** UTF-16 code units of the longest beginning of whole characters that takes at most so many bytes of UTF-8. */
export function charsWithin(text: string, bytes: number): number {
  let used = 0;
  let chars = 0;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    used += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (used > bytes) break;
    chars += character.length;
  }
  return chars;
}

/** Between two of these there is always a boundary. */
function isPlain(code: number): boolean {
  return code >= 0x20 && code < 0x7f;
}

/** A boundary before `index` to segment from: after a plain character, or NEAR_CHARS back. */
function safeStart(text: string, index: number): number {
  const furthest = Math.max(0, index - NEAR_CHARS);
  for (let i = index; i > furthest; i--) {
    if (isPlain(text.charCodeAt(i)) && isPlain(text.charCodeAt(i - 1))) return i;
  }
  return codePointFloor(text, furthest);
}

function codePointFloor(text: string, index: number): number {
  const low = text.charCodeAt(index);
  const high = text.charCodeAt(index - 1);
  return low >= 0xdc00 && low <= 0xdfff && high >= 0xd800 && high <= 0xdbff ? index - 1 : index;
}
