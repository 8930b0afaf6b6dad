import { expect, test } from 'vitest';
import { fitSummary } from '../../../electron/mcp/tools/inspect-output.ts';
import { SummaryView } from '../../../shared/views.ts';
import fc from '../../fixtures/fast-check.ts';
import { makeSummary } from '../../fixtures/reader/summary.ts';
import { cases } from '../../fixtures/sizes.ts';

const chars = (view: SummaryView) => JSON.stringify(view).length;

function large(shapes: number, length: number): SummaryView {
  const text = (index: number) => `${index} `.padEnd(length, 'x');
  return makeSummary({
    shapes: Array.from({ length: shapes }, (_, index) => ({
      shape: text(index),
      count: shapes - index,
      first_line: index + 1,
      example: text(index),
    })),
    first_errors: Array.from({ length: 10 }, (_, index) => ({ line_number: index + 1, text: text(index) })),
    json: { type: 'object', keys: Array.from({ length: shapes }, (_, index) => `key ${index}`) },
  });
}

test('a summary that fits is the same object', () => {
  const view = makeSummary();
  expect(fitSummary(view, 20_000)).toBe(view);
});

test('long lines are shortened before anything is left out, and a note says so', () => {
  const fitted = fitSummary(large(10, 2000), 20_000);
  expect(chars(fitted)).toBeLessThanOrEqual(20_000);
  expect(fitted.shapes).toHaveLength(10);
  expect(fitted.first_errors).toHaveLength(10);
  expect(fitted.note).toMatch(/shortened/);
});

test('then the rarest shapes are left out, and the first errors last', () => {
  const fitted = fitSummary(large(1000, 2000), 20_000);
  expect(chars(fitted)).toBeLessThanOrEqual(20_000);
  expect(fitted.shapes.length).toBeGreaterThan(10);
  expect(fitted.shapes[0]!.count).toBe(1000);
  expect(fitted.first_errors.length).toBeGreaterThan(0);
  expect(fitted.note).toMatch(/left out/);
});

test('any summary is cut to the limit and stays a valid summary', () => {
  fc.assert(
    fc.property(
      fc.nat(1000),
      fc.nat(3000),
      fc.integer({ min: 1500, max: 50_000 }),
      (shapes, length, limit) => {
        const fitted = fitSummary(large(shapes, length), limit);
        expect(chars(fitted)).toBeLessThanOrEqual(limit);
        SummaryView.parse(fitted);
      },
    ),
    { numRuns: cases(60) },
  );
});
