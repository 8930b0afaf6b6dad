/**
 * Finds matches in a line too long to decode at once, in overlapping windows. A match that touches a window's edge
 * is left to the next window, unless that edge is the line's own. So `^` and `$` keep their meaning.
 */
import { lineText } from '../../../shared/text/line-text.ts';
import { characterStart, type Decoder } from '../../reader/bytes/encoding.ts';
import type { OpenStream } from '../../reader/bytes/open-stream.ts';
import type { Match } from './locator.ts';
import type { MatchFinder } from './match-finder.ts';

/** A line of up to this size is one window. */
export const WHOLE_LINE_BYTES = 32 * 1024 * 1024;
const WINDOW_BYTES = 4 * 1024 * 1024;
/** Bytes that consecutive windows share. A longer match may be missed. */
const OVERLAP_BYTES = 64 * 1024;

interface ByteExtent {
  offset: number;
  /** Length without the line end. */
  bytes: number;
}

export interface PlaceInLine {
  /** Column of the match from 0, in UTF-16 units of the line's text. */
  column: number;
  /**
   * The window that holds the match: its bytes, their offset in the stream, their text, and the match's place in the
   * text.
   */
  bytes: Uint8Array;
  offset: number;
  decoded: string;
  text: string;
  at: number;
  length: number;
}

/** Returns null without a match; it misses one longer than the overlap. */
export function findInLine(
  stream: OpenStream,
  decoder: Decoder,
  line: ByteExtent,
  finder: MatchFinder,
  raw: boolean,
  /** Called regularly. */
  onProgress: () => void = () => {},
): PlaceInLine | null {
  const whole = line.bytes <= WHOLE_LINE_BYTES;
  let column = 0;
  for (let at = 0; ; ) {
    const bytes = window(stream, decoder, line, at, whole ? line.bytes : WINDOW_BYTES);
    const last = at + bytes.length >= line.bytes;
    const decoded = decoder.decode(bytes);
    const marked = line.offset + at === 0 && decoded.startsWith('\ufeff') ? 1 : 0;
    const text = raw ? decoded.slice(marked) : lineText(decoded.slice(marked));
    const found = firstInside(finder, text, { before: at > 0, behind: !last }, onProgress);
    if (found) {
      const place = { at: found.index, length: found.length, column: column + found.index };
      return { ...place, bytes, offset: line.offset + at, decoded, text };
    }
    if (last) return null;
    const next = characterStart(bytes, bytes.length - OVERLAP_BYTES, decoder.encoding);
    column += lengthBefore(bytes, next, { decoded, text, marked }, decoder);
    at += next;
    onProgress();
  }
}

/** Returns the length of the text that the bytes before `end` make. */
function lengthBefore(
  bytes: Uint8Array,
  end: number,
  { decoded, text, marked }: { decoded: string; text: string; marked: number },
  decoder: Decoder,
): number {
  const isText = text.length === decoded.length - marked;
  return isText
    ? text.length - decoder.decode(bytes.subarray(end)).length
    : lineText(decoder.decode(bytes.subarray(marked === 0 ? 0 : 3, end))).length;
}

/** Reads the line from `at`: at most `most` bytes, and whole characters. */
function window(
  stream: OpenStream,
  decoder: Decoder,
  line: ByteExtent,
  at: number,
  most: number,
): Uint8Array {
  const bytes = Buffer.allocUnsafe(Math.min(most, line.bytes - at));
  stream.read(bytes, line.offset + at);
  if (at + bytes.length >= line.bytes) return bytes;
  return bytes.subarray(0, characterStart(bytes, bytes.length - 4, decoder.encoding));
}

function firstInside(
  finder: MatchFinder,
  text: string,
  isCut: { before: boolean; behind: boolean },
  onProgress: () => void,
): Match | null {
  let found = finder.first(text, 0, onProgress);
  while (found !== null) {
    const { index, length } = found;
    if (!(isCut.before && index === 0) && !(isCut.behind && index + length === text.length)) return found;
    found = index < text.length ? finder.first(text, index + 1, onProgress) : null;
  }
  return null;
}
