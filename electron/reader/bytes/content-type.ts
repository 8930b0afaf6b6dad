/**
 * Detects what kind of text a stream is from its beginning (CONTRACT 5).
 *
 * - `binary`: a NUL in the first 64 KiB that UTF-16 (a byte order mark, text that is clearly UTF-16, or an encoding
 *   given by hand) does not explain. Many before a text are what a truncated log begins with, and count for nothing;
 *   so do a few in a text of many lines, as in a record that was cut, and those of the journal's export
 * - `json`: one JSON object or array. A long stream counts when its beginning is valid and unfinished. Lines of JSON
 *   are a log; a lone number or word is text, unless the file is called .json
 * - `log`: most of the first lines begin with a time, have a severity, or are JSON objects. Indented lines (of stack
 *   traces) don't count. In a file called .log a quarter of the lines suffices
 * - `unknown`: empty
 */

import { Buffer, isAscii, isUtf8 } from 'node:buffer';
import { argumentOn, type Surface } from '../../../shared/arguments/argument.ts';
import type { ContentType } from '../../../shared/artifact.ts';
import { levelOf } from '../../../shared/text/levels.ts';
import { lineText } from '../../../shared/text/line-text.ts';
import { NO_FACTS, timeIn } from '../../../shared/text/line-time.ts';
import { JsonReader } from '../summary/json/json-facts.ts';
import { decoderFor, detectEncoding, encodingNamed, markedEncoding, possibleUtf16 } from './encoding.ts';

/** Bytes of the stream to look at. */
export const BINARY_SNIFF_BYTES = 64 * 1024;

interface ContentHints {
  /** Bytes of the whole stream. */
  size: number;
  /** A WHATWG label; default: detected. UTF-8 yields to a byte order mark. */
  encoding?: string | undefined;
  /** The file's path, for its extension. */
  path?: string | undefined;
}

/** Returns the type, given the first BINARY_SNIFF_BYTES of the stream or all of it. Never throws. */
export function detectContentType(head: Uint8Array, hints: ContentHints): ContentType {
  if (head.length === 0) return 'unknown';
  const bytes = pastNuls(head.subarray(0, BINARY_SNIFF_BYTES));
  const encoding = encodingOf(bytes, hints.encoding);
  const isText = encoding.startsWith('utf-16') || isJournalExport(bytes) || hasFewNuls(bytes);
  if (bytes.includes(0) && !isText) return 'binary';
  const isWhole = hints.size <= bytes.length;
  const text = decode(bytes, encoding);
  const name = hints.path?.toLowerCase() ?? '';
  if (isJson(text, isWhole, name.endsWith('.json'))) return 'json';
  return isLog(text, isWhole, name.endsWith('.log') ? 0.25 : 0.5) ? 'log' : 'text';
}

/** Formats of programs and images begin with fewer. */
const LEAST_NULS = 64;

/** Whether there is nothing but the NULs that a log begins with after it was truncated under its writer. */
export function isOnlyNuls(bytes: Uint8Array): boolean {
  return bytes.length >= LEAST_NULS && bytes.every((byte) => byte === 0);
}

function pastNuls(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first >= LEAST_NULS ? bytes.subarray(first) : bytes;
}

/** `journalctl -o export` writes the length of a message with several lines in eight bytes. */
function isJournalExport(bytes: Uint8Array): boolean {
  return /^__CURSOR=.+\n__REALTIME_TIMESTAMP=\d/.test(
    Buffer.from(bytes.subarray(0, 1024)).toString('latin1'),
  );
}

/** Lines for each run of NULs at least, and in all: programs and images have hardly any. */
const LINES_OF_NUL = 16;

/** Whether the bytes are lines of UTF-8 but for a few NULs. */
function hasFewNuls(bytes: Uint8Array): boolean {
  let lines = 0;
  let runs = 0;
  let before = 1;
  for (const byte of bytes) {
    if (byte === 0 && before !== 0) runs += 1;
    before = byte;
    if (byte === 0) continue;
    if (byte === 0x0a) lines += 1;
    else if (isStrayByte(byte)) return false;
  }
  const text = Buffer.from(bytes).toString('latin1').replace(/\0+/g, '');
  // A character may be cut at the end.
  return (
    lines >= runs * LINES_OF_NUL &&
    [0, 1, 2, 3].some((cut) => isUtf8(Buffer.from(text.slice(0, text.length - cut), 'latin1')))
  );
}

/** A control that neither text nor a terminal has. */
function isStrayByte(byte: number): boolean {
  return byte < 0x07 || (byte > 0x0d && byte < 0x1b) || (byte > 0x1b && byte < 0x20) || byte === 0x7f;
}

const SAMPLE_LINES = 200;
/** Characters of each line to look at. */
const MAX_LINE_CHARS = 4096;
/** A line's time must begin within this many characters. */
const TIME_WITHIN_CHARS = 64;

