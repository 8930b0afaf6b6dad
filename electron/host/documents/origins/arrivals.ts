/** The arrival of a capture's text: the stream and time of each byte, also for two streams combined. */

import { closeSync, fstatSync } from 'node:fs';
import { join } from 'node:path';
import type { StreamName } from '../../../../shared/artifact.ts';
import { GIB } from '../../../../shared/limits.ts';
import type { TimeTable } from '../../../reader/bytes/merge-by-time.ts';
import type { OpenStream, StreamHandle } from '../../../reader/bytes/open-stream.ts';
import { placesOf } from '../../../reader/bytes/pieces.ts';
import { openStream } from '../../../reader/bytes/streams.ts';
import {
  type ArrivalIndex,
  type ArrivalOf,
  combinedSince,
  offsetSince,
} from '../../../store/contents/arrivals.ts';
import { type CaptureEntry, fullRecord } from '../../../store/format/entry.ts';
import { timesFile } from '../../../store/format/names.ts';
import { type Gap, printedOffset, storedOffset } from '../../../store/format/record.ts';
import { openTrusted } from '../../../store/format/small-file.ts';
import { decodeArrivals, TIMES_RECORD_BYTES } from '../../../store/format/times.ts';

/** Offsets are in the text, unless a stream is named. */
export interface CaptureArrivals {
  /**
   * For each offset: its arrival (milliseconds since the epoch) and, for two streams combined, its stream; null if
   * unknown.
   */
  at(offsets: readonly number[]): Arrived[];
  /** Returns the offset of the first byte that arrived at a time (milliseconds since the epoch) or later. */
  since(time: number): number;
  /** Returns how far another stream had arrived when the byte at `offset` did: an offset in its stored bytes. */
  offsetIn(stream: StreamName, offset: number): number;
  /** Returns all arrivals, with the offsets that the text had reached. */
  table(): TimeTable;
  /** Returns the offset of the first byte in the text at or after `offset` of a stream. */
  offsetOf(stream: StreamName, offset: number): number;
}

export interface Arrived {
  stream: StreamName | null;
  time: number | null;
}

interface ArrivedText {
  /** Each part's index into the record's streams, and its gap. */
  indexes: readonly number[];
  gaps: readonly (Gap | null)[];
  stream: StreamHandle;
}

export function arrivalsOf(
  entry: CaptureEntry,
  index: ArrivalIndex,
  { indexes, gaps, stream }: ArrivedText,
): CaptureArrivals {
  const { streams } = entry.record;
  const pieces = stream.type === 'pieces' ? placesOf(stream) : null;
  /** Null for an inserted line end, which no stream has. */
  const placeOf = (offset: number): { part: number; offset: number } | null => {
    if (!pieces) return { part: 0, offset };
    const place = pieces.inPart(Math.min(offset, Math.max(0, stream.size - 1)));
    return place.part < indexes.length ? place : null;
  };
  const partOf = (stream: StreamName) => indexes.findIndex((at) => streams[at]?.name === stream);
  const find = (times: OpenStream, place: { part: number; offset: number }): ArrivalOf | null =>
    index.find(times, indexes[place.part]!, printedOffset(gaps[place.part] ?? null, place.offset));
  return {
    at: (offsets) =>
      withTimes(entry, (times) =>
        offsets.map((offset) => {
          const place = placeOf(offset);
          if (!place) return { stream: null, time: null };
          const name = streams[indexes[place.part]!]?.name ?? null;
          return { stream: pieces ? name : null, time: find(times, place)?.time ?? null };
        }),
      ),
    since(time) {
      const parts = (stream.type === 'pieces' ? stream.parts.slice(0, indexes.length) : [stream]).map(
        (handle, part) => ({ stream: openStream(handle), gap: gaps[part] ?? null }),
      );
      return withTimes(entry, (times) =>
        pieces ? combinedSince(times, time, parts) : offsetSince(times, indexes[0]!, time, parts[0]!),
      );
    },
    offsetIn(stream, offset) {
      const part = partOf(stream);
      if (pieces) return pieces.nextOf(Math.max(0, part), offset);
      if (part === 0) return offset;
      const at = streams.findIndex(({ name }) => name === stream);
      const arrived = withTimes(entry, (times) => find(times, { part: 0, offset }))?.before[at] ?? 0;
      return storedOffset(streams[at]?.gap ?? null, arrived);
    },
    table: () =>
      withTimes(entry, (times) => {
        const bytes = Buffer.alloc(times.size - (times.size % TIMES_RECORD_BYTES));
        times.read(bytes, 0);
        const found = decodeArrivals(bytes)
          .map(({ time, stream, end }) => ({ time, part: indexes.indexOf(stream), end }))
          .filter(({ part }) => part >= 0)
          .map(({ time, part, end }) => {
            const stored = storedOffset(gaps[part] ?? null, end);
            return { time, end: pieces ? pieces.positionOf(part, Math.max(0, stored - 1)) + 1 : stored };
          })
          .sort((a, b) => a.end - b.end || a.time - b.time);
        return {
          ends: Float64Array.from(found, ({ end }) => end),
          times: Float64Array.from(found, ({ time }) => time),
        };
      }),
    offsetOf(stream, offset) {
      return pieces ? pieces.positionOf(Math.max(0, partOf(stream)), offset) : offset;
    },
  };
}

/** Enough for 67 million arrivals. No more are read: a search reads them all, and anybody can make a huge sparse file. */
const MAX_TIMES_BYTES = GIB;

/** Opens `.times`, in the record or beside it; empty when the file is missing. Throws other system errors. */
export function withTimes<T>(entry: CaptureEntry, use: (times: OpenStream) => T): T {
  if (entry.record.times !== null) {
    return use(inMemory(Buffer.from(fullRecord(entry).times ?? '', 'base64')));
  }
  let fd: number;
  try {
    ({ fd } = openTrusted(join(entry.folder, timesFile(entry.id))));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return use(inMemory(Buffer.alloc(0)));
    throw error;
  }
  try {
    return use(openStream({ type: 'file', fd, size: Math.min(fstatSync(fd).size, MAX_TIMES_BYTES) }));
  } finally {
    closeSync(fd);
  }
}

function inMemory(bytes: Buffer): OpenStream {
  return openStream({ type: 'bytes', bytes, size: bytes.length });
}
