/** A stretch of a stream as blocks of whole lines, in the scanner's memory: what a matcher looks at. */

import type { ByteSource } from '../reader/bytes/source.ts';
import { lastNewline, nextNewline } from '../reader/lines/newlines.ts';
import type { Decoder } from '../reader/text/encoding.ts';
import { type Area, CONTROLS, CRLF, type Scanner, SOURCE_BYTES, STEP_BYTES } from './scanner.ts';

export interface Block {
  area: Area;
  start: number;
  end: number;
  /** Kinds of bytes in it (scanner.ts). */
  kinds: number;
  /** Line ends that the stream has there. The block itself always ends with one, unless it is a part. */
  newlines: number;
  /** The block is a part of one line: its first or its last character is not the line's. */
  part: { first: boolean; last: boolean } | null;
  /** Its bytes are what is looked at. Otherwise line-text-block.ts makes the text of them. */
  asIs: boolean;
}

/** Of a line longer than the scanner's memory, each part begins so many bytes before the one before it ended. */
const OVERLAP = 64 * 1024;

/**
 * Calls `visit` for the bytes `[start, end)`, which are whole lines but for the stream's last. Gives true when a line had
 * to be cut into parts.
 */
export function forEachBlock(
  scanner: Scanner,
  source: ByteSource,
  decoder: Decoder,
  range: { start: number; end: number },
  /** The stream's own text is looked at rather than line text. */
  raw: boolean,
  visit: (block: Block) => void,
): boolean {
  const filler =
    decoder.encoding === 'utf-8' ? utf8Filler(scanner, source) : transcodingFiller(scanner, source, decoder);
  let cut = false;
  let first = true;
  for (let position = range.start; position < range.end; ) {
    const { consumed, bytes, ended } = filler(position, range.end);
    const part = ended && first ? null : { first, last: ended };
    const marked = position === 0 && isMark(scanner.source) ? 3 : 0;
    visit(blockOf(scanner, marked, bytes, raw, part));
    cut ||= part !== null;
    first = ended;
    position += ended ? consumed : consumed - OVERLAP;
  }
  return cut;
}

interface Fill {
  /** Bytes of the stream that are now in `source`, and as how many bytes of UTF-8. */
  consumed: number;
  bytes: number;
  /** They end with a line end or the stream. */
  ended: boolean;
}

type Filler = (position: number, end: number) => Fill;

function utf8Filler(scanner: Scanner, source: ByteSource): Filler {
  return (position, end) => fill(source, scanner.source, position, end, STEP_BYTES, SOURCE_BYTES, 'byte');
}

/** Other encodings become UTF-8 first. A character takes at most three times as many bytes there. */
function transcodingFiller(scanner: Scanner, source: ByteSource, decoder: Decoder): Filler {
  const raw = Buffer.allocUnsafe(SOURCE_BYTES / 4);
  return (position, end) => {
    const { consumed, ended } = fill(source, raw, position, end, STEP_BYTES / 4, raw.length, decoder.unit);
    const text = decoder.decode(raw.subarray(0, consumed));
    return { consumed, bytes: (scanner.source as Buffer).write(text), ended };
  };
}

/** Whole lines, as many as fit in `step` bytes; else one line of at most `most`, or its beginning. */
function fill(
  source: ByteSource,
  into: Uint8Array,
  position: number,
  end: number,
  step: number,
  most: number,
  unit: Decoder['unit'],
): Fill {
  let filled = source.read(into.subarray(0, Math.min(step, end - position)), position);
  if (position + filled >= end) return { consumed: filled, bytes: filled, ended: true };
  const whole = lastNewline(into.subarray(0, filled), 0, filled, unit);
  if (whole > 0) return { consumed: whole, bytes: whole, ended: true };
  filled = source.read(into.subarray(0, Math.min(most, end - position)), position);
  const line = nextNewline(into.subarray(0, filled), 0, filled, unit);
  if (line > 0) return { consumed: line, bytes: line, ended: true };
  return { consumed: filled, bytes: filled, ended: position + filled >= end };
}

function blockOf(scanner: Scanner, start: number, end: number, raw: boolean, part: Block['part']): Block {
  const { kinds, newlines } = scanner.classify(start, end);
  // The stream's last line gets a line end too, so that even an empty one is a line.
  const unended = part === null && scanner.source[end - 1] !== 10;
  if (unended) scanner.source[end] = 10;
  const asIs = raw || (kinds & (CONTROLS | CRLF)) === 0;
  return { area: 'source', start, end: unended ? end + 1 : end, kinds, newlines, part, asIs };
}

function isMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}
