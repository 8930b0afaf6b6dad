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

/** The same without times, which takes less memory. */
export function decodeArrivalRun(bytes: Buffer): { streams: Uint8Array; ends: Float64Array } {
  const count = Math.floor(bytes.length / TIMES_RECORD_BYTES);
  const streams = new Uint8Array(count);
  const ends = new Float64Array(count);
  for (let i = 0; i < count; i += 1) {
    streams[i] = bytes[i * TIMES_RECORD_BYTES + 6]!;
    ends[i] = Number(bytes.readBigUInt64LE(i * TIMES_RECORD_BYTES + 8));
  }
  return { streams, ends };
}

/**
 * Writes a time in ISO 8601, UTC, as `Date.toISOString` does, whose first call loads the machine's time zone: 0.8 MB.
 *
 * @param at a valid time, or milliseconds since the epoch; throws RangeError otherwise
 */
export function isoTime(at: Date | number): string {
  const date = new Date(at);
  const year = date.getUTCFullYear();
  // Other years have a sign and six digits.
  if (!(year >= 0 && year <= 9999)) return date.toISOString();
  const day = `${digits(year, 4)}-${digits(date.getUTCMonth() + 1, 2)}-${digits(date.getUTCDate(), 2)}`;
  const hour = `${digits(date.getUTCHours(), 2)}:${digits(date.getUTCMinutes(), 2)}`;
  return `${day}T${hour}:${digits(date.getUTCSeconds(), 2)}.${digits(date.getUTCMilliseconds(), 3)}Z`;
}

function digits(value: number, count: number): string {
  return String(value).padStart(count, '0');
}
