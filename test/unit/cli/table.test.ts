import { expect, test } from 'vitest';
import { shortened, table, widthOf } from '../../../electron/cli/output/table.ts';
import fc from '../../fixtures/fast-check.ts';

const COLUMNS = [{ name: 'ID' }, { name: 'SIZE', right: true }, { name: 'LABEL', shrinks: true }];
const word = fc.string({ unit: fc.constantFrom('a', 'b', '字', 'é', '😀', '-') });

test('columns line up, in cells and not in characters', () => {
  const rows = [
    ['a', '1 B', 'x'],
    ['字字', '10 KiB', 'y'],
  ];
  expect(table(COLUMNS, rows, null)).toBe('ID      SIZE  LABEL\na        1 B  x\n字字  10 KiB  y\n');
});

test('no row is wider than the terminal, as long as the other columns leave room', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(word, word)), fc.integer({ min: 60, max: 120 }), (cells, width) => {
      const rows = cells.map(([id, label]) => [id.slice(0, 8), '1 B', label]);
      for (const line of table(COLUMNS, rows, width).trimEnd().split('\n'))
        expect(widthOf(line)).toBeLessThanOrEqual(width);
    }),
  );
});

test('columns are dropped in their order, and those that tell most last', () => {
  const columns = [
    { name: 'ID' },
    { name: 'SIZE', drops: 2 },
    { name: 'LINES', drops: 1 },
    { name: 'AGE', drops: 3 },
    { name: 'LABEL', shrinks: true },
  ];
  const rows = [['x'.repeat(46), '1 KiB', '100', '2 h ago', 'y'.repeat(30)]];
  const heads = Array.from({ length: 60 }, (_, less) => table(columns, rows, 110 - less).split('\n')[0]!);
  const dropped = [...new Set(heads.map((head) => head.split(/ +/).join(' ')))];
  expect(dropped).toEqual(['ID SIZE LINES AGE LABEL', 'ID SIZE AGE LABEL', 'ID AGE LABEL', 'ID LABEL']);
});

test('a shortened text fits and keeps both ends; a text that fits stays unchanged', () => {
  expect(shortened('cmd-npm_test-abc123', 11)).toBe('cmd-n…bc123');
  expect(shortened('short', 5)).toBe('short');
  fc.assert(
    fc.property(word, fc.integer({ min: 1, max: 30 }), (text, cells) => {
      expect(widthOf(shortened(text, cells))).toBeLessThanOrEqual(cells);
    }),
  );
});
