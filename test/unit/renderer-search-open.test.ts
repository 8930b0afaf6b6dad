import { describe, expect, it } from 'vitest';
import { OpenSearch } from '../../renderer/search/open-search.ts';
import type { Connection } from '../../shared/api/api.ts';
import type { SearchState } from '../../shared/api/search.ts';
import { SpillwayError } from '../../shared/errors.ts';

/** A host that says what it is told to. */
function setUp() {
  const subscribed: { tell(state: Partial<SearchState>): void; fail(error: Error): void; live: boolean }[] =
    [];
  const asked: { name: string; answer(result: unknown): void }[] = [];
  const connection = {
    subscribe(
      _topic: string,
      _params: unknown,
      onEvent: (event: unknown) => void,
      onError: (e: Error) => void,
    ) {
      const mine = {
        live: true,
        tell: (state: Partial<SearchState>) =>
          onEvent({
            generation: 1,
            searched_bytes: 100,
            total_bytes: 100,
            match_count: 0,
            done: true,
            timed_out: false,
            in_parts: false,
            ...state,
          }),
        fail: onError,
      };
      subscribed.push(mine);
      return () => {
        mine.live = false;
      };
    },
    request: (name: string) =>
      new Promise((resolve) => {
        asked.push({ name, answer: resolve });
      }),
    onClose() {},
    close() {},
  } as unknown as Connection;
  const query = { pattern: 'x', fixed: false, case_sensitive: false, invert: false };
  const search = new OpenSearch(connection, { artifact_id: 'a' }, query);
  return { search, subscribed, asked };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));
const page = (generation: number, lines: number[]) => ({
  generation,
  match_count: lines.length,
  lines: lines.map((line_number) => ({
    line_number,
    row: { text: `line ${line_number}`, runs: null, offset: 0, bytes: 6, clipped: false },
  })),
});

describe('an open search', () => {
  it('gives the rows it found, each with its line', async () => {
    const { search, subscribed, asked } = setUp();
    subscribed[0]!.tell({ match_count: 2 });
    search.rows.want(0, 1);
    asked[0]!.answer(page(1, [4, 9]));
    await settled();
    expect([search.rows.row(0)?.line, search.rows.row(1)?.line, search.snapshot().total]).toEqual([4, 9, 2]);
  });

  it('drops what was found in a text that is gone, and never takes it in again', async () => {
    const { search, subscribed, asked } = setUp();
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

  it('keeps what it found when it is cancelled, and goes on when told', () => {
    const { search, subscribed } = setUp();
    subscribed[0]!.tell({ match_count: 7, done: false, searched_bytes: 40 });
    search.cancel();
    expect(subscribed[0]!.live).toBe(false);
    expect(search.snapshot()).toMatchObject({ cancelled: true, total: 7, state: { searched_bytes: 40 } });
    search.resume();
    expect(subscribed[1]!.live).toBe(true);
    expect(search.snapshot().cancelled).toBe(false);
  });

  it('says why it failed, and is silent about a connection that closed', () => {
    const { search, subscribed } = setUp();
    subscribed[0]!.fail(new SpillwayError('cancelled', 'closed', 'open'));
    expect(search.snapshot().error).toBeNull();
    subscribed[0]!.fail(new SpillwayError('usage', 'no pattern', 'mend it'));
    expect(search.snapshot().error?.code).toBe('usage');
  });

  it('has caught up once it was done, until much is appended', () => {
    const { search, subscribed } = setUp();
    subscribed[0]!.tell({ done: false });
    expect(search.snapshot().caughtUp).toBe(false);
    subscribed[0]!.tell({ done: true });
    subscribed[0]!.tell({ done: false, total_bytes: 5000 });
    expect(search.snapshot().caughtUp).toBe(true);
    subscribed[0]!.tell({ done: false, total_bytes: 500_000_000 });
    expect(search.snapshot().caughtUp).toBe(false);
  });

  it('asks nothing and tells nobody once it is closed', () => {
    const { search, subscribed, asked } = setUp();
    search.close();
    expect(subscribed[0]!.live).toBe(false);
    search.rows.want(0, 10);
    expect(asked).toEqual([]);
  });
});
