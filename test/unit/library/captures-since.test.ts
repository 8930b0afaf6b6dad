/** `offsetSince`, compared with a model that replays the arrivals. */

import { describe, expect, test } from 'vitest';
import { openStream } from '../../../electron/reader/bytes/streams.ts';
import { combinedSince, offsetSince, type StoredStream } from '../../../electron/store/contents/arrivals.ts';
import { encodeArrival, TIMES_RECORD_BYTES } from '../../../electron/store/format/times.ts';
import * as fc from '../../fixtures/fast-check.ts';

interface Came {
  stream: 0 | 1;
  /** Milliseconds since the previous arrival. */
  later: number;
  bytes: Buffer;
}

const came: fc.Arbitrary<Came[]> = fc.array(
  fc.record({
    stream: fc.constantFrom<0 | 1>(0, 1),
    later: fc.integer({ min: 0, max: 3 }),
    bytes: fc.constantFrom('a', 'bc\n', '\n', 'd\ne', 'fgh').map((text) => Buffer.from(text)),
  }),
  { maxLength: 60 },
);

const bytesStream = (bytes: Buffer) => openStream({ type: 'bytes', bytes, size: bytes.length });

function timesOf(arrivals: readonly Came[]): Buffer {
  const bytes = Buffer.alloc(arrivals.length * TIMES_RECORD_BYTES);
  const ends = [0, 0];
  let time = 1000;
  for (const [i, one] of arrivals.entries()) {
    time += one.later;
    ends[one.stream]! += one.bytes.length;
    encodeArrival({ time, stream: one.stream, end: ends[one.stream]! }, bytes, i * TIMES_RECORD_BYTES);
  }
  return bytes;
}

function cameBefore(arrivals: readonly Came[], moment: number): Came[] {
  let time = 1000;
  return arrivals.filter((one) => {
    time += one.later;
    return time < moment;
  });
}

const said = (arrivals: readonly Came[], stream: number) =>
  Buffer.concat(arrivals.filter((one) => one.stream === stream).map(({ bytes }) => bytes));

describe('reading since a time', () => {
  test('begins a stream with the first byte that arrived then or later', () => {
    fc.assert(
      fc.property(came, fc.integer({ min: 990, max: 1200 }), (arrivals, moment) => {
        const times = bytesStream(timesOf(arrivals));
        for (const stream of [0, 1]) {
          const stored: StoredStream = { stream: bytesStream(said(arrivals, stream)), gap: null };
          expect(offsetSince(times, stream, moment, stored)).toBe(
            said(cameBefore(arrivals, moment), stream).length,
          );
        }
      }),
    );
  });

  test('begins the combined stream with the first line that ended then or later', () => {
    fc.assert(
      fc.property(came, fc.integer({ min: 990, max: 1200 }), (arrivals, moment) => {
        const streams = [0, 1].map((stream) => ({ stream: bytesStream(said(arrivals, stream)), gap: null }));
        const ended = [0, 1].map((stream) => said(cameBefore(arrivals, moment), stream).lastIndexOf(10) + 1);
        expect(combinedSince(bytesStream(timesOf(arrivals)), moment, streams)).toBe(ended[0]! + ended[1]!);
      }),
    );
  });

  test('skips the bytes that were dropped', () => {
    const times = bytesStream(
      timesOf(
        [10, 10, 10].map((length): Came => ({ stream: 0, later: 10, bytes: Buffer.alloc(length, 'x') })),
      ),
    );
    // 30 bytes came; those from 5 to 25 were dropped.
    const stored: StoredStream = {
      stream: bytesStream(Buffer.alloc(10)),
      gap: { offset: 5, line: 0, bytes: 20, lines: 0 },
    };
    expect([1010, 1011, 1021, 1031].map((moment) => offsetSince(times, 0, moment, stored))).toEqual([
      0, 5, 5, 10,
    ]);
  });

  test('finds a stream that was long silent beside the other', () => {
    const quiet: Came = { stream: 1, later: 0, bytes: Buffer.from('early\n') };
    const loud = Array.from(
      { length: 20_000 },
      (): Came => ({ stream: 0, later: 1, bytes: Buffer.from('x') }),
    );
    const times = bytesStream(timesOf([quiet, ...loud]));
    const stored: StoredStream = { stream: bytesStream(Buffer.from('early\nlate\n')), gap: null };
    expect(offsetSince(times, 1, 15_000, stored)).toBe(6);
  });

  test('ignores an arrival record that is cut short', () => {
    const arrivals: Came[] = [
      { stream: 0, later: 0, bytes: Buffer.from('abc') },
      { stream: 0, later: 5, bytes: Buffer.from('def') },
    ];
    const cut = timesOf(arrivals).subarray(0, 2 * TIMES_RECORD_BYTES - 1);
    const stored: StoredStream = { stream: bytesStream(Buffer.from('abcdef')), gap: null };
    expect(offsetSince(bytesStream(cut), 0, 9999, stored)).toBe(3);
  });
});
