/** What many lines tell about the times of each. */
import { describe, expect, it } from 'vitest';
import { lineTime } from '../../../shared/text/line-time.ts';
import { dependsOnForm, learnTimeForm } from '../../../shared/text/time-form.ts';

/** Returns the days, or the seconds, of the lines' times. */
function daysOf(lines: readonly string[]): (string | null)[] {
  const facts = { ...learnTimeForm(lines), writtenBy: null };
  return lines.map((line) => {
    const time = lineTime(line, facts);
    if (time === null) return null;
    const date = new Date(time);
    return `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`;
  });
}

const at = (dates: readonly string[]) => dates.map((date) => `${date} 09:00:00 INFO x`);

describe('the order of day and month', () => {
  it('is one for the whole text, and a number over 12 tells it', () => {
    expect(daysOf(at(['10/03/2026', '14/03/2026']))).toEqual(['2026-3-10', '2026-3-14']);
    expect(daysOf(at(['03/10/2026', '03/14/2026']))).toEqual(['2026-3-10', '2026-3-14']);
  });

  it('is otherwise the one in which the lines lie closer together', () => {
    expect(daysOf(at(['10/03/2026', '11/03/2026', '12/03/2026']))).toEqual([
      '2026-3-10',
      '2026-3-11',
      '2026-3-12',
    ]);
    expect(daysOf(at(['03/10/2026', '03/11/2026']))).toEqual(['2026-3-10', '2026-3-11']);
  });

  it('is the American one where nothing tells', () => {
    expect(daysOf(at(['03/10/2026', '03/10/2026']))).toEqual(['2026-3-10', '2026-3-10']);
  });

  it('is the one of most lines where some contradict', () => {
    expect(daysOf(at(['14/03/2026', '15/03/2026', '03/16/2026']))[0]).toBe('2026-3-14');
  });
});

describe('whole seconds since 1970', () => {
  const seconds = (lines: readonly string[]) => learnTimeForm(lines).hasSeconds;

  it('are the time of a text whose lines begin with them', () => {
    const lines = ['1772359200 start', '1772359207 end'];
    expect(seconds(lines)).toBe(true);
    expect(lineTime(lines[0]!, { ...learnTimeForm(lines), writtenBy: null })).toBe(1_772_359_200_000);
    expect(seconds(['1494261212089000000 a', '1494261212 b'])).toBe(true);
  });

  it('are not in a list of sizes or of ids', () => {
    expect(seconds(['1772359200\t./a', '4096\t./b', '12\t./c'])).toBe(false);
    expect(seconds(['1001234567 a', '1901234567 b'])).toBe(false);
    expect(seconds([])).toBe(false);
  });
});

it('depends on the form with slashes and whole seconds alone', () => {
  expect(dependsOnForm('10/03/2026 09:00:00 x')).toBe(true);
  expect(dependsOnForm('1772359200 x')).toBe(true);
  expect(dependsOnForm('2026-03-10 09:00:00 x')).toBe(false);
});
