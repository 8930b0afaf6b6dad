import { describe, expect, it } from 'vitest';
import { allowCommand } from '../../../renderer/artifact/NoText.tsx';
import {
  formatAge,
  formatElapsed,
  formatPercent,
  formatShortAge,
  heading,
  sentence,
} from '../../../renderer/ui/text/format.ts';
import { splitForMiddle } from '../../../renderer/ui/text/MiddleText.tsx';
import { messageFirst } from '../../../shared/text/file-links.ts';

it('gives the elapsed time in whole seconds, never negative', () => {
  expect([-5, 999, 59_999, 65_000, 7_200_000].map(formatElapsed)).toEqual([
    '0 s',
    '0 s',
    '59 s',
    '1 min 5 s',
    '2 h',
  ]);
});

it.each([
  ['src/a.ts(45,18): error TS2345: Not assignable', 'error TS2345: Not assignable · src/a.ts(45,18)'],
  ['./main.c:12:5: error: expected ;', 'error: expected ; · ./main.c:12:5'],
  ['2026-01-13T10:30:00.123Z ERROR connection refused', 'ERROR connection refused'],
  ['[2026-01-13 10:30:00] [error] no such host', '[error] no such host'],
  ['2026-01-13T10:30:00Z a.go:7: panic', 'panic · a.go:7'],
  ['npm Audit\tRun npm audit\t2025-12-13T04:18:00.95Z ##[error]exit code 1', '##[error]exit code 1'],
  ['Error: at a.ts:1:2', 'Error: at a.ts:1:2'],
  ['src/a.ts:4:1', 'src/a.ts:4:1'],
  ['2026-01-13T10:30:00Z', '2026-01-13T10:30:00Z'],
  ['  plain', 'plain'],
])('begins %j with its message', (line, expected) => {
  expect(messageFirst(line)).toBe(expected);
});

describe('numbers for people', () => {
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

  it('are shorter where space is short', () => {
    const now = Date.parse('2026-03-01T12:00:00Z');
    const ago = (seconds: number) => formatShortAge(now - seconds * 1000, now);
    expect([ago(5), ago(300), ago(7200), ago(2 * 86_400)]).toEqual(['now', '5 min', '2 h', '2 d']);
    expect(ago(40 * 86_400)).toMatch(/^2026-01-2\d$/);
  });

  it('reach 100 % only when everything is done', () => {
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
    expect(splitForMiddle('one-of-many-07.log', 8, 16)).toBe(10);
  });

  it('keep their end, and their characters whole', () => {
    const name = `${'long-'.repeat(20)}end.log`;
    expect(name.slice(splitForMiddle(name))).toBe('ong-long-end.log'.slice(-14));
    const emoji = `${'x'.repeat(40)}😀${'y'.repeat(13)}`;
    expect(emoji.slice(splitForMiddle(emoji)).startsWith('😀')).toBe(true);
  });

  it('keep as much of their end as requested', () => {
    const path = `/var/${'log/'.repeat(10)}service`;
    expect(path.slice(splitForMiddle(path, '/service'.length))).toBe('/service');
    expect(splitForMiddle(path, 1000)).toBe(0);
  });
});

describe('a message of the host', () => {
  it('becomes a sentence or a heading', () => {
    expect(sentence('the file no longer exists: look in the list')).toBe(
      'The file no longer exists: look in the list.',
    );
    expect(sentence('Really?')).toBe('Really?');
    expect(sentence('config.json: unknown setting')).toBe('config.json: unknown setting.');
    expect(heading('no permission to read the file')).toBe('No permission to read the file');
    expect(heading('')).toBe('');
  });
});

describe('the command that makes a file readable', () => {
  it('quotes the file’s name for a shell', () => {
    expect(allowCommand('/var/log/app.log')).toBe('chmod u+r /var/log/app.log');
    expect(allowCommand("/a b/$(x);'y'")).toBe(`chmod u+r '/a b/$(x);'\\''y'\\'''`);
  });

  it('is left out where it would not help', () => {
    expect(allowCommand(null)).toBeNull();
    expect(allowCommand('C:\\logs\\app.log')).toBeNull();
  });
});
