import { describe, expect, it } from 'vitest';
import { toneOf } from '../../../../renderer/viewer/text/RowLine.tsx';
import { nextTimes, textSettingsFrom } from '../../../../renderer/viewer/text/text-settings.ts';
import { timeOf, timeText } from '../../../../renderer/viewer/text/times.ts';
import { goToTime } from '../../../../renderer/viewer/use-destinations.ts';
import type { Row } from '../../../../shared/api/rows.ts';
import { NO_FACTS, START_TIME, type TimeFacts, typedTime } from '../../../../shared/text/line-time.ts';

const timeOnDay = (typed: string, start: number) => typedTime(typed, start)?.time ?? null;

const row = (text: string, at?: number): Row => ({
  text,
  runs: null,
  offset: 0,
  bytes: text.length,
  clipped: false,
  ...(at === undefined ? {} : { at }),
});

describe('the time of a line', () => {
  it('is its arrival time, else the time at its beginning', () => {
    expect(timeOf(row('2026-01-13T10:30:00Z late', 5))).toBe(5);
    expect(timeOf(row('2026-01-13T10:30:00.123456Z INFO x'))).toBe(Date.UTC(2026, 0, 13, 10, 30, 0, 123));
    expect(timeOf(row('[2026-01-13 10:30:00,5 +02:00] x'))).toBe(Date.UTC(2026, 0, 13, 8, 30, 0, 500));
    expect(timeOf(row('2026-01-13 10:30:00 x'))).toBe(new Date(2026, 0, 13, 10, 30).getTime());
  });

  it('is absent if the line has none', () => {
    for (const text of ['', 'took 10:30:00', '2026-99-99T10:30:00Z', `${'x'.repeat(90)}2026-01-13T10:30:00Z`])
      expect(timeOf(row(text))).toBeNull();
    expect(timeOf({ ...row('', 5), missing: true })).toBeNull();
    expect(timeOf(undefined)).toBeNull();
  });

  it('is shown as it is, or as the time since the line above', () => {
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

  it('is found by a typed time of day, from the start on', () => {
    const start = new Date(2026, 0, 13, 23, 50, 30).getTime();
    expect(timeOnDay('23:55', start)).toBe(new Date(2026, 0, 13, 23, 55).getTime());
    expect(timeOnDay(' 0:10:05 ', start)).toBe(new Date(2026, 0, 14, 0, 10, 5).getTime());
    expect(timeOnDay('23:50', start)).toBe(new Date(2026, 0, 13, 23, 50).getTime());
    for (const typed of ['24:00', '10:60', '10', '10:30:61', 'x']) expect(timeOnDay(typed, start)).toBeNull();
    expect(timeOnDay('10:30', Number.NaN)).toBeNull();
    expect(timeOnDay('23:55:00.250', start)).toBe(new Date(2026, 0, 13, 23, 55, 0, 250).getTime());
  });

  it.each([
    ['2026-03-01T15:00', new Date(2026, 2, 1, 15).getTime()],
    ['2026-03-01 15:00:00', new Date(2026, 2, 1, 15).getTime()],
    ['2026/03/01 15:00:00', new Date(2026, 2, 1, 15).getTime()],
    ['2026-03-01T15:00:00.5Z', Date.UTC(2026, 2, 1, 15, 0, 0, 500)],
    ['2026-03-01T15:00+02:00', Date.UTC(2026, 2, 1, 13)],
    ['2026-03-01', new Date(2026, 2, 1).getTime()],
    ['2026/03/01 ', new Date(2026, 2, 1).getTime()],
    ['03-01', null],
    ['03-01 15:00', new Date(2026, 2, 1, 15).getTime()],
    ['2026-02-30 15:00', null],
  ])('is found by the date and time %s', (typed, time) => {
    expect(timeOnDay(typed, new Date(2026, 5, 13, 23).getTime())).toBe(time);
  });

  it.each<[form: string, typed: string, expected: number | null, facts?: Partial<TimeFacts>]>([
    ['syslog', 'Nov 28 10:00:01', new Date(2025, 10, 28, 10, 0, 1).getTime()],
    ['seconds since 1970', '1772359260', 1772359260_000],
    ['milliseconds since 1970', '1772359260123', 1772359260_123],
    ['half a day, with a date', '03/01/2026 1:20 PM', new Date(2026, 2, 1, 13, 20).getTime()],
    [
      'half a day, day first',
      '03/01/2026 1:20 PM',
      new Date(2026, 0, 3, 13, 20).getTime(),
      { isDayFirst: true },
    ],
    ['half a day', '1:20 pm', new Date(2026, 5, 13, 13, 20).getTime()],
    ['midnight', '12:05 a.m.', new Date(2026, 5, 13, 0, 5).getTime()],
    ['brackets', '[2026-03-01 10:00:00,250]', new Date(2026, 2, 1, 10, 0, 0, 250).getTime()],
    ['a web server', '[01/Mar/2026:10:00:01 +0000]', Date.UTC(2026, 2, 1, 10, 0, 1)],
    ['klog', 'I0301 10:00:00.500000', new Date(2026, 2, 1, 10, 0, 0, 500).getTime()],
    ['a zone that means several', '2026-03-01 10:00:00 CST', new Date(2026, 2, 1, 10).getTime()],
    ['seconds since the start', '[   12.345678]', START_TIME + 12_345, { countsFromStart: true }],
    ['a span since the start', '2m', START_TIME + 120_000, { countsFromStart: true }],
    ['a zone of the text', 'Nov 28 10:00:01', Date.UTC(2025, 10, 28, 9, 0, 1), { zone: 60 }],
    ['words behind it', '2026-03-01 10:00:00 x', null],
    ['a message', 'Nov 28 10:00:01 host x', null],
    ['a number', '12.345678', null],
    ['no text', '', null],
  ])('is found by the time as a line has it: %s', (_, typed, time, facts = {}) => {
    const start = new Date(2026, 5, 13).getTime();
    const known = { ...NO_FACTS, writtenBy: start, ...facts };
    expect(typedTime(typed, start, known)?.time ?? null).toBe(time);
  });

  describe('leads to the nearest line if none came then', () => {
    const start = Date.UTC(2026, 2, 1, 10);
    const minutes = Array.from({ length: 100 }, (_, i) => start + i * 60_000);
    const passing = { settled: true, count: 11, lineOf: (row: number) => 40 + row } as never;
    it.each([
      [-5, null, 1, 'All lines are after x; went to the first one'],
      [0, null, 1, null],
      [50, null, 51, null],
      [500, null, 100, 'All lines are before x; went to the last one'],
      [5, passing, 40, 'All lines shown are after x; went to the first one'],
      [39, passing, 40, null],
      [45, passing, 46, null],
      [80, passing, 50, 'All lines shown are before x; went to the last one'],
    ])('at minute %i', async (minute, shown, line, said) => {
      const went: (number | 'end')[] = [];
      const heard: string[] = [];
      const viewer = { passing: shown, goToLine: (to: number | 'end') => went.push(to) };
      const document = {
        lineAtTime: async (time: number) => {
          const at = minutes.findIndex((each) => each >= time);
          return at < 0 ? minutes.length : at + 1;
        },
        fetchRows: async (first: number, count: number) => ({
          rows: minutes.slice(first - 1, first - 1 + count).map((time) => row('', time)),
        }),
      };
      const time = start + minute * 60_000;
      await goToTime(viewer, document as never, { time, words: 'x', length: 60_000 }, (text) =>
        heard.push(text),
      );
      expect([went, heard]).toEqual([[line], said === null ? [] : [said]]);
    });
  });
});

describe('how lines are shown', () => {
  it('is by level: errors, warnings, and debug or trace lines', () => {
    const tones = ['ERROR x', 'fatal: x', 'WARN x', 'DEBUG x', 'INFO x', 'x', ''].map((text) =>
      toneOf(row(text)),
    );
    expect(tones).toEqual(['failed', 'failed', 'warned', 'quiet', null, null, null]);
  });

  it('is remembered as far as it is valid', () => {
    const kept = { times: 'since', levels: false, wrap: true, json: false };
    expect(textSettingsFrom(JSON.stringify(kept))).toEqual(kept);
    for (const text of [null, '', 'null', '{"times":"x","levels":1,"wrap":"y","json":0}'])
      expect(textSettingsFrom(text)).toEqual({ times: 'off', levels: true, wrap: false, json: true });
    expect([nextTimes('off'), nextTimes('time'), nextTimes('since')]).toEqual(['time', 'since', 'off']);
  });
});
