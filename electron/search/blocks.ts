/**
 * A stretch of a stream as blocks of whole lines of line text, in the scanner's memory: what a matcher looks at. Blocks
 * whose bytes are their text are not copied; colours are stripped at memory speed; lines that are redrawn are
 * rendered one by one.
 */
import { isUtf8 } from 'node:buffer';
import { lineText } from '../../shared/text/line-text.ts';
import type { Decoder } from '../reader/encoding.ts';
import { lastNewline, nextNewline } from '../reader/newlines.ts';
import type { ByteSource } from '../reader/source.ts';
import { type Area, CONTROLS, CRLF, NOT_ASCII, type Scanner, SOURCE_BYTES, STEP_BYTES } from './scanner.ts';

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
}

export interface BlockOptions {
  /** The stream's own text rather than line text. */
  raw: boolean;
  /** Whoever looks does not mind CR before LF. */
  keepCrlf: boolean;
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
  options: BlockOptions,
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
    visit(lineTextBlock(scanner, marked, bytes, options, part));
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

function lineTextBlock(
  scanner: Scanner,
  start: number,
  end: number,
  options: BlockOptions,
  part: Block['part'],
): Block {
  const { kinds, newlines } = scanner.classify(start, end);
  const asIs = options.raw || (kinds & (options.keepCrlf ? CONTROLS : CONTROLS | CRLF)) === 0;
  // The stream's last line gets a line end too, so that even an empty one is a line.
  const unended = part === null && scanner.source[end - 1] !== 10;
  if (asIs) {
    if (unended) scanner.source[end] = 10;
    return { area: 'source', start, end: unended ? end + 1 : end, kinds, newlines, part };
  }
  let stripped = strip(scanner, start, end, kinds);
  if (unended) {
    scanner.stripped[stripped] = 10;
    stripped += 1;
  }
  return { area: 'stripped', start: 0, end: stripped, kinds: kinds & NOT_ASCII, newlines, part };
}

function strip(scanner: Scanner, start: number, end: number, kinds: number): number {
  const source = scanner.source as Buffer;
  const stripped = scanner.stripped as Buffer;
  // Taking a sequence out of broken UTF-8 could join what it kept apart.
  const byLine =
    (kinds & CONTROLS) !== 0 && (kinds & NOT_ASCII) !== 0 && !isUtf8(source.subarray(start, end));
  let at = start;
  let to = 0;
  while (at < end) {
    if (!byLine) {
      const step = scanner.strip(at, end, to);
      at = step.stopped;
      to = step.at;
      if (at >= end) break;
    }
    // The rest of this line is beyond the scanner: render it whole, from its beginning.
    const lineStart = at === start ? start : Math.max(start, source.lastIndexOf(10, at - 1) + 1);
    const newline = source.indexOf(10, at);
    const lineEnd = newline < 0 || newline >= end ? end : newline;
    const lineTo = to === 0 ? 0 : stripped.lastIndexOf(10, to - 1) + 1;
    to = lineTo + stripped.write(lineText(source.toString('utf8', lineStart, lineEnd)), lineTo);
    if (lineEnd < end) {
      stripped[to] = 10;
      to += 1;
    }
    at = lineEnd + 1;
  }
  return to;
}

function isMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}
