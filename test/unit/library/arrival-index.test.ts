import { describe, expect, it } from 'vitest';
import { openStream } from '../../../electron/reader/bytes/streams.ts';
import { ArrivalIndex } from '../../../electron/store/contents/arrivals.ts';
import { type Arrival, encodeArrival, TIMES_RECORD_BYTES } from '../../../electron/store/format/times.ts';
import fc from '../../fixtures/fast-check.ts';

function timesOf(arrivals: readonly Arrival[]) {
  const bytes = Buffer.alloc(arrivals.length * TIMES_RECORD_BYTES);
  arrivals.forEach((arrival, index) => {
    encodeArrival(arrival, bytes, index * TIMES_RECORD_BYTES);
  });
  return openStream({ type: 'bytes', bytes, size: bytes.length });
}

/** Arrivals of two streams: the stream's index, and the number of bytes. */
function arrivalsOf(steps: readonly (readonly [number, number])[]): Arrival[] {
  const ends = [0, 0];
  return steps.map(([stream, bytes], index) => {
    ends[stream]! += bytes;
    return { time: 1000 + index, stream, end: ends[stream]! };
  });
}

describe('the arrival of a byte', () => {
  it('is that of the first record that covers it, in any order of requests', () => {
    const step = fc.tuple(fc.integer({ min: 0, max: 1 }), fc.integer({ min: 1, max: 5 }));
    const asked = fc.array(fc.tuple(fc.integer({ min: 0, max: 1 }), fc.integer({ min: 0, max: 60 })));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), asked, (steps, questions) => {
        const arrivals = arrivalsOf(steps);
        const index = new ArrivalIndex();
        for (const [stream, offset] of questions) {
          const first = arrivals.findIndex((each) => each.stream === stream && each.end > offset);
          const found = index.find(timesOf(arrivals), stream, offset);
          expect(found?.time).toBe(first < 0 ? undefined : 1000 + first);
          const other = arrivals.slice(0, Math.max(0, first)).findLast((each) => each.stream !== stream);
          if (found) expect(found.before[1 - stream]).toBe(other?.end ?? 0);
        }
      }),
    );
  });

  it('is found among more records than one chunk holds, and as more come', () => {
    const steps = Array.from({ length: 20_000 }, (_, index): [number, number] => [
      index % 7 === 0 ? 1 : 0,
      3,
    ]);
    const arrivals = arrivalsOf(steps);
    const index = new ArrivalIndex();
    for (const known of [3000, 4096, 9000, 20_000]) {
      const times = timesOf(arrivals.slice(0, known));
      for (const at of [0, 1, 7, 2999, 4095, 4096, 8192, 19_999].filter((each) => each < known)) {
        const { stream, end, time } = arrivals[at]!;
        expect(index.find(times, stream, end - 1)?.time).toBe(time);
        expect(index.find(times, stream, end - 3)?.time).toBe(time);
      }
      expect(index.find(times, 0, arrivals.length * 3)).toBeNull();
    }
  });

  it('is not taken from an empty record', () => {
    expect(new ArrivalIndex().find(timesOf([]), 0, 0)).toBeNull();
  });
});
