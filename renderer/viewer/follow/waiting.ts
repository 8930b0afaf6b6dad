/** How much came since a reader stopped following: lines where they are counted at both ends, else bytes. */
import { formatBytes, plural } from '../../ui/format.ts';

/** How far a text goes. */
export interface Extent {
  /** Null while they are being counted. */
  lines: number | null;
  bytes: number;
}

export const NOTHING_READ: Extent = { lines: 0, bytes: 0 };

/** Of a text that is shorter than what was read, all is new. */
export function cameSince(read: Extent, now: Extent): Extent {
  const since = (before: number, after: number) => (after < before ? after : after - before);
  return {
    lines: read.lines === null || now.lines === null ? null : since(read.lines, now.lines),
    bytes: since(read.bytes, now.bytes),
  };
}

/** There is something new. */
export function anyNew({ lines, bytes }: Extent): boolean {
  return lines !== 0 && bytes > 0;
}

/** `nothing new`, `1 new line`, `2,000 new lines`, or `1.46 MiB new`. */
export function waitingWords(extent: Extent): string {
  const { lines, bytes } = extent;
  if (lines !== null && lines > 0) return plural(lines, 'new line');
  return anyNew(extent) ? `${formatBytes(bytes)} new` : 'nothing new';
}
