/** The scanner's counts, however the output is cut into chunks. */
import { expect, test } from 'vitest';
import { explain } from '../../../../electron/reader/failure/explain.ts';
import { FailureScanner } from '../../../../electron/reader/failure/scan/scanner.ts';
import * as fc from '../../../fixtures/fast-check.ts';
import { ourFailures, textOf } from '../../../fixtures/reader/failures.ts';

function scanned(bytes: Buffer, chunk: number): FailureScanner {
  const scanner = new FailureScanner(bytes.length);
  for (let at = 0; at < bytes.length; at += chunk) scanner.push(bytes.subarray(at, at + chunk));
  scanner.finish();
  return scanner;
}

test('chunks of any size give the same explanation', () => {
  const [first] = ourFailures();
  const bytes = first!.bytes;
  const whole = explain(scanned(bytes, bytes.length), textOf(bytes));
  for (const size of [1, 7, 64, 4095, 65_536]) {
    expect(explain(scanned(bytes, size), textOf(bytes))).toEqual(whole);
  }
});

test('lines and bytes are counted, whatever they are', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3000 }), fc.integer({ min: 1, max: 500 }), (array, chunk) => {
      const bytes = Buffer.from(array);
      const scanner = scanned(bytes, chunk);
      const ends = bytes.filter((byte) => byte === 10).length;
      expect(scanner.lines).toBe(ends + (bytes.length > 0 && bytes.at(-1) !== 10 ? 1 : 0));
      expect(scanner.offset).toBe(bytes.length);
    }),
  );
});

test('a line longer than is kept of it counts with all its bytes', () => {
  const bytes = Buffer.from(`${'x'.repeat(100_000)}\nerror: behind it\n`);
  const scanner = scanned(bytes, 1000);
  expect([scanner.lines, scanner.offset]).toEqual([2, bytes.length]);
  expect(explain(scanner, textOf(bytes)).cause).toMatchObject({ line_number: 2, text: 'error: behind it' });
});

test('words are counted, and what joins them', () => {
  const bytes = Buffer.from('open schema/orders.json for größe_x and retry_budget.v2\n');
  const scanner = scanned(bytes, 10);
  for (const word of ['schema/orders.json', 'größe_x', 'retry_budget.v2']) {
    expect([word, scanner.wordCount(word)]).toEqual([word, 1]);
  }
});

test('tables stay within their bounds when every line is new', () => {
  const scanner = new FailureScanner();
  let text = '';
  let state = 1;
  const word = () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fff_ffff;
    return state.toString(36).replace(/\d/g, 'q');
  };
  for (let i = 0; i < 150_000; i++) {
    text += `error ${word()} ${word()} of ${word()} not found\n`;
    if (text.length > 100_000) {
      scanner.push(Buffer.from(text));
      text = '';
    }
  }
  expect(scanner.lines).toBeGreaterThan(140_000);
  expect(scanner.shapes.size).toBeLessThanOrEqual(65_536);
  expect(scanner.shapes.late.length).toBeLessThanOrEqual(2048);
});
