/**
 * Checks that a preview of 4 KB keeps every different error line of the failing step. Reads made-up outputs, and real logs
 * if there are some beside the checkout.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cutExplanation } from '../../../../electron/reader/failure/cut.ts';
import { scanned } from '../../../../electron/reader/failure/explain.ts';
import { NEGATED } from '../../../../electron/reader/failure/lexicon/parts.ts';
import { failedText } from '../../../../electron/reader/failure/scope.ts';
import { isErrorLevel, levelOf } from '../../../../shared/text/levels.ts';
import { setOf } from '../../../fixtures/reader/failure-sets.ts';
import { explained, SHARED, textOf } from '../../../fixtures/reader/failures.ts';
import { isOnTurn, RECORDED_FAILURES } from '../../../fixtures/sizes.ts';

const BUDGET_BYTES = 4096;
/** Lines at error level beyond so many bytes need not all be shown. */
const MOST_BYTES = 3400;
const MOST_LINE_BYTES = 1024;

const numbered = (text: string) => text.replace(/\p{L}*\d[\p{L}\d]*/gu, '0');

/** The distinct lines at error level of the failing step, and those of them that a preview leaves out. */
function leftOut(bytes: Buffer): { distinct: string[]; missing: string[] } {
  const text = textOf(bytes);
  const { lines, scope } = failedText(scanned(text), text);
  const distinct = new Map<string, string>();
  for (const line of lines.all()) {
    if (scope.zoneOf(line.number) !== 'failing') continue;
    const { level, end } = lines.prefixOf(line.text);
    // A label without a message says nothing.
    if (line.text.slice(end).trim() === '') continue;
    if (!isErrorLevel(level ?? levelOf(line.text.slice(end).replace(NEGATED, ' ')))) continue;
    const key = numbered(line.text);
    if (!distinct.has(key)) distinct.set(key, line.text);
  }
  const { parts } = cutExplanation(explained(bytes), { bytes: BUDGET_BYTES, lines: 500 });
  const shown = parts.flatMap(({ content }) => content.split('\n')).map(numbered);
  const isShown = (key: string) =>
    shown.some((line) => line === key || (line.length > 200 && key.startsWith(line.slice(0, 200))));
  return {
    distinct: [...distinct.values()],
    missing: [...distinct].filter(([key]) => !isShown(key)).map(([, line]) => line),
  };
}

const sizeOf = (lines: readonly string[]) =>
  lines.reduce((sum, line) => sum + Math.min(Buffer.byteLength(line), MOST_LINE_BYTES) + 1, 0);

const work = (count: number) => Array.from({ length: count }, (_, i) => `packed part ${i} of the ledger`);
const word = (i: number) => (i * 7919).toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)]!);
const WORDS = Array.from({ length: 30 }, (_, i) => word(i + 40));
const NAMES = ['Round', 'Total', 'Currency', 'Refund', 'Coupon', 'Basket', 'Tariff'];

describe('every distinct line at error level is in 4 KB', () => {
  test.each([
    ['tests that differ by name alone', NAMES.map((name) => `--- FAIL: Test${name} (0.00s)`), work(900)],
    [
      'many errors of one kind, beside lines that tell as much',
      WORDS.map(
        (word, i) => `--- FAIL: TestLedgerOf${word}WithRounding${WORDS[(i * 5 + 2) % 30]}Half (0.00s)`,
      ),
      work(600).flatMap((line, i) => [
        line,
        `cannot ${WORDS[i % 30]} ${WORDS[(i * 7) % 30]}: no such ${WORDS[(i * 11 + 3) % 30]}`,
      ]),
    ],
    ['errors with a word of their own', NAMES.map((name) => `ERROR: ${name} is not set`), work(900)],
    [
      'an error between many long lines',
      ['error: quota exceeded for ledger'],
      work(300).flatMap((line, i) => [line, `warning: ${'unused value '.repeat(70)}${i}`]),
    ],
    ['an error longer than the preview', [`error: cannot parse ${'row, '.repeat(1500)}`], work(400)],
    [
      'errors among which one is very long',
      [
        `error: bad header ${'x, '.repeat(900)}`,
        ...NAMES.map((name) => `error: no ${name.toLowerCase()} found`),
      ],
      work(400),
    ],
  ])('%s', (_, errors, others) => {
    const half = others.length >> 1;
    const text = [...others.slice(0, half)];
    for (const [i, error] of errors.entries())
      text.push(error, ...others.slice(half + i * 9, half + i * 9 + 9));
    const { distinct, missing } = leftOut(
      Buffer.from(`${[...text, ...work(300), 'FAIL', 'exit status 1'].join('\n')}\n`),
    );
    expect(distinct.length).toBeGreaterThanOrEqual(errors.length);
    expect(missing).toEqual([]);
  });
});

/** Logs that break the promise: they quote lines that look like errors, or have more verdicts than fit. */
const QUOTED = ['treeherder-wpt-multiple', 'treeherder-reftest-timeout'];

test('pages list each error that a preview has no room for, once', () => {
  const errors = WORDS.flatMap((word, i) =>
    [0, 1, 2, 3, 4, 5].map((j) => `error: no ${word} in ${WORDS[(i + j + 1) % 30]}`),
  );
  const text = errors.flatMap((error, i) => [error, ...work(9).map((line) => `${line} ${i}`)]);
  const explanation = explained(Buffer.from(`${[...text, 'exit status 1'].join('\n')}\n`));
  const shown: string[] = [];
  for (let from = 0, left = -1; left !== 0; ) {
    const page = cutExplanation(explanation, { bytes: BUDGET_BYTES, lines: 500 }, from);
    const lines = page.parts.flatMap(({ content }) => content.split('\n'));
    shown.push(...lines.filter((line) => line.startsWith('error: ')));
    expect(page.errors_left_out).toBe(errors.length - shown.length);
    if (from > 0) expect(lines.every((line) => line.startsWith('error: '))).toBe(true);
    left = page.errors_left_out;
    from = page.next_error;
  }
  expect(shown.toSorted()).toEqual(errors.toSorted());
});

const others = ['pairs', 'ci-logs', 'failures']
  .map((name) => join(SHARED, name))
  .filter((folder) => existsSync(folder))
  .flatMap((folder) => setOf(folder, folder).failures)
  .filter(({ id }, i) => !QUOTED.includes(id) && isOnTurn(i, RECORDED_FAILURES));

describe.skipIf(others.length === 0)('in logs of others', () => {
  test.each(others.map(({ id, bytes }) => ({ id, bytes })))('$id', { timeout: 60_000 }, ({ bytes }) => {
    const { distinct, missing } = leftOut(bytes);
    if (sizeOf(distinct) <= MOST_BYTES) expect(missing).toEqual([]);
    else expect(sizeOf(distinct) - sizeOf(missing)).toBeGreaterThan(MOST_BYTES / 2);
  });
});
