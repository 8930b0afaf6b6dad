/** Summarising one stretch of a stream: its cuts become byte offsets, its bytes are read, the rest is summary/. */

import type { ByteSource } from '../bytes/source.ts';
import { BLOCK_BYTES } from '../lines/block-index.ts';
import { firstLineIn } from '../lines/line-positions.ts';
import { lastNewline, unitBytes } from '../lines/newlines.ts';
import type { Cut, Stretch } from '../lines/stretches.ts';
import { characterStart, type Decoder } from '../text/encoding.ts';
import type { PartialSummary } from './partial.ts';
import { summariseSegment } from './summarise.ts';

export interface SegmentRequest {
  stretch: Stretch;
}

/** Reused: a stretch is some megabytes. */
let buffer = Buffer.alloc(0);

export function summariseStretch(
  source: ByteSource,
  decoder: Decoder,
  { stretch }: SegmentRequest,
): PartialSummary {
  const start = stretch.start ? resolveCut(source, decoder, stretch.start) : { offset: 0, inLine: false };
  const end = stretch.end ? resolveCut(source, decoder, stretch.end) : { offset: source.size, inLine: false };
  const length = Math.max(0, end.offset - start.offset);
  if (buffer.length < length) buffer = Buffer.allocUnsafeSlow(length);
  const bytes = buffer.subarray(0, length);
  source.read(bytes, start.offset);
  return summariseSegment(bytes, {
    encoding: decoder.encoding,
    atStart: start.offset === 0,
    continued: start.inLine,
    continues: end.inLine,
  });
}

/** The byte a cut stands for, and whether it is in the middle of a line. Both neighbours of a cut come to the same. */
function resolveCut(source: ByteSource, decoder: Decoder, cut: Cut): { offset: number; inLine: boolean } {
  const base = cut.block * BLOCK_BYTES;
  if (cut.at === 'line') {
    const start = firstLineIn(source, decoder.unit, cut.block);
    return start < 0 ? { offset: base, inLine: true } : { offset: start, inLine: false };
  }
  // Never through a character, and not "in a line" where a line happens to begin.
  const around = Buffer.alloc(Math.min(16, source.size - base + 8));
  source.read(around, base - 8);
  const offset = base - 8 + characterStart(around, 8, decoder.encoding);
  const unit = unitBytes(decoder.unit);
  const before = around.subarray(offset - base + 8 - unit, offset - base + 8);
  return { offset, inLine: lastNewline(before, 0, unit, decoder.unit) < 0 };
}
