import { describe, expect, it } from 'vitest';
import { isoTime } from '../../../electron/store/format/times.ts';

describe('a time in ISO 8601', () => {
  const times = [0, -1, 999.9, 1_795_449_600_123.7, -62_167_219_200_000, 253_402_300_799_999];

  it.each([...times, -62_167_219_200_001, 253_402_300_800_000, 8.64e15])(
    'equals what Date gives for %d',
    (time) => {
      expect(isoTime(time)).toBe(new Date(time).toISOString());
      expect(isoTime(new Date(time))).toBe(new Date(time).toISOString());
    },
  );

  it('throws for an invalid time', () => {
    expect(() => isoTime(Number.NaN)).toThrow(RangeError);
    expect(() => isoTime(8.64e15 + 1)).toThrow(RangeError);
  });
});
