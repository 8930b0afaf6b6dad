/** Detects a stream's encoding and decodes its bytes. Labels are those of the WHATWG encoding standard. */
import { Buffer } from 'node:buffer';
import { SpillwayError } from '../../../shared/errors.ts';
import type { NewlineUnit } from '../lines/newlines.ts';
import { unmarkedUtf16 } from './unmarked-utf16.ts';

/** Returns UTF-16 for its byte order mark, or for text that can be nothing else; else UTF-8. */
export function detectEncoding(head: Uint8Array): string {
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
  try {
    return new TextDecoder(label).encoding;
  } catch {
    throw new SpillwayError(
      'bad_encoding',
      `unknown encoding ${JSON.stringify(label.slice(0, 60))}`,
      'name one of the WHATWG encodings, such as utf-8, utf-16le, windows-1252, shift_jis, gb18030 or euc-kr',
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
  if (encoding === 'windows-1252') return WINDOWS_1252;
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

const WINDOWS_1252: Decoder = {
  encoding: 'windows-1252',
  unit: 'byte',
  bytesPerChar: 4,
  decode: ({ buffer, byteOffset, length }) =>
    windows1252(Buffer.from(buffer, byteOffset, length).toString('latin1')),
};

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

/** Bytes 0x80 to 0x9f. */
const HIGH =
  '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f' + //
  '\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Returns the text of bytes that were read as characters of the same numbers. */
export function windows1252(latin1: string): string {
  return latin1.replace(/[\u0080-\u009f]/g, (char) => HIGH[char.charCodeAt(0) - 0x80]!);
}
