/** Reads lines by their numbers, which need not be consecutive. */
import type { OpenStream } from '../bytes/open-stream.ts';
import type { BlockIndex } from './block-index.ts';
import { CURSOR_BYTES, LineCursor, type RawLine } from './line-cursor.ts';
import { lineStart } from './line-positions.ts';
import type { NewlineUnit } from './newlines.ts';

/** Up to this distance, reading on is cheaper than a lookup. */
const NEAR_LINES = 50;

/** Yields the lines with these rising numbers, until one does not exist. The index must reach them. */
export function* linesAt(
  stream: OpenStream,
  index: BlockIndex,
  unit: NewlineUnit,
  numbers: readonly number[],
): Generator<RawLine> {
  const buffer = Buffer.allocUnsafeSlow(CURSOR_BYTES);
  let cursor: LineCursor | null = null;
  let next = 0;
  for (const number of numbers) {
    if (!cursor || number - next > NEAR_LINES) {
      const position = lineStart(stream, index, unit, number);
      cursor = new LineCursor(stream, unit, { position, number }, index, buffer);
    }
    let line = cursor.next();
    while (line && line.number < number) line = cursor.next();
    if (!line) return;
    next = number + 1;
    yield line;
  }
}
