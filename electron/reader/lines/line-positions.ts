/** Finds lines in a stream: from a number to a byte offset and back, over the block index. */

import type { ByteSource } from '../bytes/source.ts';
import { BLOCK_BYTES, type BlockIndex } from './block-index.ts';
import { lastNewline, type NewlineUnit, nextNewline, unitBytes } from './newlines.ts';

/** Lines of the stream: its line ends, and one more for a last line without one. */
export function totalLines(index: BlockIndex, source: ByteSource, unit: NewlineUnit): number {
  return index.newlines + (endsInLine(source, unit) ? 1 : 0);
}

/** True when the stream's last line has no line end. */
export function endsInLine(source: ByteSource, unit: NewlineUnit): boolean {
  const size = unitBytes(unit);
  if (source.size < size) return source.size > 0;
  const last = new Uint8Array(size);
  source.read(last, source.size - size);
  return source.size % size !== 0 || lastNewline(last, 0, size, unit) < 0;
}

/** Where line `n` begins; its line number may be one more than the line ends there are. */
export function lineStart(source: ByteSource, index: BlockIndex, unit: NewlineUnit, n: number): number {
  if (n <= 1) return 0;
  const block = index.blockOf(n - 1);
  const base = block * BLOCK_BYTES;
  const bytes = Buffer.alloc(Math.min(BLOCK_BYTES, index.indexedBytes - base));
  source.read(bytes, base);
  let at = 0;
  for (let left = n - 1 - index.before(block); left > 0; left -= 1) {
    at = nextNewline(bytes, at, bytes.length, unit);
    if (at < 0) throw new RangeError('the index and the stream disagree');
  }
  return base + at;
}

/** Where the line after a block's first line end begins; -1 when no line ends in the block. */
export function firstLineIn(source: ByteSource, unit: NewlineUnit, block: number): number {
  const base = block * BLOCK_BYTES;
  const bytes = Buffer.alloc(Math.min(BLOCK_BYTES, source.size - base));
  source.read(bytes, base);
  const next = nextNewline(bytes, 0, bytes.length, unit);
  return next < 0 ? -1 : base + next;
}

/** The number of the line that the byte at `offset` is in. */
export function lineAt(source: ByteSource, index: BlockIndex, unit: NewlineUnit, offset: number): number {
  const block = Math.floor(offset / BLOCK_BYTES);
  const base = block * BLOCK_BYTES;
  const bytes = Buffer.alloc(offset - base);
  source.read(bytes, base);
  let lines = index.before(block);
  for (
    let at = nextNewline(bytes, 0, bytes.length, unit);
    at >= 0;
    at = nextNewline(bytes, at, bytes.length, unit)
  ) {
    lines += 1;
  }
  return lines + 1;
}

/** Where the last `count` lines begin, found backwards from the end: no index is needed. */
export function tailStart(source: ByteSource, unit: NewlineUnit, count: number): number {
  const size = unitBytes(unit);
  const buffer = Buffer.alloc(BLOCK_BYTES);
  // The line end that closes the last line opens no further one.
  let left = count + (endsInLine(source, unit) ? 0 : 1);
  let end = source.size - (source.size % size);
  while (end > 0) {
    const start = Math.max(0, end - buffer.length);
    const bytes = buffer.subarray(0, end - start);
    source.read(bytes, start);
    let at = bytes.length;
    for (;;) {
      const next = lastNewline(bytes, 0, at, unit);
      if (next < 0) break;
      left -= 1;
      if (left === 0) return start + next;
      at = next - size;
    }
    end = start;
  }
  return 0;
}
