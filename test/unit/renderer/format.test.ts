import { describe, expect, it } from 'vitest';
import { allowCommand } from '../../../renderer/artifact/bars/allow-command.ts';
import {
  formatAge,
  formatBytes,
  formatCount,
  formatDuration,
  formatElapsed,
  formatPercent,
  formatShortAge,
  heading,
  plural,
  sentence,
} from '../../../renderer/ui/words/format.ts';
import { splitForMiddle } from '../../../renderer/ui/words/MiddleText.tsx';

it('says what time has passed so far in whole seconds, and never less than none', () => {
  expect([-5, 999, 59_999, 65_000, 7_200_000].map(formatElapsed)).toEqual([
    '0 s',
    '0 s',
    '59 s',
    '1 min 5 s',
    '2 h 0 min',
  ]);
});

describe('numbers for people', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1023, '1023 B'],
    [1024, '1.00 KiB'],
    [1536, '1.50 KiB'],
    [10_240, '10.0 KiB'],
    [1_022_976, '999 KiB'],
    [1_048_575, '1.00 MiB'],
    [144_186_213, '138 MiB'],
    [1024 ** 3, '1.00 GiB'],
    [5 * 1024 ** 4, '5.00 TiB'],
  ])('%i bytes are %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });

  it('group counts and name what is counted', () => {
    expect(formatCount(50_000_000)).toBe('50,000,000');
    expect([plural(1, 'line'), plural(2000, 'line')]).toEqual(['1 line', '2,000 lines']);
  });

  it.each([
    [0, '0 ms'],
    [999, '999 ms'],
    [12_440, '12.4 s'],
    [59_960, '1 min 0 s'],
    [200_000, '3 min 20 s'],
    [7_500_000, '2 h 5 min'],
  ])('%i ms are %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  it('say how long ago, in the largest unit', () => {
    const now = Date.parse('2026-03-01T12:00:00Z');
    const ago = (seconds: number) => formatAge(now - seconds * 1000, now);
    expect([ago(5), ago(60), ago(3599), ago(3600), ago(86_400), ago(30 * 86_400)]).toEqual([
      'just now',
      '1 min ago',
      '59 min ago',
      '1 h ago',
      '1 d ago',
      '30 d ago',
    ]);
    expect(ago(40 * 86_400)).toMatch(/^2026-01-2\d$/);
    expect(ago(-30)).toBe('just now');
  });

  it('say it shorter where there is little room', () => {
    const now = Date.parse('2026-03-01T12:00:00Z');
    const ago = (seconds: number) => formatShortAge(now - seconds * 1000, now);
    expect([ago(5), ago(300), ago(7200), ago(2 * 86_400)]).toEqual(['now', '5 min', '2 h', '2 d']);
    expect(ago(40 * 86_400)).toMatch(/^2026-01-2\d$/);
  });

  it('reach 100 % only when all is done', () => {
    expect([formatPercent(0, 0), formatPercent(999, 1000), formatPercent(1000, 1000)]).toEqual([
      '0 %',
      '99 %',
      '100 %',
    ]);
  });
});

describe('names that shorten in the middle', () => {
  it('stay whole when they are short', () => {
    expect(splitForMiddle('build.log')).toBe(9);
  });

  it('keep their end, and their characters whole', () => {
    const name = `${'long-'.repeat(20)}end.log`;
    expect(name.slice(splitForMiddle(name))).toBe('ong-long-end.log'.slice(-14));
    const emoji = `${'x'.repeat(40)}😀${'y'.repeat(13)}`;
    expect(emoji.slice(splitForMiddle(emoji)).startsWith('😀')).toBe(true);
  });

  it('keep as much of their end as they are told to', () => {
    const path = `/var/${'log/'.repeat(10)}service`;
    expect(path.slice(splitForMiddle(path, '/service'.length))).toBe('/service');
    expect(splitForMiddle(path, 1000)).toBe(0);
  });
});

describe('what the host says', () => {
  it('becomes a sentence or a heading', () => {
    expect(sentence('the file is gone: look in the list')).toBe('The file is gone: look in the list.');
    expect(sentence('Really?')).toBe('Really?');
    expect(heading('the file may not be read')).toBe('The file may not be read');
    expect(heading('')).toBe('');
  });
});

describe('the command that allows reading', () => {
  it('names the file as a shell takes it', () => {
    expect(allowCommand('/var/log/app.log')).toBe('chmod u+r /var/log/app.log');
    expect(allowCommand("/a b/$(x);'y'")).toBe(`chmod u+r '/a b/$(x);'\\''y'\\'''`);
  });

  it('is not there where it would not do', () => {
    expect(allowCommand(null)).toBeNull();
    expect(allowCommand('C:\\logs\\app.log')).toBeNull();
  });
});
