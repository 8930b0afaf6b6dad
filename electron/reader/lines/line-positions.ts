/** Finds lines in a stream: from a number to a byte offset and back, over the block index. */

import type { OpenStream } from '../bytes/open-stream.ts';
import { BLOCK_BYTES, type BlockIndex } from './block-index.ts';
import { lastNewline, type NewlineUnit, nextNewline, unitBytes } from './newlines.ts';

const SHORT_BYTES = 1024;
/** Buffer of `lineStart`: allocating one each time costs more than the rest. */
const block = Buffer.allocUnsafeSlow(BLOCK_BYTES);

/** Returns the number of lines: line ends, plus one for a last line without one. */
export function totalLines(index: BlockIndex, stream: OpenStream, unit: NewlineUnit): number {
  return index.newlines + (endsInLine(stream, unit) ? 1 : 0);
}

/** Returns true when the stream's last line has no line end. */
export function endsInLine(stream: OpenStream, unit: NewlineUnit): boolean {
  const size = unitBytes(unit);
  if (stream.size < size) return stream.size > 0;
  const last = new Uint8Array(size);
  stream.read(last, stream.size - size);
  return stream.size % size !== 0 || lastNewline(last, 0, size, unit) < 0;
}

/** Returns the offset of line `n`, at most one past the last line end. */
export function lineStart(stream: OpenStream, index: BlockIndex, unit: NewlineUnit, n: number): number {
  if (n <= 1) return 0;
  const number = index.blockOf(n - 1);
  const base = number * BLOCK_BYTES;
  const bytes = block.subarray(0, Math.min(BLOCK_BYTES, index.indexedBytes - base));
  stream.read(bytes, base);
  let at = 0;
  for (let newlines = n - 1 - index.before(number); newlines > 0; newlines -= 1) {
    at = nextNewline(bytes, at, bytes.length, unit);
    if (at < 0) throw new RangeError('the index and the stream disagree');
  }
  return base + at;
}

/** Returns the offset after a block's first line end; -1 if it has none. */
export function firstLineIn(stream: OpenStream, unit: NewlineUnit, block: number): number {
  const base = block * BLOCK_BYTES;
  // Most lines are short.
  for (const length of [SHORT_BYTES, BLOCK_BYTES]) {
    const bytes = Buffer.allocUnsafe(Math.min(length, stream.size - base));
    stream.read(bytes, base);
    const next = nextNewline(bytes, 0, bytes.length, unit);
    if (next >= 0) return base + next;
  }
  return -1;
}

/** Returns the number of the line that holds the byte at `offset`. */
export function lineAt(stream: OpenStream, index: BlockIndex, unit: NewlineUnit, offset: number): number {
  const block = Math.floor(offset / BLOCK_BYTES);
  const base = block * BLOCK_BYTES;
  const bytes = Buffer.alloc(offset - base);
  stream.read(bytes, base);
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

/** Returns the offset of the last `count` lines. Reads backwards from the end, so it needs no index. */
export function tailStart(stream: OpenStream, unit: NewlineUnit, count: number): number {
  const size = unitBytes(unit);
  const buffer = Buffer.alloc(BLOCK_BYTES);
  // The final line end does not begin another line.
  let newlines = count + (endsInLine(stream, unit) ? 0 : 1);
  let end = stream.size - (stream.size % size);
  while (end > 0) {
    const start = Math.max(0, end - buffer.length);
    const bytes = buffer.subarray(0, end - start);
    stream.read(bytes, start);
    let at = bytes.length;
    for (;;) {
      const next = lastNewline(bytes, 0, at, unit);
      if (next < 0) break;
      newlines -= 1;
      if (newlines === 0) return start + next;
      at = next - size;
    }
    end = start;
  }
  return 0;
}
