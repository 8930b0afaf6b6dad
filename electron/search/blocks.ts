/** Reads part of a stream as blocks of whole lines into the memory that is searched. */

import { LF } from '../../shared/text/codes.ts';
import type { Decoder } from '../reader/bytes/encoding.ts';
import type { OpenStream } from '../reader/bytes/open-stream.ts';
import { BLOCK_BYTES, type BlockIndex } from '../reader/lines/block-index.ts';
import { CONTROLS, type Controls } from '../reader/lines/controls.ts';
import { lastNewline, nextNewline } from '../reader/lines/newlines.ts';
import { PAGE_BYTES, SOURCE_BYTES, STEP_BYTES } from './memory.ts';

/** A block of UTF-8 text: `source[start, end)` of the workspace. */
export interface Block {
  start: number;
  /** Offset after a line end, unless the line goes on in the next block. */
  end: number;
  /** Number of the stream's line ends in it. */
  newlines: number;
  /** The controls that it may hold. With none, the bytes of a line are its text. */
  controls: Controls;
  /** The seams (controls.ts) of its colours, if it has no other controls; null if they are too many to tell. */
  seams: ReadonlySet<number> | null;
  /** The stream's last line has no line end; one was added here. */
  unended: boolean;
  /** Set if the block is a part of one line; null if it holds whole lines. */
  part: { first: boolean; last: boolean } | null;
  /** Start and end, in the stream, of the line that a part belongs to; without its line end. */
  line: { offset: number; end: number };
}

/** Whole lines of a stream; its last line may lack a line end. */
interface Range {
  start: number;
  end: number;
  /** Line ends before `start`. */
  newlinesBefore: number;
  /** Line ends before `end`. */
  newlines: number;
}

/** Calls `visit` with each block of the range, which the index must cover. */
export function forEachBlock(
  into: Buffer,
  stream: OpenStream,
  index: BlockIndex,
  decoder: Decoder,
  range: Range,
  visit: (block: Block) => void,
): void {
  const isUtf8 = decoder.encoding === 'utf-8';
  const filler = isUtf8 ? utf8Filler(into, stream) : transcodingFiller(into, stream, decoder);
  let first = true;
  let offset = range.start;
  let newlines = range.newlinesBefore;
  for (let position = range.start; position < range.end; ) {
    const { at, consumed, bytes, ended, newlinesUpTo } = filler(position, range.end, first);
    const marked = position === 0 && isMark(into, at) ? 3 : 0;
    const behind = position + consumed;
    const end = at + bytes;
    const unended = ended && into[end - 1] !== 10;
    // Give the stream's last line a line end too, so that even an empty one is a line.
    if (unended) into[end] = 10;
    const before = newlines;
    if (behind === range.end) newlines = range.newlines;
    else if (newlinesUpTo !== null) newlines = index.before(newlinesUpTo / BLOCK_BYTES);
    else if (ended) newlines += 1;
    const controls = isUtf8 ? index.controlsIn(position, behind) : CONTROLS.others;
    visit({
      start: at + marked,
      end: unended ? end + 1 : end,
      newlines: newlines - before,
      controls,
      seams: controls === CONTROLS.colours ? index.seamsIn(position, behind) : null,
      unended,
      part: ended && first ? null : { first, last: ended },
      line: { offset, end: ended && !unended ? behind - (decoder.unit === 'byte' ? 1 : 2) : behind },
    });
    first = ended;
    position = behind;
    if (ended) offset = behind;
  }
}

interface Fill {
  /** Where they begin in the memory. */
  at: number;
  /** Bytes read from the stream, and their length as UTF-8. */
  consumed: number;
  bytes: number;
  /** True if they end with a line end or with the stream. */
  ended: boolean;
  /** Start of a block of the index with as many line ends before it; null for one line or a part of one. */
  newlinesUpTo: number | null;
}

/** Fills from `position`; `whole` lines, or the rest of one line. */
type Filler = (position: number, end: number, whole: boolean) => Fill;

