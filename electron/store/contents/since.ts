/**
 * What arrived since a moment, exactly: from times (times.ts) to offsets in the stored streams. Times never fall, so the
 * moment is found by binary search, in a file or in a record's own bytes.
 */

import type { ByteSource } from '../../reader/bytes/source.ts';
import { lastNewline } from '../../reader/lines/newlines.ts';
import type { Gap } from '../format/record.ts';
import { decodeArrivals, TIMES_RECORD_BYTES } from '../format/times.ts';

/** A stream of a record, as it is stored. */
export interface StoredStream {
  source: ByteSource;
  gap: Gap | null;
}

/**
 * Where in the stored stream that begins which arrived at `time` (milliseconds since the epoch) or later; its size when
 * nothing did.
 *
 * @param times all of `.times`, as bytes
 * @param stream the stream's place in the record
 */
export function offsetSince(times: ByteSource, stream: number, time: number, stored: StoredStream): number {
  const arrived = arrivedBefore(times, stream, time);
  return Math.min(stored.source.size, storedOffset(stored.gap, arrived));
}

/**
 * The same for the combined stream. A line is there when its line end is: what had begun before `time` and was ended
 * since then counts as having come since then.
 */
export function combinedSince(times: ByteSource, time: number, streams: readonly StoredStream[]): number {
  return streams.reduce(
    (sum, stream, i) => sum + lineEndBefore(stream.source, offsetSince(times, i, time, stream)),
    0,
  );
}

/** Bytes of the stream that have arrived, those counted that are not stored. */
export function bytesArrived(times: ByteSource, stream: number): number {
  return arrivedBefore(times, stream, Number.POSITIVE_INFINITY);
}

/** Bytes of the stream that had arrived before `time`, those counted that were dropped. */
function arrivedBefore(times: ByteSource, stream: number, time: number): number {
  // Backwards from the first record that is not before the moment, to the stream's last one.
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

/** Index of the first record of `time` or later; how many there are when none is. */
function firstNotBefore(times: ByteSource, time: number): number {
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

/** The end of the last line that ends at or before `offset`. */
function lineEndBefore(source: ByteSource, offset: number): number {
  const buffer = Buffer.alloc(LOOK_BYTES);
  for (let end = offset; end > 0; ) {
    const start = Math.max(0, end - LOOK_BYTES);
    const bytes = buffer.subarray(0, end - start);
    source.read(bytes, start);
    const next = lastNewline(bytes, 0, bytes.length, 'byte');
    if (next >= 0) return start + next;
    end = start;
  }
  return 0;
}

const LOOK_BYTES = 64 * 1024;

/**
 * From an offset in what a stream printed to one in what is stored of it: they differ behind a gap. Returns the gap's own offset
 * for a byte that was dropped.
 */
export function storedOffset(gap: Gap | null, arrived: number): number {
  if (!gap || arrived <= gap.offset) return arrived;
  return Math.max(gap.offset, arrived - gap.bytes);
}
