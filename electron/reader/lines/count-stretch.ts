/** Counts line ends and detects controls in a stretch of a stream, block by block, for the index. */

import type { OpenStream } from '../bytes/open-stream.ts';
import { BLOCK_BYTES, SEAMS_BYTES, type StretchCounts } from './block-index.ts';
import { CONTROLS } from './controls.ts';
import {
  createNewlineCounter,
  LOOKAHEAD_BYTES,
  type NewlineCounter,
  type NewlineUnit,
  unitBytes,
} from './newlines.ts';
import { UNKNOWN_BYTE } from './seam-table.ts';

let counter: NewlineCounter | undefined;

/** Counts `[start, end)`. For UTF-16 text, only line ends. */
export function countStretch(
  stream: OpenStream,
  start: number,
  end: number,
  unit: NewlineUnit,
): StretchCounts {
  counter ??= createNewlineCounter();
  const { buffer } = counter;
  const blocks = Math.ceil(end / BLOCK_BYTES) - Math.floor(start / BLOCK_BYTES);
  const newlines = new Uint32Array(blocks);
  const controls = new Uint8Array(blocks).fill(CONTROLS.others);
  const seams: Uint16Array[] = [];
  let run = 0;
  counter.precede(UNKNOWN_BYTE);
  // Begin with a whole unit: the stretch before may have ended inside one (a block's end never splits a unit).
  for (let position = start - (start % unitBytes(unit)); position < end; ) {
    // Read up to where the next seams begin, so that every buffer but the last holds whole blocks, plus the lookahead
    // for a sequence.
    const stop = Math.min(end, (Math.floor(position / SEAMS_BYTES) + 1) * SEAMS_BYTES);
    const length = stop - position;
    const read = stream.read(buffer.subarray(0, length + LOOKAHEAD_BYTES), position);
    buffer.fill(UNKNOWN_BYTE, read, length + LOOKAHEAD_BYTES);
    let coloured = false;
    for (let at = 0; at < length; ) {
      const blockEnd = Math.floor((position + at) / BLOCK_BYTES + 1) * BLOCK_BYTES - position;
      const to = Math.min(length, blockEnd);
      if (unit === 'byte') {
        const look = counter.look(at, to);
        newlines[run] = look.newlines;
        controls[run] = look.controls;
        coloured ||= look.controls !== CONTROLS.none;
      } else newlines[run] = counter.count(at, to, unit);
      run += 1;
      at = to;
    }
    // Not one empty array for all: posting a result gives its arrays away.
    seams.push(coloured ? counter.takeSeams() : new Uint16Array());
    counter.precede(buffer[length - 1]!);
    position = stop;
  }
  return { newlines, controls, seams };
}
