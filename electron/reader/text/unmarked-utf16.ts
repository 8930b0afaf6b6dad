/**
 * Recognises UTF-16 text without a byte order mark, as `iconv -t utf-16le` writes it. Read as UTF-16, programs, images
 * and archives have U+0000 or controls, which no text has. Of the 130,000 files with a NUL on a Linux system, it
 * recognised the five in UTF-16, and no other.
 */
import { CR, ESC, LF } from '../../../shared/text/byte-values.ts';

/** Looking at more would not tell more: what is binary has a NUL here (CONTRACT 5). */
export const ENCODING_SNIFF_BYTES = 64 * 1024;
/** Text that is mostly ASCII has a NUL this early. Readers of a stream need keep no more of one without. */
export const FIRST_NUL_BYTES = 64;

/** Fewer units may as well be numbers. */
const LEAST_UNITS = 3;
/** Fewer are text only if none is outside Latin-1. */
const ENOUGH_UNITS = 20;

type Utf16 = 'utf-16le' | 'utf-16be';

/** Returns the encoding of text that is mostly ASCII, with a blank or line end in it; else null. */
export function unmarkedUtf16(head: Uint8Array): Utf16 | null {
  if (!head.subarray(0, FIRST_NUL_BYTES).includes(0)) return null;
  return readAs(
    head,
    ({ units, latin, ascii, blanks }) =>
      units >= LEAST_UNITS && blanks > 0 && (units >= ENOUGH_UNITS ? ascii * 2 >= units : latin === units),
  );
}

/** Returns the encoding in which the bytes could be text, of any language; null if in none. */
export function possibleUtf16(head: Uint8Array): Utf16 | null {
  return head.includes(0)
    ? readAs(head, ({ units, ascii, blanks }) => blanks > 0 || ascii * 2 >= units)
    : null;
}

interface Counts {
  units: number;
  latin: number;
  /** Printable characters of ASCII, blanks and line ends. */
  ascii: number;
  blanks: number;
}

function readAs(head: Uint8Array, isText: (counts: Counts) => boolean): Utf16 | null {
  const bytes = head.subarray(0, ENCODING_SNIFF_BYTES);
  for (const encoding of ['utf-16le', 'utf-16be'] as const) {
    const counts = countsOf(bytes, encoding);
    if (counts !== null && isText(counts)) return encoding;
  }
  return null;
}

/** Returns null for what no text has: other controls than those of terminals, half a surrogate pair, U+FFFE, U+FFFF. */
function countsOf(bytes: Uint8Array, encoding: Utf16): Counts | null {
  const high = encoding === 'utf-16le' ? 1 : 0;
  const counts = { units: 0, latin: 0, ascii: 0, blanks: 0 };
  let isPairOpen = false;
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    const unit = bytes[at + high]! * 256 + bytes[at + 1 - high]!;
    const isTrailing = unit >= 0xdc00 && unit <= 0xdfff;
    if (isTrailing !== isPairOpen || unit >= 0xfffe || isForeignControl(unit)) return null;
    isPairOpen = unit >= 0xd800 && unit <= 0xdbff;
    counts.units += 1;
    if (unit < 0x100) counts.latin += 1;
    if (unit < 0x7f) counts.ascii += 1;
    if (unit === SPACE || unit === LF || unit === CR) counts.blanks += 1;
  }
  return counts;
}

const SPACE = 0x20;
const BELL = 0x07;

function isForeignControl(unit: number): boolean {
  if (unit < SPACE) return unit !== ESC && (unit < BELL || unit > CR);
  return unit >= 0x7f && unit < 0xa0;
}
