/** Detects a stream's encoding and decodes its bytes. Labels are those of the WHATWG standard, cp437 and cp850. */
import { SpillwayError } from '../../../shared/errors.ts';
import { CR, ESC, LF } from '../../../shared/text/codes.ts';
import type { NewlineUnit } from '../lines/newlines.ts';
import { CODE_PAGES, dosLabel, legacyEncoding } from './charset.ts';

/** Returns the encoding of a text by its beginning; UTF-8 where no other is likely. */
export function detectEncoding(head: Uint8Array): string {
  const unicode = detectUnicode(head);
  return unicode === 'utf-8' ? (legacyEncoding(head) ?? unicode) : unicode;
}

/** Returns UTF-16 for its byte order mark, or for text that can be nothing else; else UTF-8. */
export function detectUnicode(head: Uint8Array): string {
  const marked = markedEncoding(head);
  return marked === 'utf-8' ? (unmarkedUtf16(head) ?? marked) : marked;
}

/** Returns UTF-16 for its byte order mark, else UTF-8. */
export function markedEncoding(head: Uint8Array): string {
  const utf32 = head[2] === 0 && head[3] === 0;
  if (head[0] === 0xff && head[1] === 0xfe && !utf32) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

/** Returns the standard's name for a label. Throws `bad_encoding`. */
export function encodingNamed(label: string): string {
  const dos = dosLabel(label);
  if (dos !== null) return dos;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    throw new SpillwayError(
      'bad_encoding',
      `unknown encoding ${JSON.stringify(label.slice(0, 60))}`,
      'name one of the WHATWG encodings, such as utf-8, utf-16le, windows-1252, shift_jis, gb18030 or euc-kr; or cp437 or cp850',
    );
  }
}

export function newlineUnit(encoding: string): NewlineUnit {
  return encoding === 'utf-16le' || encoding === 'utf-16be'
    ? (encoding.replace('-', '') as NewlineUnit)
    : 'byte';
}

export interface Decoder {
  readonly encoding: string;
  readonly unit: NewlineUnit;
  /** Most bytes that one UTF-16 code unit of text can come from. */
  readonly bytesPerChar: number;
  /** Decodes bytes; a byte order mark becomes U+FEFF. With `partial`, drops an unfinished character at the end. */
  decode(bytes: Uint8Array, partial?: boolean): string;
}

export function decoderFor(encoding: string): Decoder {
  const page = CODE_PAGES[encoding];
  if (page) return { encoding, unit: 'byte', bytesPerChar: 4, decode: (bytes) => page(bytes) };
  const whole = new TextDecoder(encoding, { ignoreBOM: true });
  return {
    encoding,
    unit: newlineUnit(encoding),
    bytesPerChar: 4,
    decode(bytes, partial = false) {
      if (!partial) return whole.decode(bytes);
      // A new decoder: a streaming one keeps the unfinished character for its next call.
      return new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes, { stream: true });
    },
  };
}

/** Returns a decoder of the next bytes of a text, which keeps an unfinished character for its next call. */
export function streamingDecoder(encoding: string): (bytes: Uint8Array) => string {
  const page = CODE_PAGES[encoding];
  if (page) return page;
  const decoder = new TextDecoder(encoding);
  return (bytes) => decoder.decode(bytes, { stream: true });
}

/**
 * Returns the offset of the first byte of the character that the byte at `at` belongs to. Exact for UTF-8 and UTF-16;
 * returns `at` for other encodings, which can't be read backwards.
 */
export function characterStart(bytes: Uint8Array, at: number, encoding: string): number {
  if (at <= 0 || at >= bytes.length) return at;
  if (encoding === 'utf-8') return utf8Start(bytes, at);
  if (encoding === 'utf-16le' || encoding === 'utf-16be') {
    const high = encoding === 'utf-16le' ? 1 : 0;
    const unit = at - (at % 2);
    const trailing = (bytes[unit + high]! & 0xfc) === 0xdc;
    const leading = unit >= 2 && (bytes[unit - 2 + high]! & 0xfc) === 0xd8;
    return trailing && leading ? unit - 2 : unit;
  }
  return at;
}

function utf8Start(bytes: Uint8Array, at: number): number {
  if ((bytes[at]! & 0xc0) !== 0x80) return at;
  for (let back = 1; back <= 3 && back <= at; back += 1) {
    const byte = bytes[at - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 && byte <= 0xf4 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 1;
    return byte < 0xf5 && length > back ? at - back : at;
  }
  return at;
}

// Recognises UTF-16 text without a byte order mark, as `iconv -t utf-16le` writes it. Read as UTF-16, programs, images
// and archives have U+0000 or controls, which no text has. Of the 130,000 files with a NUL on a Linux system, it
// recognised the five in UTF-16, and no other.

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
function unmarkedUtf16(head: Uint8Array): Utf16 | null {
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
