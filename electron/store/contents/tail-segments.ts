/**
 * Names and finds tail segments: while a stream larger than its cap is recorded, its latest bytes go into segment
 * files beside it, and the last two are kept. `<stream file>.tail.<byte>.<line>` tells where in the stream a segment
 * begins (bytes, and line ends), so the names alone suffice to join them after a crash.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export interface TailSegment {
  name: string;
  /** Offset of its first byte in the stream. */
  start: number;
  /** Line ends in the stream before it. */
  line: number;
}

export function tailSegmentName(streamFile: string, start: number, line: number): string {
  return `${streamFile}.tail.${start}.${line}`;
}

/** Returns one stream's segments in order. Throws what the system throws. */
export function tailSegments(folder: string, streamFile: string): TailSegment[] {
  const prefix = `${streamFile}.tail.`;
  const found: TailSegment[] = [];
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(prefix)) continue;
    const numbers = /^(\d+)\.(\d+)$/.exec(name.slice(prefix.length));
    if (numbers) found.push({ name, start: Number(numbers[1]), line: Number(numbers[2]) });
  }
  return found.sort((a, b) => a.start - b.start);
}

export function removeTailSegments(folder: string, segments: readonly TailSegment[]): void {
  for (const { name } of segments) rmSync(join(folder, name), { force: true });
}
