import { describe, expect, it, vi } from 'vitest';
import { row, settled, setUp } from './row-fetcher-host.ts';

const text = (total_lines: number) => ({ generation: 1, total_lines, total_bytes: total_lines * 10 });
const blocksOf = (asked: { block: number }[]) => asked.map(({ block }) => block);

describe('the fetcher of rows of a text that is followed', () => {
  it('fetches the new end as soon as the text grows, before it is drawn', async () => {
    const { fetcher, asked } = setUp(text(row(8)));
    fetcher.want(row(0, 100), row(0, 150));
    fetcher.follow(50);
    expect(blocksOf(asked)).toEqual([0, 7]);
    expect(fetcher.awaitsEnd).toBe(true);
    for (const request of asked) request.answer({});
    await settled();
    // The last line may be cut short, so its block is asked for again when there is more.
    expect(fetcher.awaitsEnd).toBe(false);
    fetcher.update(text(row(10)));
    expect(blocksOf(asked).slice(2)).toEqual([9]);
    expect(fetcher.awaitsEnd).toBe(true);
    asked[2]?.answer({});
    await settled();
    expect(fetcher.awaitsEnd).toBe(false);
  });

  it('does not fetch the end once it is no longer followed', () => {
    const { fetcher, asked } = setUp(text(row(8)));
    fetcher.want(row(0, 200), row(0, 250));
    fetcher.follow(50);
    fetcher.follow(0);
    fetcher.update(text(row(10)));
    expect(fetcher.awaitsEnd).toBe(false);
    expect(blocksOf(asked)).not.toContain(9);
  });

  it('fetches only the end of a text that grows by more than a block at once', async () => {
    const { fetcher, asked } = setUp(text(row(8)));
    fetcher.follow(50);
    fetcher.want(row(7, 462), row(7, 511));
    for (const request of asked) request.answer({});
    await settled();
    const before = asked.length;
    fetcher.update(text(row(10)));
    // The view is still at its old position, on the way to the new end.
    fetcher.want(row(7, 462), row(7, 511), { first: row(9, 462), last: row(9, 511) });
    asked[before]?.answer({});
    await settled();
    fetcher.want(row(9, 462), row(9, 511));
    expect(blocksOf(asked.slice(before))).toEqual([9]);
    // The rows above are fetched once they may be scrolled to, or the text stops growing.
    fetcher.want(row(9, 10), row(9, 60));
    expect(blocksOf(asked.slice(before))).toEqual([9]);
    await vi.waitFor(() => expect(blocksOf(asked.slice(before + 1))).toEqual([8]));
  });

  it('fetches nothing while it is paused, however the text grows', async () => {
    const { fetcher, asked } = setUp(text(row(8)));
    fetcher.want(row(7, 400), row(7, 450));
    fetcher.rest();
    expect(asked.every(({ signal }) => signal.aborted)).toBe(true);
    const before = asked.length;
    fetcher.update(text(row(10)));
    expect(asked).toHaveLength(before);
    fetcher.want(row(7, 400), row(7, 450));
    expect(asked.length).toBeGreaterThan(before);
  });

  it('tells whether fetched rows are drawn, or may only be drawn soon', async () => {
    const { fetcher, asked, onChange } = setUp(text(row(8)));
    fetcher.want(row(1, 100), row(1, 150));
    expect(blocksOf(asked)).toEqual([1, 0]);
    asked[1]?.answer({});
    await settled();
    expect(onChange).toHaveBeenLastCalledWith(false);
    asked[0]?.answer({});
    await settled();
    expect(onChange).toHaveBeenLastCalledWith(true);

    fetcher.want(row(1, 10), row(1, 60));
    fetcher.update({ ...text(row(8)), generation: 2 });
    const anew = asked.slice(2);
    expect(blocksOf(anew).sort()).toEqual([0, 1]);
    // Rows above the view are drawn, too, for the next scroll.
    anew.find(({ block }) => block === 0)?.answer({ generation: 2 });
    await settled();
    expect(onChange).toHaveBeenLastCalledWith(true);
  });
});
