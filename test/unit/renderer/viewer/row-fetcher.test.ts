import { describe, expect, it, vi } from 'vitest';
import { SpillwayError } from '../../../../shared/errors.ts';
import { ROWS_PER_BLOCK } from '../../../../shared/limits.ts';
import { row, settled, setUp } from './row-fetcher-host.ts';

describe('the fetcher of rows', () => {
  it('requests a block once, however often it is wanted, and shows it when it arrives', async () => {
    const { fetcher, asked, onChange } = setUp();
    fetcher.want(row(5, 200), row(5, 250));
    fetcher.want(row(5, 210), row(5, 260));
    expect(asked.map(({ block }) => block)).toEqual([5]);
    expect(fetcher.row(row(5, 200))).toBeUndefined();
    asked[0]?.answer({});
    await settled();
    expect(fetcher.row(row(5, 200))?.text).toBe(`line ${row(5, 200) + 1}`);
    expect(onChange).toHaveBeenCalled();
    fetcher.want(row(5, 200), row(5, 250));
    expect(asked).toHaveLength(1);
  });

  it('fetches rows in view first, then those near the view', () => {
    const { fetcher, asked } = setUp();
    fetcher.want(row(7, 500), row(8, 20));
    expect(asked.map(({ block }) => block)).toEqual([7, 8]);
    fetcher.want(row(9, 500), row(9, 511));
    expect(asked.slice(2).map(({ block }) => block)).toEqual([9, 10]);
  });

  it('fetches rows ahead before rows near the view, and keeps waiting for them', () => {
    const { fetcher, asked } = setUp();
    fetcher.want(row(7, 500), row(7, 511), { first: row(90), last: row(90, 40) });
    expect(asked.map(({ block }) => block)).toEqual([7, 90, 8]);
    fetcher.want(row(7, 500), row(7, 511), { first: row(90), last: row(90, 40) });
    expect(asked[1]?.signal.aborted).toBe(false);
    fetcher.want(row(7, 500), row(7, 511));
    expect(asked[1]?.signal.aborted).toBe(true);
  });

  it('cancels requests for rows that were scrolled past', () => {
    const { fetcher, asked } = setUp();
    fetcher.want(row(5, 200), row(5, 250));
    fetcher.want(row(90, 200), row(90, 250));
    expect(asked[0]?.signal.aborted).toBe(true);
    expect(asked[1]?.signal.aborted).toBe(false);
  });

  it('asks again for cancelled rows when they are wanted again', async () => {
    const { fetcher, asked } = setUp();
    fetcher.want(row(5, 200), row(5, 250));
    fetcher.want(row(90, 200), row(90, 250));
    await settled();
    fetcher.want(row(5, 200), row(5, 250));
    expect(asked.map(({ block }) => block)).toEqual([5, 90, 5]);
    expect(fetcher.problem).toBeNull();
  });

  it('drops everything when a new generation begins', async () => {
    const { fetcher, asked } = setUp();
    fetcher.want(row(0), row(0, 50));
    asked[0]?.answer({ word: 'old' });
    await settled();
    fetcher.update({ generation: 2, total_lines: 80, total_bytes: 900 });
    expect(fetcher.row(0)).toBeUndefined();
    expect(fetcher.total).toBe(80);
    expect(asked.at(-1)?.block).toBe(0);
    asked.at(-1)?.answer({ generation: 2, count: 80, word: 'new' });
    await settled();
    expect(fetcher.row(0)?.text).toBe('new 1');
  });

  it('never shows rows of a replaced text, and requests the current ones', async () => {
    const { fetcher, asked } = setUp();
    fetcher.update({ generation: 2, total_lines: 600, total_bytes: 900 });
    fetcher.want(row(0), row(0, 50));
    asked[0]?.answer({ generation: 1, word: 'old' });
    await settled();
    expect(fetcher.row(0)).toBeUndefined();
    expect(asked).toHaveLength(2);
    asked[1]?.answer({ generation: 2, word: 'new' });
    await settled();
    expect(fetcher.row(0)?.text).toBe('new 1');
  });

  it('takes rows of a newer text, and ignores an older state that comes after them', async () => {
    const { fetcher, asked } = setUp();
    fetcher.want(row(0), row(0, 50));
    asked[0]?.answer({ generation: 2, count: 3, word: 'new' });
    await settled();
    expect(fetcher.row(0)?.text).toBe('new 1');
    fetcher.update({ generation: 1, total_lines: 100_000, total_bytes: 5_000_000 });
    expect(fetcher.total).toBe(3);
    expect(fetcher.row(0)?.text).toBe('new 1');
  });

  it('does not ask twice for rows requested before the first state', async () => {
    const { fetcher, asked } = setUp(null);
    fetcher.want(0, 40);
    fetcher.update({ generation: 7, total_lines: 9000, total_bytes: 90_000 });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.signal.aborted).toBe(false);
    asked[0]?.answer({ generation: 7 });
    await settled();
    expect(fetcher.row(0)?.text).toBe('line 1');
    expect(fetcher.total).toBe(9000);
  });

  it('shows the head before a single line is counted', async () => {
    const { fetcher, asked } = setUp({ generation: 1, total_lines: 0, total_bytes: 5_000_000 });
    fetcher.want(0, 0);
    expect(asked.map(({ block }) => block)).toEqual([0]);
    asked[0]?.answer({});
    await settled();
    expect(fetcher.total).toBe(ROWS_PER_BLOCK);
  });

  it('starts a block over when its parts are of two texts', async () => {
    const { fetcher, asked } = setUp();
    fetcher.want(0, 19);
    asked[0]?.answer({ count: 300 });
    await settled();
    asked.at(-1)?.answer({ count: 212, word: 'other', generation: 2 });
    await settled();
    expect(asked.at(-1)?.block).toBe(0);
    asked.at(-1)?.answer({ word: 'other', generation: 2 });
    await settled();
    expect([fetcher.row(0)?.text, fetcher.row(511)?.text]).toEqual(['other 1', 'other 512']);
  });

  it('accepts a block that ends where the text does', async () => {
    const { fetcher, asked } = setUp({ generation: 1, total_lines: 30, total_bytes: 200 });
    fetcher.want(0, 19);
    asked[0]?.answer({ count: 30 });
    await settled();
    expect(asked).toHaveLength(1);
  });

  it('says why rows are missing, and retries by itself and on request', async () => {
    vi.useFakeTimers();
    try {
      const { fetcher, asked } = setUp();
      fetcher.want(0, 10);
      asked[0]?.fail(new SpillwayError('no_permission', 'No', 'ask'));
      await vi.advanceTimersByTimeAsync(1);
      expect(fetcher.problem?.code).toBe('no_permission');
      expect(asked).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(1100);
      expect(asked).toHaveLength(2);
      asked[1]?.fail(new SpillwayError('no_permission', 'No', 'ask'));
      await vi.advanceTimersByTimeAsync(1);
      fetcher.retry();
      expect(asked).toHaveLength(3);
      asked[2]?.answer({});
      await vi.advanceTimersByTimeAsync(1);
      expect(fetcher.problem).toBeNull();
    } finally {
      vi.useRealTimers();
    }
  });

  it('asks for nothing more once it is closed', () => {
    const { fetcher, asked } = setUp();
    fetcher.want(0, 10);
    fetcher.close();
    expect(asked[0]?.signal.aborted).toBe(true);
    fetcher.want(row(5), row(6));
    expect(asked).toHaveLength(1);
  });
});
