/**
 * Finds bytes that arrived since a time: from arrival times (times.ts) to offsets in the stored streams. Times never
 * decrease, so a binary search finds the moment.
 */

import type { OpenStream } from '../../reader/bytes/open-stream.ts';
import { lastNewline } from '../../reader/lines/newlines.ts';
import type { Gap } from '../format/record.ts';
import { decodeArrivals, TIMES_RECORD_BYTES } from '../format/times.ts';
import { storedOffset } from './gap-offsets.ts';

/** A stream's stored bytes, and the gap in them. */
export interface StoredStream {
  stream: OpenStream;
  gap: Gap | null;
}

/**
 * Returns the offset in the stored stream of the first byte that arrived at `time` (milliseconds since the epoch) or
 * later; the stream's size when none did.
 *
 * @param times the bytes of `.times`
 * @param stream index of the stream in the record
 */
export function offsetSince(times: OpenStream, stream: number, time: number, stored: StoredStream): number {
  const arrived = arrivedBefore(times, stream, time);
  return Math.min(stored.stream.size, storedOffset(stored.gap, arrived));
}

/**
 * `offsetSince` for the combined stream. A line arrives with its line end: one begun before `time` and ended later
 * counts as arrived since.
 */
export function combinedSince(times: OpenStream, time: number, streams: readonly StoredStream[]): number {
  return streams.reduce(
    (sum, stream, i) => sum + lineEndBefore(stream.stream, offsetSince(times, i, time, stream)),
    0,
  );
}

/** Returns how many bytes of the stream arrived, dropped ones included. */
export function bytesArrived(times: OpenStream, stream: number): number {
  return arrivedBefore(times, stream, Number.POSITIVE_INFINITY);
}

/** Returns how many bytes of the stream arrived before `time`, dropped ones included. */
function arrivedBefore(times: OpenStream, stream: number, time: number): number {
  // Search backwards from the first record at or after `time` for this stream's last one.
  let end = firstNotBefore(times, time) * TIMES_RECORD_BYTES;
  const chunk = Buffer.alloc(CHUNK_BYTES);
  while (end > 0) {
    const start = Math.max(0, end - CHUNK_BYTES);
    const bytes = chunk.subarray(0, end - start);
    times.read(bytes, start);
    const last = decodeArrivals(bytes).findLast((arrival) => arrival.stream === stream);
    if (last) return last.end;
    end = start;
  }
  return 0;
}

const CHUNK_BYTES = 4096 * TIMES_RECORD_BYTES;

/** Returns the index of the first record at or after `time`; the number of records when none is. */
function firstNotBefore(times: OpenStream, time: number): number {
  const record = Buffer.alloc(TIMES_RECORD_BYTES);
  let low = 0;
  let high = Math.floor(times.size / TIMES_RECORD_BYTES);
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    times.read(record, middle * TIMES_RECORD_BYTES);
    if (decodeArrivals(record)[0]!.time < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the end of the last line that ends at or before `offset`; 0 when none does. */
function lineEndBefore(stream: OpenStream, offset: number): number {
  const buffer = Buffer.alloc(LOOK_BYTES);
  for (let end = offset; end > 0; ) {
    const start = Math.max(0, end - LOOK_BYTES);
    const bytes = buffer.subarray(0, end - start);
    stream.read(bytes, start);
    const next = lastNewline(bytes, 0, bytes.length, 'byte');
    if (next >= 0) return start + next;
    end = start;
  }
  return 0;
}

const LOOK_BYTES = 64 * 1024;
