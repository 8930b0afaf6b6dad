import { describe, expect, it } from 'vitest';
import { RowKeys } from '../../../../renderer/viewer/text/Rows.tsx';

describe('keys of drawn rows', () => {
  it('stay with the rows that stay', () => {
    const keys = new RowKeys();
    const before = keys.take(100, 10);
    expect(keys.take(103, 10).slice(0, 7)).toEqual(before.slice(3));
    const now = keys.take(98, 10);
    expect(now.slice(5)).toEqual(before.slice(3, 8));
  });

  it('make no element when as many rows elsewhere are drawn, and move none', () => {
    const keys = new RowKeys();
    const before = keys.take(0, 60);
    expect(keys.take(5000, 60)).toEqual(before);
  });

  it('are taken over by the rows that come into view', () => {
    const keys = new RowKeys();
    const before = keys.take(10, 20);
    expect([...keys.take(14, 20)].sort(byValue)).toEqual([...before].sort(byValue));
  });

  it('are never given twice', () => {
    const keys = new RowKeys();
    for (const [first, count] of [
      [0, 5],
      [3, 9],
      [0, 4],
      [100, 7],
      [95, 8],
      [96, 1],
      [90, 30],
      [0, 0],
      [1, 3],
    ] as const) {
      const taken = keys.take(first, count);
      expect(new Set(taken).size).toBe(count);
    }
  });
});

function byValue(a: number, b: number): number {
  return a - b;
}
