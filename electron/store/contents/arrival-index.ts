/**
 * Finds when a byte of a stream arrived, from the arrival times (times.ts). Bytes grow by stream, records by time, so
 * a checkpoint for each 4,096 records is searched first, then the records after it: ten million records take 2,500
 * checkpoints, read once.
 */
import type { OpenStream } from '../../reader/bytes/open-stream.ts';
import { TIMES_RECORD_BYTES } from '../format/times.ts';

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
    let low = 0;
    let high = this.#before.length;
    // The last chunk that begins with the byte still to come.
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (middle < this.#before.length && this.#before[middle]![stream]! <= offset) low = middle;
      else high = middle - 1;
    }
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
