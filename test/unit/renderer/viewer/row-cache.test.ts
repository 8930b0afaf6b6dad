import { describe, expect, it } from 'vitest';
import { RowCache } from '../../../../renderer/viewer/document/row-fetcher.ts';
import type { Row } from '../../../../shared/api/rows.ts';
import { ROWS_PER_BLOCK } from '../../../../shared/limits.ts';

const rows = (count: number, word = 'line'): Row[] =>
  Array.from({ length: count }, (_, index) => ({
    text: `${word} ${index}`,
    runs: null,
    offset: 0,
    bytes: 0,
    clipped: false,
  }));

describe('the cache of rows', () => {
  it('finds a row by its number across blocks', () => {
    const cache = new RowCache();
    cache.put(0, rows(ROWS_PER_BLOCK, 'a'), true);
    cache.put(3, rows(10, 'd'), false);
    expect(cache.row(ROWS_PER_BLOCK - 1)?.text).toBe(`a ${ROWS_PER_BLOCK - 1}`);
    expect(cache.row(3 * ROWS_PER_BLOCK)?.text).toBe('d 0');
    expect(cache.row(3 * ROWS_PER_BLOCK + 10)).toBeUndefined();
    expect(cache.row(ROWS_PER_BLOCK)).toBeUndefined();
  });

  it('drops the block that was wanted longest ago', () => {
    const cache = new RowCache(3);
    for (const block of [0, 1, 2]) cache.put(block, rows(1), true);
    cache.touch(0);
    cache.put(3, rows(1), true);
    expect([0, 1, 2, 3].filter((block) => cache.has(block))).toEqual([0, 2, 3]);
    expect(cache.size).toBe(3);
  });

  it('asks anew for what may have been cut short when the stream grew, and shows the old rows meanwhile', () => {
    const cache = new RowCache();
    cache.put(0, rows(ROWS_PER_BLOCK), true);
    cache.put(1, rows(20, 'old'), false);
    cache.grew(true, ROWS_PER_BLOCK + 25);
    expect(cache.has(0)).toBe(true);
    expect(cache.has(1)).toBe(false);
    expect(cache.row(ROWS_PER_BLOCK + 19)?.text).toBe('old 19');
  });

  it('does not ask anew for what counting alone cannot change', () => {
    const cache = new RowCache();
    cache.put(0, rows(ROWS_PER_BLOCK), false);
    cache.grew(false, 10 * ROWS_PER_BLOCK);
    expect(cache.has(0)).toBe(true);
  });

  it('asks anew for a short block once more of its lines were counted', () => {
    const cache = new RowCache();
    cache.put(2, rows(100), false);
    cache.grew(false, 2 * ROWS_PER_BLOCK + 100);
    expect(cache.has(2)).toBe(true);
    cache.grew(false, 2 * ROWS_PER_BLOCK + 101);
    expect(cache.has(2)).toBe(false);
  });

  it('knows how many rows there are at least', () => {
    const cache = new RowCache();
    expect(cache.knownRows()).toBe(0);
    cache.put(4, [], false);
    expect(cache.knownRows()).toBe(0);
    cache.put(1, rows(7), false);
    expect(cache.knownRows()).toBe(ROWS_PER_BLOCK + 7);
  });
});
