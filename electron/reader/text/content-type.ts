/**
 * What kind of text a stream is, by its beginning (CONTRACT 5).
 *
 * - `binary`: a NUL in the first 64 KiB that UTF-16 (its byte order mark, or an encoding named by hand) does not explain
 * - `json`: one JSON document, an object or array; of a long stream its beginning looks like one and it has not
 *   ended there. Lines of JSON are a log; a number or word alone is text, unless the file is called .json
 * - `log`: most of the first lines begin with a time, tell a severity, or are JSON objects. Indented lines (of stack
 *   traces) are not asked. In a file called .log a quarter of the lines will do
 * - `unknown`: nothing there yet
 */
import { Buffer, isAscii } from 'node:buffer';
import type { ContentType } from '../../../shared/artifact.ts';
import { levelOf } from '../../../shared/text/levels.ts';
import { lineText } from '../../../shared/text/line-text.ts';
import { JsonReader } from '../summary/json-facts.ts';
import { findTimestamp } from '../summary/timestamps.ts';

/** Bytes that are looked at. */
export const BINARY_SNIFF_BYTES = 64 * 1024;

export interface ContentHints {
  /** Bytes of the whole stream. */
  size: number;
  /** A WHATWG label, when it is not UTF-8 or told by a byte order mark. */
  encoding?: string | undefined;
  /** What the file is called. */
  path?: string | undefined;
}

/** By the first BINARY_SNIFF_BYTES of the stream, or all of it. Never throws. */
export function detectContentType(head: Uint8Array, hints: ContentHints): ContentType {
  if (head.length === 0) return 'unknown';
  const bytes = head.subarray(0, BINARY_SNIFF_BYTES);
  const encoding = encodingOf(bytes, hints.encoding);
  if (bytes.includes(0) && !encoding.startsWith('utf-16')) return 'binary';
  const isWhole = hints.size <= bytes.length;
  const text = decode(bytes, encoding);
  const name = hints.path?.toLowerCase() ?? '';
  if (isJson(text, isWhole, name.endsWith('.json'))) return 'json';
  return isLog(text, isWhole, name.endsWith('.log') ? 0.25 : 0.5) ? 'log' : 'text';
}

/** Lines looked at. */
const SAMPLE = 200;
/** Characters of each. */
const MAX_CHARS = 4096;
/** Characters of a line within which its time must begin. */
const TIME_WITHIN = 64;

function encodingOf(bytes: Uint8Array, named: string | undefined): string {
  if (named !== undefined && !/^utf-?8$/i.test(named)) return named.toLowerCase();
  const isUtf32 = bytes[2] === 0 && bytes[3] === 0;
  if (bytes[0] === 0xff && bytes[1] === 0xfe && !isUtf32) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
}

function decode(bytes: Uint8Array, encoding: string): string {
  if (encoding === 'utf-8' && isAscii(bytes)) return Buffer.from(bytes).toString('latin1');
  try {
    return new TextDecoder(encoding).decode(bytes);
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
  const lines = text.split('\n', SAMPLE + 1);
  if (lines.length > SAMPLE || !isWhole) lines.pop();
  let asked = 0;
  let telling = 0;
  for (const raw of lines) {
    const line = lineText(raw.slice(0, MAX_CHARS));
    if (line.trim() === '' || /^\s/.test(line)) continue;
    asked++;
    if (tells(line)) telling++;
  }
  return asked > 0 && telling > asked * share;
}

function tells(line: string): boolean {
  if (levelOf(line) !== null) return true;
  const time = findTimestamp(line);
  if (time !== null && line.indexOf(time) < TIME_WITHIN) return true;
  return isRecord(line);
}

/** A JSON object, or the beginning of one when the line was cut. */
function isRecord(line: string): boolean {
  if (line[0] !== '{') return false;
  const reader = new JsonReader();
  reader.push(new TextEncoder().encode(line));
  return line.length < MAX_CHARS ? reader.isComplete : reader.isSound;
}
