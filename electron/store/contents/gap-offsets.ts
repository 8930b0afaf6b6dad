/**
 * Offsets before and after a gap: in what a stream printed, and in the bytes that are stored of it. Apart from since.ts,
 * whose reader of lines the extension for VS Code is built without.
 */
import type { Gap } from '../format/record.ts';

/**
 * Converts an offset in a stream's output to one in its stored bytes: they differ after a gap. Returns the gap's
 * offset for a dropped byte.
 */
export function storedOffset(gap: Gap | null, arrived: number): number {
  if (!gap || arrived <= gap.offset) return arrived;
  return Math.max(gap.offset, arrived - gap.bytes);
}

/** Converts an offset in a stream's stored bytes to one in its output: the reverse of `storedOffset`. */
export function printedOffset(gap: Gap | null, stored: number): number {
  return gap && stored >= gap.offset ? stored + gap.bytes : stored;
}
