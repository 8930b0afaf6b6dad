/** Reads part of a stream as blocks of whole lines into the memory that is searched. */

import type { ByteSource } from '../reader/bytes/byte-source.ts';
import { lastNewline, nextNewline } from '../reader/lines/newlines.ts';
import type { Decoder } from '../reader/text/encoding.ts';
import { SOURCE_BYTES, STEP_BYTES } from './memory.ts';

/** A block of UTF-8 text: `source[start, end)` of the workspace. */
export interface Block {
  start: number;
  /** Offset after a line end, unless the line goes on in the next block. */
  end: number;
  /** The stream's last line has no line end; one was added here. */
  unended: boolean;
  /** Set if the block is a part of one line; null if it holds whole lines. */
  part: { first: boolean; last: boolean } | null;
  /** Start and end, in the stream, of the line that a part belongs to; without its line end. */
  line: { offset: number; end: number };
}

/**
 * Calls `visit` with each block of the stream's bytes `[start, end)`, which must be whole lines (the stream's last
 * may lack its line end).
 */
export function forEachBlock(
  into: Buffer,
  source: ByteSource,
  decoder: Decoder,
  range: { start: number; end: number },
  visit: (block: Block) => void,
): void {
  const filler =
    decoder.encoding === 'utf-8' ? utf8Filler(into, source) : transcodingFiller(into, source, decoder);
  let first = true;
  let offset = range.start;
  for (let position = range.start; position < range.end; ) {
    const { consumed, bytes, ended } = filler(position, range.end);
    const marked = position === 0 && isMark(into) ? 3 : 0;
    const unended = ended && into[bytes - 1] !== 10;
    // Give the stream's last line a line end too, so that even an empty one is a line.
    if (unended) into[bytes] = 10;
    const part = ended && first ? null : { first, last: ended };
    const behind = position + consumed;
    const line = { offset, end: ended && !unended ? behind - (decoder.unit === 'byte' ? 1 : 2) : behind };
    visit({ start: marked, end: unended ? bytes + 1 : bytes, unended, part, line });
    first = ended;
    position = behind;
    if (ended) offset = behind;
  }
}

interface Fill {
  /** Bytes read from the stream, and their length as UTF-8. */
  consumed: number;
  bytes: number;
  /** True if they end with a line end or with the stream. */
  ended: boolean;
}

type Filler = (position: number, end: number) => Fill;

function utf8Filler(into: Buffer, source: ByteSource): Filler {
  return (position, end) => fill(source, into, position, end, STEP_BYTES, SOURCE_BYTES, 'byte');
}

/** Converts other encodings to UTF-8, where a character takes at most three times as many bytes. */
function transcodingFiller(into: Buffer, source: ByteSource, decoder: Decoder): Filler {
  const raw = Buffer.allocUnsafe(SOURCE_BYTES / 4);
  return (position, end) => {
    const { consumed, ended } = fill(source, raw, position, end, STEP_BYTES / 4, raw.length, decoder.unit);
    // Leave the first half of a surrogate pair for the next part.
    const half = ended ? 0 : unpaired(raw, consumed, decoder);
    const text = decoder.decode(raw.subarray(0, consumed - half));
    return { consumed: consumed - half, bytes: into.write(text), ended };
  };
}

function unpaired(raw: Buffer, length: number, { encoding, unit: size }: Decoder): number {
  if (size === 'byte') return 0;
  const unit = encoding === 'utf-16be' ? raw.readUInt16BE(length - 2) : raw.readUInt16LE(length - 2);
  return (unit & 0xfc00) === 0xd800 ? 2 : 0;
}

/** Reads as many whole lines as fit in `step` bytes; else one line of at most `most` bytes, or its beginning. */
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

function isMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}
