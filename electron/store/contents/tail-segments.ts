/**
 * The end of a stream that is larger than its cap, while it is recorded: segments beside the stream's file, of which the
 * last two are kept. Their names say where in the stream they begin, so that nothing else is needed to put them
 * together after a crash: `<stream file>.tail.<byte>.<line>`, both counted from the stream's start, lines as line ends.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export interface TailSegment {
  name: string;
  /** Bytes of the stream before it. */
  start: number;
  /** Line ends of the stream before it. */
  line: number;
}

export function tailSegmentName(streamFile: string, start: number, line: number): string {
  return `${streamFile}.tail.${start}.${line}`;
}

/** Of one stream, first one first. Throws what the system throws. */
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
