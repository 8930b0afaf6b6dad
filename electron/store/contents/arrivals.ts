/**
 * Finds when a byte of a stream arrived, from the arrival times (times.ts). Bytes grow by stream, records by time, so
 * a checkpoint for each 4,096 records is searched first, then the records after it: ten million records take 2,500
 * checkpoints, read once.
 */
import { countFitting } from '../../../shared/line-set.ts';
import type { OpenStream } from '../../reader/bytes/open-stream.ts';
import { lastNewline } from '../../reader/lines/newlines.ts';
import { type Gap, storedOffset } from '../format/record.ts';
import { decodeArrivals, TIMES_RECORD_BYTES } from '../format/times.ts';

const CHUNK_RECORDS = 4096;
const CHUNK_BYTES = CHUNK_RECORDS * TIMES_RECORD_BYTES;
/** A record has at most three streams: stdout, stderr and a terminal's output. */
const STREAMS = 3;

export interface ArrivalOf {
  /** Milliseconds since the epoch. */
  time: number;
  /** Bytes of each stream that had arrived before. */
  before: readonly number[];
}

export class ArrivalIndex {
  /** Bytes of each stream that had arrived before each chunk. */
  readonly #before: number[][] = [];
  #arrived: number[] = Array(STREAMS).fill(0);
  /** The chunk that was read last, and how many of its bytes there were. */
  #chunk = { index: -1, bytes: Buffer.alloc(0) };

  /** Where the last arrival was found: its chunk and place there, and what had arrived before. */
  #cursor = { index: -1, at: 0, before: [] as number[] };

  /** Returns the arrival that brought the byte at `offset` of what the stream printed; null when none tells. */
  find(times: OpenStream, stream: number, offset: number): ArrivalOf | null {
    this.#extend(times);
    const chunks = countFitting(this.#before.length, (chunk) => this.#before[chunk]![stream]! <= offset);
    // The last chunk that begins with the byte still to come.
    const low = Math.max(0, chunks - 1);
    const bytes = this.#read(times, low);
    const last = this.#cursor;
    // Neighbours are asked for one after the other: go on where the last one was found, if that is not too far.
    const resumes = last.index === low && last.before[stream]! <= offset;
    const before = [...(resumes ? last.before : (this.#before[low] ?? this.#arrived))];
    for (let at = resumes ? last.at : 0; at + TIMES_RECORD_BYTES <= bytes.length; at += TIMES_RECORD_BYTES) {
      const of = bytes[at + 6]!;
      const end = endAt(bytes, at);
      if (of === stream && end > offset) {
        this.#cursor = { index: low, at, before };
        return { time: timeAt(bytes, at), before: [...before] };
      }
      if (of < STREAMS) before[of] = end;
    }
    return null;
  }

  /** Takes in whole chunks that came since. */
  #extend(times: OpenStream): void {
    if (this.#before.length === 0) this.#before.push([...this.#arrived]);
    while (this.#before.length * CHUNK_BYTES <= times.size) {
      const bytes = this.#read(times, this.#before.length - 1);
      for (let at = 0; at < CHUNK_BYTES; at += TIMES_RECORD_BYTES) {
        const of = bytes[at + 6]!;
        if (of < STREAMS) this.#arrived[of] = endAt(bytes, at);
      }
      this.#before.push([...this.#arrived]);
    }
  }

  #read(times: OpenStream, index: number): Buffer {
    const start = index * CHUNK_BYTES;
    const wanted = Math.max(0, Math.min(CHUNK_BYTES, times.size - start));
    if (this.#chunk.index !== index || this.#chunk.bytes.length < wanted) {
      const bytes = Buffer.allocUnsafe(wanted);
      this.#chunk = { index, bytes: bytes.subarray(0, times.read(bytes, start)) };
    }
    return this.#chunk.bytes;
  }
}

function timeAt(bytes: Buffer, at: number): number {
  return bytes.readUIntLE(at, 6);
}

/** Below 2^53: no stream has more bytes. */
function endAt(bytes: Buffer, at: number): number {
  return bytes.readUInt32LE(at + 8) + bytes.readUInt32LE(at + 12) * 2 ** 32;
}

// Finds bytes that arrived since a time: from arrival times (times.ts) to offsets in the stored streams. Times never
// decrease, so a binary search finds the moment.

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
  const chunk = Buffer.alloc(READ_BYTES);
  while (end > 0) {
    const start = Math.max(0, end - READ_BYTES);
    const bytes = chunk.subarray(0, end - start);
    times.read(bytes, start);
    const last = decodeArrivals(bytes).findLast((arrival) => arrival.stream === stream);
    if (last) return last.end;
    end = start;
  }
  return 0;
}

const READ_BYTES = 4096 * TIMES_RECORD_BYTES;

/** Returns the index of the first record at or after `time`; the number of records when none is. */
function firstNotBefore(times: OpenStream, time: number): number {
  const record = Buffer.alloc(TIMES_RECORD_BYTES);
  return countFitting(Math.floor(times.size / TIMES_RECORD_BYTES), (index) => {
    times.read(record, index * TIMES_RECORD_BYTES);
    return decodeArrivals(record)[0]!.time < time;
  });
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
