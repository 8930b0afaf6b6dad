/** Finds lines in a stream: from a number to a byte offset and back, over the block index. */

import type { ByteSource } from '../bytes/byte-source.ts';
import { BLOCK_BYTES, type BlockIndex } from './block-index.ts';
import { lastNewline, type NewlineUnit, nextNewline, unitBytes } from './newlines.ts';

const SHORT_BYTES = 1024;
/** Where `lineStart` reads a block: a new buffer each time costs more than the rest. */
const block = Buffer.allocUnsafeSlow(BLOCK_BYTES);

/** Returns the number of lines: line ends, plus one for a last line without one. */
export function totalLines(index: BlockIndex, source: ByteSource, unit: NewlineUnit): number {
  return index.newlines + (endsInLine(source, unit) ? 1 : 0);
}

/** Returns true when the stream's last line has no line end. */
export function endsInLine(source: ByteSource, unit: NewlineUnit): boolean {
  const size = unitBytes(unit);
  if (source.size < size) return source.size > 0;
  const last = new Uint8Array(size);
  source.read(last, source.size - size);
  return source.size % size !== 0 || lastNewline(last, 0, size, unit) < 0;
}

/** Returns the offset of line `n`, at most one past the last line end. */
export function lineStart(source: ByteSource, index: BlockIndex, unit: NewlineUnit, n: number): number {
  if (n <= 1) return 0;
  const number = index.blockOf(n - 1);
  const base = number * BLOCK_BYTES;
  const bytes = block.subarray(0, Math.min(BLOCK_BYTES, index.indexedBytes - base));
  source.read(bytes, base);
  let at = 0;
  for (let newlines = n - 1 - index.before(number); newlines > 0; newlines -= 1) {
    at = nextNewline(bytes, at, bytes.length, unit);
    if (at < 0) throw new RangeError('the index and the stream disagree');
  }
  return base + at;
}

/** Returns the offset behind a block's first line end; -1 when it has none. */
export function firstLineIn(source: ByteSource, unit: NewlineUnit, block: number): number {
  const base = block * BLOCK_BYTES;
  // Most lines are short.
  for (const length of [SHORT_BYTES, BLOCK_BYTES]) {
    const bytes = Buffer.allocUnsafe(Math.min(length, source.size - base));
    source.read(bytes, base);
    const next = nextNewline(bytes, 0, bytes.length, unit);
    if (next >= 0) return base + next;
  }
  return -1;
}

/** Returns the number of the line that holds the byte at `offset`. */
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

/** Returns the offset of the last `count` lines. Reads backwards from the end, so it needs no index. */
export function tailStart(source: ByteSource, unit: NewlineUnit, count: number): number {
  const size = unitBytes(unit);
  const buffer = Buffer.alloc(BLOCK_BYTES);
  // The line end that closes the last line opens no other one.
  let newlines = count + (endsInLine(source, unit) ? 0 : 1);
  let end = source.size - (source.size % size);
  while (end > 0) {
    const start = Math.max(0, end - buffer.length);
    const bytes = buffer.subarray(0, end - start);
    source.read(bytes, start);
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
