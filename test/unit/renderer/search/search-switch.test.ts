import { describe, expect, it, vi } from 'vitest';
import type { OpenSearch } from '../../../../renderer/search/open-search.ts';
import { SearchSwitch } from '../../../../renderer/search/use-search.ts';
import { SpillwayError } from '../../../../shared/errors.ts';
import { hostedSearch, page, settled } from '../../../fixtures/search/hosted-search.ts';

describe('successive searches', () => {
  function begun() {
    const shown: (OpenSearch | null)[] = [];
    const problems: (string | null)[] = [];
    const searches = new SearchSwitch(
      (search) => shown.push(search),
      (problem) => problems.push(problem?.code ?? null),
    );
    return { searches, shown, problems };
  }

  /** Whether the host is working on it. */
  const isLive = ({ subscribed }: ReturnType<typeof hostedSearch>) => subscribed.some(({ live }) => live);

  it('show the last one until the next reports something, while the host works only on the next', () => {
    const { searches, shown } = begun();
    const [first, second] = [hostedSearch(), hostedSearch()];
    const leave = searches.begin(first.search);
    first.subscribed[0]!.tell({ match_count: 0 });
    leave();
    searches.begin(second.search);
    expect([shown.at(-1), isLive(first), isLive(second)]).toEqual([first.search, false, true]);
    second.subscribed[0]!.tell({ match_count: 0 });
    expect([shown.at(-1), isLive(first), isLive(second)]).toEqual([second.search, false, true]);
  });

  it('show the last one until the first rows of the next are there', async () => {
    const { searches, shown } = begun();
    const [first, second] = [hostedSearch(), hostedSearch()];
    const leave = searches.begin(first.search);
    first.subscribed[0]!.tell({ match_count: 0 });
    leave();
    searches.begin(second.search);
    second.subscribed[0]!.tell({ match_count: 1, done: false });
    expect(shown.at(-1)).toBe(first.search);
    second.asked[0]!.answer(page(1, [5]));
    await settled();
    expect(shown.at(-1)).toBe(second.search);
  });

  it('are drawn at once when they have told what to show, and as other changes when a moment has passed', () => {
    vi.useFakeTimers();
    try {
      const drawn: boolean[] = [];
      const searches = new SearchSwitch(
        (_, isAwaited) => drawn.push(isAwaited),
        () => {},
      );
      const first = hostedSearch();
      searches.begin(first.search)();
      const second = hostedSearch();
      const leave = searches.begin(second.search);
      second.subscribed[0]!.tell({ match_count: 0 });
      leave();
      searches.begin(hostedSearch().search);
      vi.advanceTimersByTime(1000);
      expect(drawn).toEqual([true, false]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('close the last one when another begins before the rows of a late one are there', () => {
    vi.useFakeTimers();
    try {
      const { searches, shown } = begun();
      const [first, second] = [hostedSearch(), hostedSearch()];
      const leave = searches.begin(first.search);
      first.subscribed[0]!.tell({ match_count: 0 });
      leave();
      const end = searches.begin(second.search);
      second.subscribed[0]!.tell({ match_count: 1 });
      vi.advanceTimersByTime(1000);
      expect(shown.at(-1)).toBe(second.search);
      const close = vi.spyOn(first.search, 'close');
      end();
      expect(close).toHaveBeenCalled();
    } finally {
      vi.useRealTimers();
    }
  });

  it('close one that never reported anything when the next begins', () => {
    const { searches, shown } = begun();
    const [first, second] = [hostedSearch(), hostedSearch()];
    searches.begin(first.search)();
    searches.begin(second.search);
    expect(first.subscribed[0]!.live).toBe(false);
    first.subscribed[0]!.tell({ match_count: 1 });
    expect(shown).toEqual([]);
  });

  it('show one that stays silent for long', () => {
    vi.useFakeTimers();
    try {
      const { searches, shown } = begun();
      const { search } = hostedSearch();
      searches.begin(search);
      vi.advanceTimersByTime(1000);
      expect(shown).toEqual([search]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('keep the last valid one when the next pattern is invalid', () => {
    const { searches, shown, problems } = begun();
    const [first, second] = [hostedSearch(), hostedSearch()];
    const leave = searches.begin(first.search);
    first.subscribed[0]!.tell({ match_count: 0 });
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
      const [first, second] = [hostedSearch(), hostedSearch()];
      const leave = searches.begin(first.search);
      first.subscribed[0]!.tell({ match_count: 0 });
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
        const [first, second] = [hostedSearch(), hostedSearch()];
        const leave = searches.begin(first.search);
        first.subscribed[0]!.tell({ match_count: 0 });
        leave();
        const end = searches.begin(second.search);
        vi.advanceTimersByTime(1000);
        if (tells) second.subscribed[0]!.tell({ match_count: 0 });
        else end();
        first.search.resume();
        expect(isLive(first)).toBe(false);
      }
    } finally {
      vi.useRealTimers();
    }
  });

  it('do not resume by themselves after a person cancelled them', () => {
    const { searches } = begun();
    const [first, second] = [hostedSearch(), hostedSearch()];
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
    const { search, subscribed } = hostedSearch();
    searches.begin(search);
    subscribed[0]!.tell({ match_count: 0 });
    searches.close();
    expect(subscribed[0]!.live).toBe(false);
  });
});
