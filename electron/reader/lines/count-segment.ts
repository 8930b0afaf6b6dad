/** Counts the line ends of a stretch of a stream, block by block, for the index. */

import type { ByteSource } from '../bytes/byte-source.ts';
import { BLOCK_BYTES } from './block-index.ts';
import { createNewlineCounter, type NewlineCounter, type NewlineUnit, unitBytes } from './newlines.ts';

let counter: NewlineCounter | undefined;

/** Returns the line ends in each block of `[start, end)`; the first and last block may be partial. */
export function countSegment(source: ByteSource, start: number, end: number, unit: NewlineUnit): Uint32Array {
  counter ??= createNewlineCounter();
  const { buffer } = counter;
  const counts = new Uint32Array(Math.ceil(end / BLOCK_BYTES) - Math.floor(start / BLOCK_BYTES));
  let run = 0;
  // Begin with the whole unit: the segment before may have ended inside one (a block's end never splits a unit).
  for (let position = start - (start % unitBytes(unit)); position < end; ) {
    // Read up to a block's end, so every buffer but the last holds whole blocks.
    const stop = Math.min(end, Math.floor(position / BLOCK_BYTES) * BLOCK_BYTES + buffer.length);
    const bytes = buffer.subarray(0, stop - position);
    source.read(bytes, position);
    for (let at = 0; at < bytes.length; ) {
      const blockEnd = Math.floor((position + at) / BLOCK_BYTES + 1) * BLOCK_BYTES - position;
      const to = Math.min(bytes.length, blockEnd);
      counts[run] = counter.count(at, to, unit);
      run += 1;
      at = to;
    }
    position = stop;
  }
  return counts;
}
