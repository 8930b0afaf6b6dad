import { describe, expect, it } from 'vitest';
import { ROWS_PER_BLOCK } from '../../../../shared/limits.ts';
import { settled, setUp } from './row-fetcher-host.ts';

describe('the fetcher of rows of a text that grows', () => {
  it('fetches the last block again when the text grows, keeping its rows until then', async () => {
    const { fetcher, asked } = setUp({ generation: 1, total_lines: 20, total_bytes: 200 });
    fetcher.want(0, 19);
    asked[0]?.answer({ count: 20 });
    await settled();
    fetcher.update({ generation: 1, total_lines: 30, total_bytes: 300 });
    expect(asked).toHaveLength(2);
    expect(fetcher.row(19)?.text).toBe('line 20');
    asked[1]?.answer({ count: 30 });
    await settled();
    expect(fetcher.row(29)?.text).toBe('line 30');
  });

  it('fetches the last block again when more lines were counted while it was fetched, without more bytes', async () => {
    const { fetcher, asked } = setUp({ generation: 1, total_lines: 20, total_bytes: 300 });
    fetcher.want(0, 19);
    fetcher.update({ generation: 1, total_lines: 30, total_bytes: 300 });
    asked[0]?.answer({ count: 20 });
    await settled();
    expect(asked).toHaveLength(2);
    asked[1]?.answer({ count: 30 });
    await settled();
    expect(fetcher.row(29)?.text).toBe('line 30');
    expect(asked).toHaveLength(2);
  });

  it('fetches a full block again when its last line may have been cut short', async () => {
    const { fetcher, asked } = setUp({ generation: 1, total_lines: ROWS_PER_BLOCK, total_bytes: 200 });
    fetcher.want(0, 19);
    asked[0]?.answer({});
    await settled();
    fetcher.update({ generation: 1, total_lines: ROWS_PER_BLOCK, total_bytes: 205 });
    expect(asked).toHaveLength(2);
    fetcher.update({ generation: 1, total_lines: 5000, total_bytes: 90_000 });
    asked[1]?.answer({});
    await settled();
    // It was asked for before those lines were known, so it may still be the short one.
    fetcher.update({ generation: 1, total_lines: 6000, total_bytes: 99_000 });
    expect(asked).toHaveLength(3);
    asked[2]?.answer({});
    await settled();
    fetcher.update({ generation: 1, total_lines: 7000, total_bytes: 110_000 });
    expect(asked).toHaveLength(3);
  });

  it('fetches a full block again while its last rows may change', async () => {
    const counted = (total_lines: number, total_bytes: number) => ({
      generation: 1,
      total_lines,
      total_bytes,
    });
    const { fetcher, asked } = setUp(counted(514, 200), 4);
    fetcher.want(0, 19);
    asked[0]?.answer({});
    await settled();
    fetcher.update(counted(516, 205));
    expect(asked).toHaveLength(2);
    asked[1]?.answer({});
    await settled();
    // Now the four last rows are all behind it.
    fetcher.update(counted(900, 300));
    expect(asked).toHaveLength(2);
  });

  it('continues a block that comes in parts, and shows the parts', async () => {
    const { fetcher, asked } = setUp();
    fetcher.want(0, 19);
    asked[0]?.answer({ count: 300 });
    await settled();
    expect([fetcher.row(299)?.text, fetcher.row(300)]).toEqual(['line 300', undefined]);
    const rest = asked.filter(({ block }) => block === 300 / ROWS_PER_BLOCK);
    expect(rest).toHaveLength(1);
    // Meanwhile the block is not requested from its start.
    fetcher.want(0, 20);
    rest[0]?.answer({ count: 212 });
    await settled();
    expect(fetcher.row(511)?.text).toBe('line 512');
    fetcher.want(0, 19);
    expect(asked.filter(({ block }) => block < 1)).toHaveLength(2);
  });

  it('fetches a last block again when the text grew while it was on its way', async () => {
    const { fetcher, asked } = setUp({ generation: 1, total_lines: 30, total_bytes: 200 });
    fetcher.want(0, 19);
    fetcher.update({ generation: 1, total_lines: 31, total_bytes: 210 });
    asked[0]?.answer({ count: 30 });
    await settled();
    expect(fetcher.row(29)?.text).toBe('line 30');
    expect(asked).toHaveLength(2);
    asked[1]?.answer({ count: 31 });
    await settled();
    expect(fetcher.row(30)?.text).toBe('line 31');
    expect(asked).toHaveLength(2);
  });
});
