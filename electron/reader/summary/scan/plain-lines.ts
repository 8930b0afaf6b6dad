/** Counts lines one after the other, without care for speed: for lines of any length, and without SIMD. */
import { LONG_LINE, lineBytes, type Tally } from '../tally.ts';
import { hasC0, lengthWithoutC1 } from '../utf8.ts';

/** Counts the lines of valid UTF-8 from `from` up to `to`, which must be the end of a line with LF. */
export function countPlainLines(bytes: Uint8Array, from: number, to: number, tally: Tally): void {
  for (let start = from; start < to; ) {
    const end = bytes.indexOf(0x0a, start);
    if (end - start > LONG_LINE && hasControls(bytes, start, end)) tally.countLongLine(bytes, start, end);
    else tally.countLine(lineBytes(bytes, start, end));
    tally.countEnding(bytes, end);
    start = end + 1;
  }
}

function hasControls(bytes: Uint8Array, start: number, end: number): boolean {
  const textEnd = bytes[end - 1] === 0x0d ? end - 1 : end;
  return hasC0(bytes, start, textEnd) || lengthWithoutC1(bytes, start, textEnd) < 0;
}
