import { describe, expect, it } from 'vitest';
import { timeOnDay } from '../../../../renderer/artifact/use-time-destination.ts';
import { timeOf, timeText } from '../../../../renderer/viewer/text/line-times.ts';
import { toneOf } from '../../../../renderer/viewer/text/line-tone.ts';
import { lookFrom, nextTimes } from '../../../../renderer/viewer/text/text-look.ts';
import type { Row } from '../../../../shared/api/rows.ts';

const row = (text: string, at?: number): Row => ({
  text,
  runs: null,
  offset: 0,
  bytes: text.length,
  clipped: false,
  ...(at === undefined ? {} : { at }),
});

describe('the time of a line', () => {
  it('is that of its arrival, else the one that it begins with', () => {
    expect(timeOf(row('2026-01-13T10:30:00Z late', 5))).toBe(5);
    expect(timeOf(row('2026-01-13T10:30:00.123456Z INFO x'))).toBe(Date.UTC(2026, 0, 13, 10, 30, 0, 123));
    expect(timeOf(row('[2026-01-13 10:30:00,5 +02:00] x'))).toBe(Date.UTC(2026, 0, 13, 8, 30, 0, 500));
    expect(timeOf(row('2026-01-13 10:30:00 x'))).toBe(new Date(2026, 0, 13, 10, 30).getTime());
  });

  it('is not made up', () => {
    for (const text of ['', 'took 10:30:00', '2026-99-99T10:30:00Z', `${'x'.repeat(90)}2026-01-13T10:30:00Z`])
      expect(timeOf(row(text))).toBeNull();
    expect(timeOf({ ...row('', 5), missing: true })).toBeNull();
    expect(timeOf(undefined)).toBeNull();
  });

  it('is shown as such, or as what passed since the line above', () => {
    const at = new Date(2026, 0, 13, 10, 30, 0, 7).getTime();
    const shown = (by: number) => timeText('since', row('', at + by), row('', at));
    expect(timeText('time', row('', at), undefined)).toBe('10:30:00.007');
    expect([0, 4, 59_999, 61_000, 3_600_000, -1500].map(shown)).toEqual([
      '+0.000 s',
      '+0.004 s',
      '+59.999 s',
      '+1 min 1 s',
      '+1 h 0 min',
      '−1.500 s',
    ]);
    expect(timeText('since', row('', at), row('without'))).toBe('');
    expect(timeText('off', row('', at), undefined)).toBeNull();
  });

  it('is found by the time of day that is typed, from the start on', () => {
    const start = new Date(2026, 0, 13, 23, 50, 30).getTime();
    expect(timeOnDay('23:55', start)).toBe(new Date(2026, 0, 13, 23, 55).getTime());
    expect(timeOnDay(' 0:10:05 ', start)).toBe(new Date(2026, 0, 14, 0, 10, 5).getTime());
    expect(timeOnDay('23:50', start)).toBe(new Date(2026, 0, 13, 23, 50).getTime());
    for (const typed of ['24:00', '10:60', '10', '10:30:61', 'x']) expect(timeOnDay(typed, start)).toBeNull();
    expect(timeOnDay('10:30', Number.NaN)).toBeNull();
  });
});

describe('how lines are shown', () => {
  it('is by level: errors, warnings, and what is said quietly', () => {
    const tones = ['ERROR x', 'fatal: x', 'WARN x', 'DEBUG x', 'INFO x', 'x', ''].map((text) =>
      toneOf(row(text)),
    );
    expect(tones).toEqual(['failed', 'failed', 'warned', 'quiet', null, null, null]);
  });

  it('is remembered as far as it makes sense', () => {
    const kept = { times: 'since', levels: false, wrap: true, json: false };
    expect(lookFrom(JSON.stringify(kept))).toEqual(kept);
    for (const text of [null, '', 'null', '{"times":"x","levels":1,"wrap":"y","json":0}'])
      expect(lookFrom(text)).toEqual({ times: 'off', levels: true, wrap: false, json: true });
    expect([nextTimes('off'), nextTimes('time'), nextTimes('since')]).toEqual(['time', 'since', 'off']);
  });
});
