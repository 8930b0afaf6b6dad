/** Cuts an explanation to a budget. */
import { expect, test } from 'vitest';
import { cutExplanation } from '../../../../electron/reader/failure/cut.ts';
import type { Explanation, RankedLine } from '../../../../electron/reader/failure/explanation.ts';

function ranked(...lines: [number, string, (string | null)?][]): Explanation {
  const list = lines.map(
    ([number, text, why = null], rank): RankedLine => ({ number, text, why, rank, offset: 0, isCut: false }),
  );
  return {
    cause: null,
    ranked: list,
    blank: new Set([11]),
    totalLines: 100,
    essential: new Set(),
    tellsOfFailure: false,
    isPlain: false,
  };
}

test('errors are shortened where that makes room for all, the cause and others are not', () => {
  const long = Array.from({ length: 12 }, (_, i): [number, string] => [
    i * 2 + 1,
    `error ${'x'.repeat(500)} ${i}`,
  ]);
  const explanation = { ...ranked(...long, [90, 'y'.repeat(100)]), essential: new Set(long.map(([n]) => n)) };
  const { parts, errors_left_out } = cutExplanation(explanation, { bytes: 4096, lines: 100 });
  expect(errors_left_out).toBe(0);
  expect(parts.map(({ content }) => content.length)).toEqual([508, ...Array(11).fill(240), 100]);
  expect(parts.map(({ clipped }) => clipped ?? '')).toEqual(['', ...Array(11).fill('beginning'), '']);
});

test('lines keep the order of the text; neighbours share a part, which says why its best line was chosen', () => {
  const explanation = ranked(
    [9, 'nine', 'error'],
    [2, 'two'],
    [8, 'eight', 'warning'],
    [3, 'three'],
    [12, 'twelve'],
    [10, 'ten'],
  );
  expect(cutExplanation(explanation, { bytes: 1000, lines: 10 }).parts).toEqual([
    { start_line: 2, end_line: 3, content: 'two\nthree' },
    { start_line: 8, end_line: 12, content: 'eight\nnine\nten\n\ntwelve', why: 'error', line: 9 },
  ]);
});

test('the result keeps to its budget of bytes, line ends included, and of lines', () => {
  const explanation = ranked(
    ...Array.from({ length: 90 }, (_, i): [number, string] => [i * 2 + 1, 'x'.repeat(19)]),
  );
  const cut = cutExplanation(explanation, { bytes: 400, lines: 100 });
  expect(cut.lines).toBe(19);
  expect(cut.parts.map((part) => part.content).join('\n').length).toBeLessThanOrEqual(400);
  expect(cutExplanation(explanation, { bytes: 400, lines: 3 }).lines).toBe(3);
});

test('a line that is too long is left out, but the best one is shortened, between characters', () => {
  const explanation = ranked([5, '€'.repeat(400), 'error'], [6, 'y'.repeat(400)], [7, 'short']);
  const cut = cutExplanation(explanation, { bytes: 500, lines: 10 });
  expect(cut.isCut).toBe(true);
  expect(cut.parts.map((part) => [part.content, part.clipped])).toEqual([
    ['€'.repeat(83), 'beginning'],
    ['short', undefined],
  ]);
  // The lines after the shortened one are a part of their own.
  const next = ranked([5, 'x'.repeat(400), 'error'], [6, 'next']);
  expect(cutExplanation(next, { bytes: 500, lines: 10 }).parts).toEqual([
    { start_line: 5, end_line: 5, content: 'x'.repeat(250), why: 'error', line: 5, clipped: 'beginning' },
    { start_line: 6, end_line: 6, content: 'next' },
  ]);
});

test('a large budget is not filled with lines that tell nothing more', () => {
  const lines = Array.from({ length: 400 }, (_, i): [number, string] => [i * 2 + 1, 'x'.repeat(19)]);
  const explanation = { ...ranked(...lines), isPlain: true };
  const bytesOf = (bytes: number, given = explanation) => cutExplanation(given, { bytes, lines: 2000 }).bytes;
  expect(bytesOf(4096)).toBeLessThanOrEqual(0.6 * 4096);
  expect(bytesOf(4096, ranked(...lines))).toBeGreaterThan(0.9 * 4096);
  expect(bytesOf(2048)).toBeGreaterThan(0.9 * 2048);
  // An error comes however late it is ranked.
  const late = { ...explanation, essential: new Set([799]) };
  const { parts } = cutExplanation(late, { bytes: 4096, lines: 2000 });
  expect(parts.at(-1)).toMatchObject({ start_line: 799 });
});

test('from 4 KB on, a preview keeps room for lines at error level, and shortens long ones', () => {
  const lines = Array.from({ length: 400 }, (_, i): [number, string] => [i * 2 + 1, 'x'.repeat(79)]);
  const explanation = {
    ...ranked(...lines, [901, 'late error'], [903, 'y'.repeat(3000)]),
    essential: new Set([901, 903]),
  };
  const cut = cutExplanation(explanation, { bytes: 4096, lines: 2000 });
  expect(cut.parts.slice(-2)).toMatchObject([
    { content: 'late error' },
    { content: 'y'.repeat(1024), clipped: 'beginning' },
  ]);
  expect(cut.bytes).toBeLessThanOrEqual(4096);
  expect(cutExplanation(explanation, { bytes: 4096, lines: 5 }).parts.at(-1)).toMatchObject({
    start_line: 903,
  });
});
