import { describe, expect, it } from 'vitest';
import { SpillwayError } from '../../../../shared/errors.ts';
import { hostedSearch, page, settled } from '../../../fixtures/search/hosted-search.ts';

describe('an open search', () => {
  it('gives the rows it found, each with its line', async () => {
    const { search, subscribed, asked } = hostedSearch();
    subscribed[0]!.tell({ match_count: 2 });
    search.rows.want(0, 1);
    asked[0]!.answer(page(1, [4, 9]));
    await settled();
    expect([search.rows.row(0)?.line, search.rows.row(1)?.line, search.snapshot().total]).toEqual([4, 9, 2]);
  });

  it('requests a screen of rows at the first match, and the rest once those arrived', async () => {
    const { search, subscribed, asked } = hostedSearch();
    subscribed[0]!.tell({ match_count: 0, done: false });
    expect(asked).toEqual([]);
    subscribed[0]!.tell({ match_count: 1000 });
    expect(asked.map(({ name, params }) => [name, params.count])).toEqual([['matchedRows', 64]]);
    asked[0]!.answer(
      page(
        1,
        Array.from({ length: 64 }, (_, i) => i + 1),
      ),
    );
    await settled();
    expect(search.rows.row(63)?.line).toBe(64);
    await expect.poll(() => asked.map(({ params }) => params.count)).toEqual([64, 448]);
    asked[1]!.answer(
      page(
        1,
        Array.from({ length: 448 }, (_, i) => i + 65),
      ),
    );
    await settled();
    expect(search.rows.row(511)?.line).toBe(512);
    expect(asked.length).toBe(2);
  });

  it('requests no more rows than are in view at the first match', () => {
    const { subscribed, asked } = hostedSearch(20);
    subscribed[0]!.tell({ match_count: 1000 });
    expect(asked.map(({ name, params }) => [name, params.count])).toEqual([['matchedRows', 20]]);
  });

  it('requests what is only beside its first matches once no other key is likely to follow', async () => {
    const { search, subscribed, asked } = hostedSearch(2);
    subscribed[0]!.tell({ match_count: 1000, first_rows: page(1, [4, 9]).lines });
    const [left, kept] = [new AbortController(), new AbortController()];
    const counts = expect(search.counts(10, left.signal)).rejects.toThrow();
    void search.matchesIn(1, 9, kept.signal);
    await settled();
    await settled();
    expect(asked).toEqual([]);
    left.abort();
    await expect.poll(() => asked.map(({ name }) => name).sort()).toEqual(['matchedRows', 'nextMatch']);
    await counts;
  });

  it('shows the rows that came with the first match, and asks only for the rest', async () => {
    const { search, subscribed, asked } = hostedSearch();
    const { lines } = page(1, [4, 9]);
    subscribed[0]!.tell({ match_count: 2, first_rows: lines });
    await settled();
    expect([search.rows.row(0)?.line, search.rows.row(1)?.line]).toEqual([4, 9]);
    expect(asked).toEqual([]);
    subscribed[0]!.tell({ match_count: 3 });
    search.rows.want(0, 2);
    expect(asked.map(({ params }) => [params.first, params.count])).toEqual([[0, 512]]);
  });

  it('discards rows that came with another context', async () => {
    const { search, subscribed, asked } = hostedSearch();
    search.showContext(1);
    subscribed[0]!.tell({ match_count: 2, first_rows: page(1, [4, 9]).lines });
    search.rows.want(0, 5);
    await settled();
    expect(search.rows.row(0)).toBeUndefined();
    expect(asked.map(({ params }) => params.context)).toEqual([1]);
  });

  it('counts and fetches the rows again with another context', async () => {
    const { search, subscribed, asked } = hostedSearch();
    subscribed[0]!.tell({ match_count: 2 });
    asked[0]!.answer(page(1, [4, 9]));
    await settled();
    search.showContext(2);
    expect(search.rows.row(0)).toBeUndefined();
    expect(search.snapshot()).toMatchObject({ total: 2, rowCount: 10 });
    search.rows.want(0, 9);
    expect(asked.at(-1)!.params).toMatchObject({ first: 0, count: 512, context: 2 });
    asked.at(-1)!.answer(page(1, [2, 3, 4]));
    await settled();
    expect(search.rows.row(0)?.line).toBe(2);
  });

  it('drops the matches of a replaced text, and ignores late ones', async () => {
    const { search, subscribed, asked } = hostedSearch();
    subscribed[0]!.tell({ match_count: 2 });
    search.rows.want(0, 1);
    subscribed[0]!.tell({ generation: 2, match_count: 1, total_bytes: 30, searched_bytes: 30 });
    asked[0]!.answer(page(1, [4, 9]));
    await settled();
    expect(search.rows.row(0)).toBeUndefined();
    asked.at(-1)!.answer(page(2, [1]));
    await settled();
    expect(search.rows.row(0)?.line).toBe(1);
    subscribed[0]!.tell({ generation: 1, match_count: 50 });
    expect([search.snapshot().total, search.snapshot().state?.generation]).toEqual([1, 2]);
  });

  it('keeps its matches when cancelled, and can be retried', () => {
    const { search, subscribed } = hostedSearch();
    subscribed[0]!.tell({ match_count: 7, done: false, searched_bytes: 40 });
    search.cancel();
    expect(subscribed[0]!.live).toBe(false);
    expect(search.snapshot()).toMatchObject({ cancelled: true, total: 7, state: { searched_bytes: 40 } });
    search.retry();
    expect(subscribed[1]!.live).toBe(true);
    expect(search.snapshot().cancelled).toBe(false);
  });

  it('says why it failed, except when the connection closed', () => {
    const { search, subscribed } = hostedSearch();
    subscribed[0]!.fail(new SpillwayError('cancelled', 'closed', 'open'));
    expect(search.snapshot().error).toBeNull();
    subscribed[0]!.fail(new SpillwayError('usage', 'no pattern', 'mend it'));
    expect(search.snapshot().error?.code).toBe('usage');
  });

  it('counts as caught up once it was done, until much is appended', () => {
    const { search, subscribed } = hostedSearch();
    subscribed[0]!.tell({ done: false });
    expect(search.snapshot().caughtUp).toBe(false);
    subscribed[0]!.tell({ done: true });
    subscribed[0]!.tell({ done: false, total_bytes: 5000 });
    expect(search.snapshot().caughtUp).toBe(true);
    subscribed[0]!.tell({ done: false, total_bytes: 500_000_000 });
    expect(search.snapshot().caughtUp).toBe(false);
  });

  it('sends no request and notifies nobody once it is closed', () => {
    const { search, subscribed, asked } = hostedSearch();
    search.close();
    expect(subscribed[0]!.live).toBe(false);
    search.rows.want(0, 10);
    expect(asked).toEqual([]);
  });
});
