/** Chooses the lines between chosen ones that are shown, too. */
import { expect, test } from 'vitest';
import { gapsBeside } from '../../../../electron/reader/failure/choose.ts';
import type { LogLine, LogLines } from '../../../../electron/reader/failure/log-lines.ts';

function gaps(taken: readonly number[], at: number, text = (n: number) => `line ${n}`): number[] {
  const get = (number: number) =>
    number > 0 ? ({ number, text: text(number), offset: 0, isCut: false } satisfies LogLine) : undefined;
  return gapsBeside(at, new Set([at, ...taken]), { get } as LogLines).map(({ number }) => number);
}

test('a few short lines join two parts, on either side', () => {
  expect(gaps([10, 18], 14)).toEqual([13, 12, 11, 15, 16, 17]);
});

test('parts stay apart where the lines between cost more than a part', () => {
  expect(gaps([10], 13, (n) => `${n} ${'x'.repeat(60)}`)).toEqual([]);
  expect(gaps([10], 12, (n) => `${n} ${'x'.repeat(60)}`)).toEqual([11]);
});

test('parts stay apart where many lines lie between, however short', () => {
  expect(gaps([1], 30, () => '')).toEqual([]);
});

test('nothing joins a line to the beginning', () => {
  expect(gaps([], 2)).toEqual([]);
});