function utf8Filler(into: Buffer, stream: OpenStream): Filler {
  const sizes = { step: STEP_BYTES, most: SOURCE_BYTES };
  return (position, end, whole) => {
    const at = farInPage(position);
    return { at, ...fill(stream, into.subarray(at), { position, end, whole }, sizes, 'byte') };
  };
}

/**
 * Returns where to put bytes from `position`: about half a page away, as places in a page go. Blocks begin shortly
 * before the end of a page of the file, and memory begins at the start of a page or 16 bytes later. Processors copy
 * between these in small steps, since each byte written seems to be one to be read next: reading 1 GiB took 260 ms of
 * processor time instead of 95.
 */
function farInPage(position: number): number {
  return (position + PAGE_BYTES / 2) % PAGE_BYTES;
}

/** Converts other encodings to UTF-8, where a character takes at most three times as many bytes. */
function transcodingFiller(into: Buffer, stream: OpenStream, decoder: Decoder): Filler {
  const most = SOURCE_BYTES / 4;
  const buffer = Buffer.allocUnsafe(PAGE_BYTES + most);
  const sizes = { step: STEP_BYTES / 4, most };
  return (position, end, whole) => {
    const raw = buffer.subarray(farInPage(position));
    const filled = fill(stream, raw, { position, end, whole }, sizes, decoder.unit);
    // Leave the first half of a surrogate pair for the next part.
    const half = filled.ended ? 0 : unpaired(raw, filled.consumed, decoder);
    const consumed = filled.consumed - half;
    let bytes = 0;
    for (let from = 0; from < consumed; ) {
      const piece = raw.subarray(from, from + pieceOf(raw.subarray(from, consumed), decoder));
      bytes += into.write(decoder.decode(piece), bytes);
      from += piece.length;
    }
    return { ...filled, at: 0, consumed, bytes };
  };
}

/** V8 maps memory anew for a string of more than 128 KiB, which takes five times as long as decoding it. */
const DECODED_BYTES = 60 * 1024;

/** How many bytes to decode at a time, so that no character is cut. */
function pieceOf(raw: Buffer, decoder: Decoder): number {
  if (raw.length <= DECODED_BYTES) return raw.length;
  if (decoder.unit !== 'byte') return DECODED_BYTES - unpaired(raw, DECODED_BYTES, decoder);
  const line = raw.lastIndexOf(LF, DECODED_BYTES - 1) + 1;
  return line > 0 ? line : raw.length;
}

function unpaired(raw: Buffer, length: number, { encoding, unit: size }: Decoder): number {
  if (size === 'byte') return 0;
  const unit = encoding === 'utf-16be' ? raw.readUInt16BE(length - 2) : raw.readUInt16LE(length - 2);
  return (unit & 0xfc00) === 0xd800 ? 2 : 0;
}

/**
 * Reads as many whole lines as fit in `step` bytes; else one line of at most `most` bytes, or its beginning. The lines
 * end with the last that ends before a block of the index, so that their number is known.
 */
function fill(
  stream: OpenStream,
  into: Uint8Array,
  { position, end, whole }: { position: number; end: number; whole: boolean },
  { step, most }: { step: number; most: number },
  unit: Decoder['unit'],
): Omit<Fill, 'at'> {
  const stop = Math.floor((position + step) / BLOCK_BYTES) * BLOCK_BYTES;
  let filled = 0;
  if (whole) {
    filled = stream.read(into.subarray(0, Math.min(stop, end) - position), position);
    if (position + filled >= end) return { consumed: filled, bytes: filled, ended: true, newlinesUpTo: null };
    const lines = lastNewline(into.subarray(0, filled), 0, filled, unit);
    if (lines > 0) return { consumed: lines, bytes: lines, ended: true, newlinesUpTo: stop };
  }
  filled = stream.read(into.subarray(0, Math.min(most, end - position)), position);
  const line = nextNewline(into.subarray(0, filled), 0, filled, unit);
  const consumed = line > 0 ? line : filled;
  const ended = line > 0 || position + filled >= end;
  return { consumed, bytes: consumed, ended, newlinesUpTo: null };
}

function isMark(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0xef && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf;
}