function encodingOf(bytes: Uint8Array, named: string | undefined): string {
  if (named === undefined) return detectEncoding(bytes);
  return /^utf-?8$/i.test(named) ? markedEncoding(bytes) : named.toLowerCase();
}

function decode(bytes: Uint8Array, encoding: string): string {
  if (encoding === 'utf-8' && isAscii(bytes)) return Buffer.from(bytes).toString('latin1');
  try {
    return decoderFor(encodingNamed(encoding))
      .decode(bytes)
      .replace(/^\ufeff/, '');
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

function isJson(text: string, isWhole: boolean, isNamedSo: boolean): boolean {
  const first = text.trimStart()[0];
  if (first !== '{' && first !== '[' && !isNamedSo) return false;
  const reader = new JsonReader();
  reader.push(new TextEncoder().encode(isWhole ? text : text.replace(/[\uFFFD\uD800-\uDBFF]+$/, '')));
  return isWhole ? reader.isComplete : reader.isSound && first !== undefined;
}

function isLog(text: string, isWhole: boolean, share: number): boolean {
  const lines = text.split('\n', SAMPLE_LINES + 1);
  if (lines.length > SAMPLE_LINES || !isWhole) lines.pop();
  let asked = 0;
  let telling = 0;
  for (const raw of lines) {
    const line = lineText(raw.slice(0, MAX_LINE_CHARS));
    if (line.trim() === '' || /^\s/.test(line)) continue;
    asked++;
    if (tells(line)) telling++;
  }
  return asked > 0 && telling > asked * share;
}

function tells(line: string): boolean {
  const facts = { ...NO_FACTS, writtenBy: Date.now() };
  if (levelOf(line) !== null) return true;
  const time = timeIn(line, facts);
  if (time !== null && time.from < TIME_WITHIN_CHARS) return true;
  return isRecord(line);
}

/** True for a JSON object, or for the beginning of one if the line was cut. */
function isRecord(line: string): boolean {
  if (line[0] !== '{') return false;
  const reader = new JsonReader();
  reader.push(new TextEncoder().encode(line));
  return line.length < MAX_LINE_CHARS ? reader.isComplete : reader.isSound;
}

/** First bytes of formats that people capture by accident, from the formats' specifications. */
const MAGIC: readonly [string, readonly number[]][] = [
  ['an ELF program or library', [0x7f, 0x45, 0x4c, 0x46]],
  ['a Windows program', [0x4d, 0x5a]],
  ['a Mach-O program', [0xcf, 0xfa, 0xed, 0xfe]],
  ['a PNG image', [0x89, 0x50, 0x4e, 0x47]],
  ['a JPEG image', [0xff, 0xd8, 0xff]],
  ['a GIF image', [0x47, 0x49, 0x46, 0x38]],
  ['a PDF document', [0x25, 0x50, 0x44, 0x46]],
  ['a zip archive', [0x50, 0x4b, 0x03, 0x04]],
  ['a 7-Zip archive', [0x37, 0x7a, 0xbc, 0xaf]],
  ['xz-compressed data', [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ['bzip2-compressed data', [0x42, 0x5a, 0x68]],
  ['an SQLite database', [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20, 0x66]],
  ['a WebAssembly module', [0x00, 0x61, 0x73, 0x6d]],
  ['a Java class file', [0xca, 0xfe, 0xba, 0xbe]],
];

/** Says how many bytes of which format there are, and how to see them anyway. */
export function binaryNote(head: Uint8Array, size: number, surface: Surface): string {
  const known = MAGIC.find(([, bytes]) => bytes.every((byte, i) => head[i] === byte));
  const what = known ? known[0] : 'binary data';
  const utf16 = known ? null : possibleUtf16(head);
  const or = utf16 === null ? '' : `, or ${argumentOn(surface, 'encoding')} ${utf16} if it is UTF-16`;
  return `${size} bytes of ${what}: use ${argumentOn(surface, 'as_text')} to see it as text anyway${or}`;
}

// Tells text with a few stray bytes, such as a NUL in a log, from binary data.

/** On a Linux system, ten of 5,400 binary files had less: translations and compiled word lists. */
const MOST_STRAY = 0.1;
/** Controls that neither text nor a terminal has, DEL, and what is not UTF-8. */
const STRAY = /[\0-\x06\x0e-\x1a\x1c-\x1f\x7f\ufffd]/g;

/** Returns whether at least nine tenths of the beginning of a stream are text in UTF-8. */
export function isMostlyText(head: Uint8Array): boolean {
  const text = new TextDecoder().decode(head.subarray(0, BINARY_SNIFF_BYTES));
  return (text.match(STRAY)?.length ?? 0) <= text.length * MOST_STRAY;
}
