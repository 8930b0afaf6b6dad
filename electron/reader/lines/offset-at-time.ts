/**
 * Finds the first line at or after a time, in a log whose lines begin with rising times. Lines without a time belong to
 * the line before. A binary search over bytes: reads some 30 stretches of 64 KiB, whatever the size.
 */
import { LF } from '../../../shared/text/codes.ts';
import { lineTime, NO_FACTS, TIME_WITHIN_CHARS, type TimeFacts } from '../../../shared/text/line-time.ts';
import type { OpenStream } from '../bytes/open-stream.ts';

const READ_BYTES = 64 * 1024;

/**
 * Returns the line's offset in bytes; null if no line near the start has a time.
 */
export function offsetAtTime(stream: OpenStream, time: number, facts: TimeFacts = NO_FACTS): number | null {
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
  if (firstTimed(stream, buffer, 0, facts) === null) return null;
  let low = 0;
  let high = stream.size;
  // Lines that begin before `low` are earlier.
  while (high - low > READ_BYTES) {
    const middle = Math.floor((low + high) / 2);
    const found = firstTimed(stream, buffer, middle, facts);
    if (found && found.time < time) low = found.end;
    else high = middle;
  }
  for (let at = low; at < stream.size; ) {
    const found = firstTimed(stream, buffer, at, facts);
    if (!found) break;
    if (found.time >= time) return found.start;
    at = found.end;
  }
  return stream.size;
}

interface TimedLine {
  /** Offset of the line in the stream, in bytes. */
  start: number;
  end: number;
  time: number;
}

/** Finds the first line with a time among the lines that begin in the stretch at `from`. */
function firstTimed(stream: OpenStream, buffer: Buffer, from: number, facts: TimeFacts): TimedLine | null {
  // Include the byte before: a line that begins at `from` follows a line end.
  const base = Math.max(0, from - 1);
  const filled = stream.read(buffer, base);
  let at = from === 0 ? 0 : buffer.subarray(0, filled).indexOf(LF) + 1;
  if (from > 0 && at === 0) return null;
  while (at < filled) {
    const lineEnd = buffer.subarray(0, filled).indexOf(LF, at);
    const end = lineEnd < 0 ? filled : lineEnd + 1;
    const time = lineTime(lineText(buffer, at, end), facts);
    if (time !== null) return { start: base + at, end: base + end, time };
    at = end;
  }
  return null;
}

/** Returns the beginning of a line, without its line end. */
function lineText(buffer: Buffer, from: number, end: number): string {
  return buffer.toString('latin1', from, Math.min(end, from + TIME_WITHIN_CHARS)).trimEnd();
}
