/** Summarises one stretch of a stream: turns its cuts into byte offsets, reads its bytes, and passes them on. */

import type { OpenStream } from '../bytes/open-stream.ts';
import { BLOCK_BYTES } from '../lines/block-index.ts';
import { firstLineIn } from '../lines/line-positions.ts';
import { lastNewline, unitBytes } from '../lines/newlines.ts';
import type { Cut, Stretch } from '../lines/stretches.ts';
import { characterStart, type Decoder } from '../text/encoding.ts';
import type { PartialSummary } from './partial.ts';
import { summariseBytes } from './summarise.ts';

export interface SummariseRequest {
  stretch: Stretch;
}

/** Reused, as a stretch is several megabytes. */
let buffer = Buffer.alloc(0);

export function summariseStretch(
  stream: OpenStream,
  decoder: Decoder,
  { stretch }: SummariseRequest,
): PartialSummary {
  const start = stretch.start ? resolveCut(stream, decoder, stretch.start) : { offset: 0, inLine: false };
  const end = stretch.end ? resolveCut(stream, decoder, stretch.end) : { offset: stream.size, inLine: false };
  const length = Math.max(0, end.offset - start.offset);
  if (buffer.length < length) buffer = Buffer.allocUnsafeSlow(length);
  const bytes = buffer.subarray(0, length);
  stream.read(bytes, start.offset);
  return summariseBytes(bytes, {
    encoding: decoder.encoding,
    atStart: start.offset === 0,
    continued: start.inLine,
    continues: end.inLine,
  });
}

/** Returns a cut's offset, and whether it is inside a line. Both stretches at a cut get the same answer. */
function resolveCut(stream: OpenStream, decoder: Decoder, cut: Cut): { offset: number; inLine: boolean } {
  const base = cut.block * BLOCK_BYTES;
  if (cut.at === 'line') {
    const start = firstLineIn(stream, decoder.unit, cut.block);
    return start < 0 ? { offset: base, inLine: true } : { offset: start, inLine: false };
  }
  // Move to the start of a character; don't count as inside a line if one begins exactly here.
  const around = Buffer.alloc(Math.min(16, stream.size - base + 8));
  stream.read(around, base - 8);
  const offset = base - 8 + characterStart(around, 8, decoder.encoding);
  const unit = unitBytes(decoder.unit);
  const before = around.subarray(offset - base + 8 - unit, offset - base + 8);
  return { offset, inLine: lastNewline(before, 0, unit, decoder.unit) < 0 };
}
