/** Finds short gaps between chosen lines: two parts cost more than the lines between them. */
import { Buffer } from 'node:buffer';
import type { LogLine, LogLines } from '../log-lines.ts';

/** A part costs an agent about so much: a label, and an entry in the reply's head. */
const PART_BYTES = 110;
const MOST_LINES = 6;

/** Returns the lines that alone keep the one at `number` apart from others that are taken, on either side. */
export function gapsBeside(number: number, taken: ReadonlySet<number>, lines: LogLines): LogLine[] {
  return [...gap(number, -1, taken, lines), ...gap(number, 1, taken, lines)];
}

function gap(number: number, step: 1 | -1, taken: ReadonlySet<number>, lines: LogLines): LogLine[] {
  const between: LogLine[] = [];
  let bytes = 0;
  for (let n = number + step; !taken.has(n); n += step) {
    const line = lines.get(n);
    if (!line || between.length === MOST_LINES) return [];
    bytes += Buffer.byteLength(line.text) + 1;
    if (bytes > PART_BYTES) return [];
    between.push(line);
  }
  return between;
}
