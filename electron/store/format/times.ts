/**
 * The format of `<artifact>.times`: when which bytes arrived. Little-endian records of 16 bytes: milliseconds since
 * the epoch (6 bytes), index of the stream (1), zero (1), bytes of that stream so far, dropped ones included (8).
 * Times never decrease: they are the start time plus what a monotonic clock measured since. An unfinished last record
 * is ignored.
 */
export const TIMES_RECORD_BYTES = 16;

export interface Arrival {
  /** Milliseconds since the epoch. */
  time: number;
  /** Index into the record's streams. */
  stream: number;
  /** Bytes of the stream that had arrived, this arrival included. */
  end: number;
}

export function encodeArrival({ time, stream, end }: Arrival, into: Buffer, at = 0): void {
  into.writeUIntLE(Math.max(0, Math.floor(time)), at, 6);
  into.writeUInt8(stream, at + 6);
  into.writeUInt8(0, at + 7);
  into.writeBigUInt64LE(BigInt(end), at + 8);
}

export function decodeArrivals(bytes: Buffer): Arrival[] {
  const arrivals: Arrival[] = [];
  for (let at = 0; at + TIMES_RECORD_BYTES <= bytes.length; at += TIMES_RECORD_BYTES) {
    arrivals.push({
      time: bytes.readUIntLE(at, 6),
      stream: bytes.readUInt8(at + 6),
      end: Number(bytes.readBigUInt64LE(at + 8)),
    });
  }
  return arrivals;
}
