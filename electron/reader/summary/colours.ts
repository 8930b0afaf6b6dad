/**
 * Removes colours from lines that have no other controls: by far the most common ones that are not line text as
 * they stand.
 */

const ESC = 0x1b;
let scratch = new Uint8Array(4096);
/** Longest line done this way; beyond, the general way takes no longer. */
const LONGEST = 1 << 20;

/**
 * The line from `start` up to and with its LF (if it has one), without SGR sequences (ESC [ … m) and erasures of what
 * follows (ESC [ K), which at the end of a text erase nothing; null when it has another control, but for the CR of
 * its ending. Valid until the next call.
 */
export function withoutColours(bytes: Uint8Array, start: number, end: number): Uint8Array | null {
  if (end - start > LONGEST) return null;
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

/** Where a line's ending begins: LF, CR LF, or a CR without it. */
function endOfText(bytes: Uint8Array, start: number, end: number): number {
  const last = end > start && bytes[end - 1] === 0x0a ? end - 1 : end;
  return last > start && bytes[last - 1] === 0x0d ? last - 1 : last;
}

/** The end of the SGR or erasure at `at`; -1 when it is another sequence. */
function sequenceEnd(bytes: Uint8Array, at: number, end: number): number {
  if (at + 2 >= end || bytes[at + 1] !== 0x5b) return -1;
  let i = at + 2;
  while (i < end && bytes[i]! >= 0x30 && bytes[i]! <= 0x3b) i++;
  if (i >= end) return -1;
  if (bytes[i] === 0x6d) return i + 1;
  const isToEnd = bytes[i] === 0x4b && (i === at + 2 || (i === at + 3 && bytes[at + 2] === 0x30));
  return isToEnd ? i + 1 : -1;
}
