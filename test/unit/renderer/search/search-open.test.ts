import { describe, expect, it, vi } from 'vitest';
import { OpenSearch } from '../../../../renderer/search/open-search.ts';
import { SearchSwitch } from '../../../../renderer/search/search-switch.ts';
import type { Connection } from '../../../../shared/api/api.ts';
import type { SearchState } from '../../../../shared/api/search.ts';
import { SpillwayError } from '../../../../shared/errors.ts';

/** A host that sends what the test gives it. */
function setUp() {
  const subscribed: { tell(state: Partial<SearchState>): void; fail(error: Error): void; live: boolean }[] =
    [];
  const asked: {
    name: string;
    params: { first?: number; count?: number; context?: number };
    answer(result: unknown): void;
  }[] = [];
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
            row_counts: [1, 3, 5, 7].map((each) => each * (state.match_count ?? 0)),
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
    request: (name: string, params: { first?: number; count?: number; context?: number }) =>
      new Promise((resolve) => {
        asked.push({ name, params, answer: resolve });
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
  lines: lines.map((line_number, index) => ({
    line_number,
    match: index,
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

  it('asks for a screen of rows when it hears of the first match, and for the rest when they are there', async () => {
    const { search, subscribed, asked } = setUp();
    subscribed[0]!.tell({ match_count: 0, done: false });
    expect(asked).toEqual([]);
    subscribed[0]!.tell({ match_count: 1000 });
    expect(asked.map(({ name, params }) => [name, params.count])).toEqual([['matched_rows', 64]]);
    asked[0]!.answer(
      page(
        1,
        Array.from({ length: 64 }, (_, i) => i + 1),
      ),
    );
    await settled();
    await settled();
    expect(search.rows.row(63)?.line).toBe(64);
    expect(asked.map(({ params }) => params.count)).toEqual([64, 448]);
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

  it('counts and fetches the rows anew with other lines around the matches', async () => {
    const { search, subscribed, asked } = setUp();
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

  it('keeps its matches when cancelled, and can be resumed', () => {
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

describe('searches that begin one after the other', () => {
  function begun() {
    const shown: (OpenSearch | null)[] = [];
    const problems: (string | null)[] = [];
    const searches = new SearchSwitch(
      (search) => shown.push(search),
      (problem) => problems.push(problem?.code ?? null),
    );
    return { searches, shown, problems };
  }

  /** Whether the host is at work on it. */
  const isLive = ({ subscribed }: ReturnType<typeof setUp>) => subscribed.some(({ live }) => live);

  it('show the last one until the next reports something, while the host works on the next alone', () => {
    const { searches, shown } = begun();
    const [first, second] = [setUp(), setUp()];
    const leave = searches.begin(first.search);
    first.subscribed[0]!.tell({ match_count: 1 });
    leave();
    searches.begin(second.search);
    expect([shown.at(-1), isLive(first), isLive(second)]).toEqual([first.search, false, true]);
    second.subscribed[0]!.tell({ match_count: 0 });
    expect([shown.at(-1), isLive(first), isLive(second)]).toEqual([second.search, false, true]);
  });

  it('close one that never reported anything when the next begins', () => {
    const { searches, shown } = begun();
    const [first, second] = [setUp(), setUp()];
    searches.begin(first.search)();
    searches.begin(second.search);
    expect(first.subscribed[0]!.live).toBe(false);
    first.subscribed[0]!.tell({ match_count: 1 });
    expect(shown).toEqual([]);
  });

  it('show one that reports nothing for long', () => {
    vi.useFakeTimers();
    try {
      const { searches, shown } = begun();
      const { search } = setUp();
      searches.begin(search);
      vi.advanceTimersByTime(1000);
      expect(shown).toEqual([search]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('keep the last valid one when the next pattern is invalid', () => {
    const { searches, shown, problems } = begun();
    const [first, second] = [setUp(), setUp()];
    const leave = searches.begin(first.search);
    first.subscribed[0]!.tell({ match_count: 1 });
    leave();
    const end = searches.begin(second.search);
    second.subscribed[0]!.fail(new SpillwayError('usage', 'no pattern', 'mend it'));
    expect([shown.at(-1), problems.at(-1), isLive(first)]).toEqual([first.search, 'usage', true]);
    end();
    searches.begin(null);
    expect([shown.at(-1), problems.at(-1), isLive(first)]).toEqual([null, null, false]);
  });

  it('return to the last valid one when an invalid pattern is reported late', () => {
    vi.useFakeTimers();
    try {
      const { searches, shown, problems } = begun();
      const [first, second] = [setUp(), setUp()];
      const leave = searches.begin(first.search);
      first.subscribed[0]!.tell({ match_count: 1 });
      leave();
      searches.begin(second.search);
      vi.advanceTimersByTime(1000);
      expect([shown.at(-1), isLive(first)]).toEqual([second.search, false]);
      second.subscribed[0]!.fail(new SpillwayError('usage', 'no pattern', 'mend it'));
      expect([shown.at(-1), problems.at(-1), isLive(first)]).toEqual([first.search, 'usage', true]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('close the last one when a late one proves valid, or another begins', () => {
    vi.useFakeTimers();
    try {
      for (const tells of [true, false]) {
        const { searches } = begun();
        const [first, second] = [setUp(), setUp()];
        const leave = searches.begin(first.search);
        first.subscribed[0]!.tell({ match_count: 1 });
        leave();
        const end = searches.begin(second.search);
        vi.advanceTimersByTime(1000);
        if (tells) second.subscribed[0]!.tell({ match_count: 0 });
        else end();
        first.search.goOn();
        expect(isLive(first)).toBe(false);
      }
    } finally {
      vi.useRealTimers();
    }
  });

  it('do not go on by themselves when they were cancelled by hand', () => {
    const { searches } = begun();
    const [first, second] = [setUp(), setUp()];
    const leave = searches.begin(first.search);
    first.subscribed[0]!.tell({ match_count: 1, done: false });
    first.search.cancel();
    leave();
    searches.begin(second.search);
    second.subscribed[0]!.fail(new SpillwayError('usage', 'no pattern', 'mend it'));
    expect([isLive(first), first.search.snapshot().cancelled]).toEqual([false, true]);
  });

  it('close with the switch', () => {
    const { searches } = begun();
    const { search, subscribed } = setUp();
    searches.begin(search);
    subscribed[0]!.tell({ match_count: 1 });
    searches.close();
    expect(subscribed[0]!.live).toBe(false);
  });
});
