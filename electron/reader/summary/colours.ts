/**
 * Removes colours from lines that have no other controls: by far the most common lines that differ from their line
 * text.
 */
import { ESC } from '../../../shared/text/byte-values.ts';

let scratch = new Uint8Array(4096);
/** Longest line for this method; for longer ones the general method is as fast. */
const LONGEST_LINE_BYTES = 1 << 20;

/**
 * Returns the line from `start` including its LF (if any), without SGR sequences (ESC [ … m) and without ESC [ K, which
 * erases nothing at the end of the text. Null if it has another control, except the CR of its line end. Valid until the
 * next call.
 */
export function withoutColours(bytes: Uint8Array, start: number, end: number): Uint8Array | null {
  if (end - start > LONGEST_LINE_BYTES) return null;
  if (scratch.length < end - start) scratch = new Uint8Array((end - start) * 2);
  const textEnd = endOfText(bytes, start, end);
  const out = scratch;
  let length = 0;
  let i = start;
  while (i < end) {
    const byte = bytes[i]!;
    if (byte === ESC) {
      i = sequenceEnd(bytes, i, end);
      if (i < 0) return null;
      continue;
    }
    if (byte < 0x20 ? byte !== 0x09 && i < textEnd : byte === 0x7f) return null;
    out[length++] = byte;
    i++;
  }
  return out.subarray(0, length);
}

/** Returns the offset of the line's ending: LF, CR LF, or CR alone. */
function endOfText(bytes: Uint8Array, start: number, end: number): number {
  const last = end > start && bytes[end - 1] === 0x0a ? end - 1 : end;
  return last > start && bytes[last - 1] === 0x0d ? last - 1 : last;
}

/** Returns the end of the SGR or erasure at `at`; -1 for another sequence. */
function sequenceEnd(bytes: Uint8Array, at: number, end: number): number {
  if (at + 2 >= end || bytes[at + 1] !== 0x5b) return -1;
  let i = at + 2;
  while (i < end && bytes[i]! >= 0x30 && bytes[i]! <= 0x3b) i++;
  if (i >= end) return -1;
  if (bytes[i] === 0x6d) return i + 1;
  const isToEnd = bytes[i] === 0x4b && (i === at + 2 || (i === at + 3 && bytes[at + 2] === 0x30));
  return isToEnd ? i + 1 : -1;
}
