import { describe, expect, it, test } from 'vitest';
import { decoderFor } from '../../../electron/reader/bytes/encoding.ts';
import type { OpenStream } from '../../../electron/reader/bytes/open-stream.ts';
import { TimedLines } from '../../../electron/reader/lines/timed-lines.ts';
import { longestPauses } from '../../../electron/reader/sections/pauses.ts';
import { NO_FACTS } from '../../../shared/text/line-time.ts';

const start = Date.UTC(2026, 0, 13, 10);
const at = (number: number) => new Date(start + number * 1000).toISOString();

const offsetAtTime = (source: OpenStream, time: number, encoding = 'utf-8') =>
  new TimedLines(source, decoderFor(encoding), NO_FACTS).offsetAt(time);

function sourceOf(text: string | Buffer): OpenStream {
  const bytes = Buffer.from(text as string);
  return {
    size: bytes.length,
    read(into, position) {
      const part = bytes.subarray(position, position + into.length);
      into.set(part);
      return part.length;
    },
  };
}

describe('the first line at or after a time', () => {
  const lines = Array.from({ length: 20_000 }, (_, n) => `${at(n)} line ${n}\n  and more\n`);
  const text = lines.join('');
  const source = sourceOf(text);
  const lineAt = (offset: number | null) => text.slice(offset!, offset! + 60).split('\n')[0];

  it.each([0, 1, 777, 12_345, 19_999])('is line %i at its own time', (n) => {
    expect(lineAt(offsetAtTime(source, start + n * 1000))).toBe(`${at(n)} line ${n}`);
  });

  it('is the next one between two times, the first one before all, and the end after all', () => {
    expect(lineAt(offsetAtTime(source, start + 500_500))).toBe(`${at(501)} line 501`);
    expect(offsetAtTime(source, start - 1)).toBe(0);
    expect(offsetAtTime(source, start + 1e9)).toBe(text.length);
  });

  it.each([
    ['utf-16le', '', '\n'],
    ['utf-16le', '\ufeff', '\r\n'],
    ['utf-16be', '', '\r\n'],
    ['utf-16be', '\ufeff', '\n'],
  ])('is found in %s, with %j before it and %j behind lines', (encoding, mark, end) => {
    const wide = `${mark}${text.slice(0, 400_000).replaceAll('more', '上')}`.replaceAll('\n', end);
    const bytes = Buffer.from(wide, 'utf16le');
    const file = sourceOf(encoding === 'utf-16be' ? bytes.swap16() : bytes);
    for (const n of [0, 1, 777, 5_000])
      expect(offsetAtTime(file, start + n * 1000, encoding)).toBe(n && wide.indexOf(at(n)) * 2);
  });

  it('is not known where no line tells a time', () => {
    expect(offsetAtTime(sourceOf('a\nb\nc\n'), start)).toBeNull();
  });
});

test('a pause is between times that are written alike: others are those of another zone or program', () => {
  const lines = Array.from({ length: 5000 }, (_, n) => `${at(n < 3000 ? n : n + 600)} line ${n}\n`);
  for (let n = 40; n < lines.length; n += 50)
    lines[n] = `Finished at 2026-01-${10 + (n % 19)}T08:00:00+02:00\n`;
  const text = `${lines.join('')}${'no time\n'.repeat(20_000)}`;
  const pauses = longestPauses(new TimedLines(sourceOf(text), decoderFor('utf-8'), NO_FACTS), text.length, 3);
  expect(pauses.map(({ ms }) => ms)).toEqual([601_000, 2000, 2000]);
  expect(text.slice(pauses[0]!.offset).split('\n')[0]).toBe(`${at(2999)} line 2999`);
});
