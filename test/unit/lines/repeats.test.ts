/** Folding of repeats: shown and folded lines are all lines, and no error is folded. */
import { describe, expect, it } from 'vitest';
import { decoderFor } from '../../../electron/reader/bytes/encoding.ts';
import { openStream } from '../../../electron/reader/bytes/streams.ts';
import { BlockIndex, countStretch } from '../../../electron/reader/lines/block-index.ts';
import { shapeOf } from '../../../electron/reader/shapes/shape.ts';
import { searchStretch } from '../../../electron/search/search-stretch.ts';
import { combineInto, LineSet, SPAN } from '../../../shared/line-set.ts';
import { isErrorLevel, levelOf } from '../../../shared/text/levels.ts';
import fc from '../../fixtures/fast-check.ts';

const QUERY = { pattern: '', fixed: true, case_sensitive: true, invert: false, repeats: true } as const;

/** Repeats in a text that is searched in two stretches, the second from a line on. */
function repeatsOf(lines: readonly string[], cut: number): LineSet {
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  const stream = openStream({ type: 'bytes', bytes, size: bytes.length });
  const index = new BlockIndex();
  index.append(countStretch(stream, 0, bytes.length, 'byte'), bytes.length);
  const offset = Buffer.byteLength(
    lines
      .slice(0, cut)
      .map((line) => `${line}\n`)
      .join(''),
  );
  const set = new LineSet();
  for (const [start, end] of [
    [null, { offset }],
    [{ offset }, null],
  ] as const) {
    const request = { query: QUERY, raw: false, start, end };
    set.appendSet(searchStretch(stream, index, decoderFor('utf-8'), request).lines);
  }
  return set;
}

const shape = (line: string) => {
  const bytes = Buffer.from(line);
  return shapeOf(bytes, 0, bytes.length).hash.join();
};

const line = fc.oneof(
  fc.nat(99).map((n) => `10:00:${String(n % 60).padStart(2, '0')} GET /items/${n} took ${n} ms`),
  fc.nat(99).map((n) => `ERROR item ${n} is lost`),
  fc.nat(99).map((n) => `\u001b[32mworker-${n}\u001b[0m is idle`),
  fc.constantFrom('', '   ', 'done', `${'long '.repeat(30_000)}7`),
);
const texts = fc.array(fc.tuple(line, fc.integer({ min: 1, max: 6 })), { minLength: 2, maxLength: 40 });
const listOf = (runs: readonly (readonly [string, number])[]) =>
  runs.flatMap(([text, times]) => Array.from({ length: times }, (_, i) => text.replace(/\d+/, `${i + 10}`)));

describe('repeats', () => {
  it('are lines of the shape of the line before, and no errors, wherever a stretch begins', () => {
    fc.assert(
      fc.property(texts, fc.nat(), (runs, at) => {
        const lines = listOf(runs);
        const plain = lines.map((text) => text.replace(/\u001b\[\d*m/g, ''));
        const found = repeatsOf(lines, at % lines.length);
        for (const [i, text] of plain.entries()) {
          const isRepeat = i > 0 && text.trim() !== '' && shape(text) === shape(plain[i - 1]!);
          expect([i, found.has(i + 1)]).toEqual([i, isRepeat && !isErrorLevel(levelOf(text))]);
        }
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ['GET /items/1 status=200 took 12 ms', 'GET /items/2 status=503 took 13 ms'],
    ['1.2.3.4 "GET /a HTTP/1.1" 200 12', '1.2.3.4 "GET /a HTTP/1.1" 500 13'],
    ['{"id":1,"statusCode":200}', '{"id":2,"statusCode":404}'],
    ['job 1 ended with exit code 0', 'job 2 ended with exit code 1'],
    ['job 1: exit status 0', 'job 2: exit status 1'],
  ])('are lines that ended alike: %s', (one, other) => {
    expect(shape(one)).toBe(shape(other));
    const again = one.replace(/\d/, '7');
    const found = repeatsOf([one, again, other, other, one], 1);
    expect([1, 2, 3, 4, 5].filter((line) => found.has(line))).toEqual([2, 4]);
  });

  it('fold into the one before that passes a filter, so that shown and folded lines are all that pass', () => {
    const LAST = SPAN + 2000;
    const some = fc.array(fc.integer({ min: 1, max: LAST }), { maxLength: 300 });
    const near = fc.integer({ min: SPAN - 40, max: SPAN + 40 });
    fc.assert(
      fc.property(
        some,
        fc.array(near),
        fc.array(near, { maxLength: 3 }),
        fc.boolean(),
        (hidden, alike, open, isSplit) => {
          const setOf = (numbers: Iterable<number>) => {
            const set = new LineSet();
            set.append([...new Set(numbers)].sort((a, b) => a - b));
            return set;
          };
          const lines = setOf([...alike, ...hidden.map((line) => Math.min(LAST, line + 1))]);
          const unfolded = open.map((first) => ({ first, last: first + 3 }));
          const rules = { show: [], hide: [setOf(hidden)], within: [] };
          const [all, shown] = [new LineSet(), new LineSet()];
          combineInto(all, rules, 0, LAST);
          if (isSplit) combineInto(shown, { ...rules, repeats: { lines, unfolded } }, 0, SPAN + 3);
          combineInto(shown, { ...rules, repeats: { lines, unfolded } }, isSplit ? 1 : 0, LAST);
          const isOpen = (line: number) => unfolded.some(({ first, last }) => line >= first && line <= last);
          const expected: number[] = [];
          let count = 0;
          all.forEach((line) => {
            const isFolded = all.has(line - 1) && lines.has(line) && !isOpen(line);
            if (!isFolded) expected.push(line);
            else count += 1;
          });
          expect(shown.slice(1, LAST)).toEqual(expected);
          expect(shown.size + count).toBe(all.size);
        },
      ),
      { numRuns: 30 },
    );
  });
});
