/** Finds the number that a line of one stream has where two streams are interleaved (interleave.ts). */
import { countPlain, nextNewline } from '../lines/newlines.ts';
import type { ArrivalRun } from './interleave.ts';

/** Reading past the end, or where bytes were not kept, returns fewer bytes. */
interface Text {
  /** Bytes. */
  readonly size: number;
  /** Fills `bytes` from `position` on; returns how many it filled. */
  read(bytes: Uint8Array, position: number): number;
}

interface CountedText {
  text: Text;
  /** Its line ends. */
  newlines: number;
}

/**
 * @param at index of the line's stream
 * @param line the line's number in its stream, and the offset of its first byte
 * @param arrivals of both streams, dropped bytes included, as the texts count them
 * @returns null where the text around it was not kept, or no arrival tells when it came
 */
export function combinedLine(
  streams: readonly CountedText[],
  at: number,
  line: { number: number; offset: number },
  arrivals: ArrivalRun,
): number | null {
  const other = streams[1 - at];
  if (other === undefined || other.text.size === 0) return line.number;
  const end = lineEndAfter(streams[at]!.text, line.offset);
  if (end === null) return null;
  if (end === 'none') {
    // An unfinished line comes after all that ended; of two, the one whose stream was heard last is the last.
    const isLast = endsInLine(other) && arrivals.streams.at(-1) === at;
    return line.number + other.newlines + (isLast ? 1 : 0);
  }
  const before = arrivedBefore(arrivals, at, end);
  const lines = before === null ? null : lineEndsBefore(other, Math.min(before, other.text.size));
  return lines === null ? null : line.number + lines;
}

const STEP_BYTES = 256 * 1024;

/** Returns the offset after the next line end; `none` if the text ends before, null if it is not stored. */
function lineEndAfter(text: Text, offset: number): number | 'none' | null {
  const buffer = Buffer.allocUnsafe(STEP_BYTES);
  for (let at = offset; at < text.size; ) {
    const got = text.read(buffer, at);
    if (got <= 0) return null;
    const found = nextNewline(buffer, 0, got, 'byte');
    if (found >= 0) return at + found;
    at += got;
  }
  return 'none';
}

/** Counts the line ends before `end`, from the nearer end of the text. */
function lineEndsBefore({ text, newlines }: CountedText, end: number): number | null {
  if (end <= text.size / 2) return countBetween(text, 0, end);
  const after = countBetween(text, end, text.size);
  return after === null ? null : newlines - after;
}

function countBetween(text: Text, start: number, end: number): number | null {
  const buffer = Buffer.allocUnsafe(STEP_BYTES);
  let lines = 0;
  for (let at = start; at < end; ) {
    const got = Math.min(text.read(buffer, at), end - at);
    if (got <= 0) return null;
    lines += countPlain(buffer, 0, got, 'byte');
    at += got;
  }
  return lines;
}

function endsInLine({ text }: CountedText): boolean {
  const last = Buffer.alloc(1);
  return text.read(last, text.size - 1) === 1 && last[0] !== 10;
}

/** Returns how much of the other stream had arrived before the byte at `end - 1` of stream `at`; null if not known. */
function arrivedBefore({ streams, ends }: ArrivalRun, at: number, end: number): number | null {
  let other = 0;
  for (let i = 0; i < streams.length; i += 1) {
    if (streams[i] !== at) other = ends[i]!;
    else if (ends[i]! >= end) return other;
  }
  return null;
}
