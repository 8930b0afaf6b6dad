/** Places in what a stream said, and in what is stored of it: they differ behind a gap. Bytes from the start. */
import type { Gap } from '../format/record.ts';

/** Where in the stored stream the byte is that came as number `arrived`; where the gap is, for one that was dropped. */
export function storedOffset(gap: Gap | null, arrived: number): number {
  if (!gap || arrived <= gap.offset) return arrived;
  return Math.max(gap.offset, arrived - gap.bytes);
}
