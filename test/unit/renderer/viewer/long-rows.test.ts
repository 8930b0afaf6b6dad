import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FetchPiece, LongRows } from '../../../../renderer/viewer/document/long-rows.ts';
import type { Row } from '../../../../shared/api/rows.ts';

const clipped = (bytes: number): Row => ({ text: 'x', runs: null, offset: 0, bytes, clipped: true });

/** A host whose rows say what was asked for. */
function open(answer: Partial<{ generation: number }> = {}) {
  const asked: string[] = [];
  const fetch: FetchPiece = async (line, piece, highlight) => {
    asked.push(`${line}@${piece}${highlight ? ' marked' : ''}`);
    const row = { ...clipped(0), ...sizes.get(line)!, text: `line ${line} from ${piece}` };
    return { generation: 1, rows: [highlight ? { ...row, matches: [0, 4] } : row], ...answer };
  };
  const sizes = new Map<number, Row>();
  const long = new LongRows(fetch, () => {});
  long.update(1);
  const want = (rows: Record<number, Row>) => {
    for (const [line, row] of Object.entries(rows)) sizes.set(Number(line), row);
    long.want(Object.entries(rows).map(([line, row]) => ({ line: Number(line), row })));
  };
  return { long, asked, want, rest: () => vi.advanceTimersByTimeAsync(1000) };
}

describe('long lines in view', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('are fetched whole once the view rests, and only what came to rest there', async () => {
    const { long, asked, want, rest } = open();
    want({ 1: clipped(5000) });
    want({ 2: clipped(5000), 3: { ...clipped(50), clipped: false } });
    expect(long.rowOf(2, clipped(5000)).text).toBe('x');
    await rest();
    expect(asked).toEqual(['2@0']);
    expect(long.rowOf(2, clipped(5000)).text).toBe('line 2 from 0');
    // Known, so not fetched again.
    want({ 2: clipped(5000) });
    await rest();
    expect(asked).toEqual(['2@0']);
  });

  it('stay while they grow, and are fetched again', async () => {
    const { long, asked, want, rest } = open();
    want({ 1: clipped(5000) });
    await rest();
    expect(long.rowOf(1, clipped(6000)).text).toBe('line 1 from 0');
    want({ 1: clipped(6000) });
    await rest();
    expect(asked).toEqual(['1@0', '1@0']);
    expect(long.rowOf(1, clipped(6000)).bytes).toBe(6000);
  });

  it('over 64 KiB stay clipped until a piece is wanted, and show the piece around a byte', async () => {
    const { long, asked, want, rest } = open();
    const row = clipped(1_000_000);
    want({ 1: row });
    await rest();
    expect(asked).toEqual([]);
    long.show(1, row, 65_536);
    await rest();
    expect(long.rowOf(1, row).text).toBe('line 1 from 65536');
    long.showByte(1, row, 500_000);
    await rest();
    expect(long.rowOf(1, row).text).toBe(`line 1 from ${500_000 - 8192}`);
    long.showByte(1, row, 10);
    await rest();
    expect(asked.at(-1)).toBe('1@0');
  });

  it('of a replaced text are forgotten, and answers for another text are not shown', async () => {
    const { long, want, rest } = open();
    want({ 1: clipped(5000) });
    await rest();
    long.update(2);
    expect(long.rowOf(1, clipped(5000)).text).toBe('x');
    want({ 1: clipped(5000) });
    await rest();
    expect(long.rowOf(1, clipped(5000)).text).toBe('x');
  });

  it('are marked by the search of now', async () => {
    const { long, asked, want, rest } = open();
    want({ 1: clipped(5000) });
    await rest();
    long.highlight({ pattern: 'line' } as never);
    want({ 1: clipped(5000) });
    await rest();
    expect(asked).toEqual(['1@0', '1@0 marked']);
    expect(long.rowOf(1, clipped(5000)).matches).toEqual([0, 4]);
    long.highlight(null);
    expect(long.rowOf(1, clipped(5000)).matches).toBeUndefined();
  });
});
