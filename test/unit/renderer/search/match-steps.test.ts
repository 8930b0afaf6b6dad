import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OpenSearch } from '../../../../renderer/search/open-search.ts';
import { nextOrRound, settledSearch } from '../../../../renderer/search/results/use-match-steps.ts';
import { NO_SEARCH, queryOf } from '../../../../renderer/search/search-settings.ts';

const settings = { ...NO_SEARCH, pattern: 'x' };

/** Events of a host. */
function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, 20);
  return () => clearInterval(timer);
}

/** A search that reports the given states one after the other. */
function searchThat(state: () => { match_count: number; done: boolean } | null) {
  const snapshot = () => ({ state: state(), error: null });
  return { query: queryOf(settings), snapshot } as unknown as OpenSearch;
}

describe('a step to the next match', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('waits for the first match of a search that takes seconds to find it', async () => {
    let state: { match_count: number; done: boolean } | null = null;
    const search = searchThat(() => state);
    let ended = false;
    const waiting = settledSearch({ get: () => ({ search, settings }), subscribe }, settings).finally(() => {
      ended = true;
    });
    await vi.advanceTimersByTimeAsync(3000);
    state = { match_count: 0, done: false };
    await vi.advanceTimersByTimeAsync(3000);
    expect(ended).toBe(false);
    state = { match_count: 1, done: false };
    await vi.advanceTimersByTimeAsync(40);
    expect(ended).toBe(true);
    expect(await waiting).toBe(search);
  });

  it('keeps waiting for a search that finds nothing for long, until the pattern changes', async () => {
    const search = searchThat(() => ({ match_count: 0, done: false }));
    const waiting = settledSearch({ get: () => ({ search, settings }), subscribe }, settings);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await waiting).toBe(search);
    expect(
      await settledSearch({ get: () => ({ search, settings: NO_SEARCH }), subscribe }, NO_SEARCH),
    ).toBeNull();
  });

  it('is cancelled when another pattern is typed before the first match', async () => {
    let typed = settings;
    const search = searchThat(() => ({ match_count: 0, done: false }));
    const waiting = settledSearch({ get: () => ({ search, settings: typed }), subscribe }, settings);
    await vi.advanceTimersByTimeAsync(100);
    typed = { ...settings, pattern: 'xy' };
    await vi.advanceTimersByTimeAsync(100);
    expect(await waiting).toBeNull();
  });

  describe('in a search that has not reached the line', () => {
    const LINES = [3, 40, 90];
    /** Finds LINES in order: those up to `upTo`. */
    let upTo = 0;
    const now = () => ({ state: { done: upTo >= 100, match_count: 1 }, error: null, cancelled: false });
    let snapshot = now();
    const search = {
      snapshot: () => snapshot,
      subscribe: (listener: () => void) =>
        subscribe(() => {
          snapshot = now();
          listener();
        }),
      next: async (line: number, direction: string) => {
        const known = LINES.filter((each) => each <= upTo);
        // The search goes on while the answer is on its way.
        const found =
          direction === 'next' ? known.find((each) => each > line) : known.findLast((each) => each < line);
        upTo += 1;
        return { line_number: found ?? null, index: 0, rows: null, match_count: known.length };
      },
    } as unknown as OpenSearch;
    const step = async (line: number, direction: 'next' | 'previous', isShown = () => true) => {
      snapshot = now();
      const waiting = nextOrRound(search, line, direction, isShown);
      await vi.advanceTimersByTimeAsync(10_000);
      return waiting;
    };

    it('waits for the match after the line, and wraps around only after all is searched', async () => {
      upTo = 10;
      expect(await step(50, 'next')).toMatchObject({ line_number: 90, wrapped: false });
      upTo = 99;
      expect(await step(95, 'next')).toMatchObject({ line_number: 3, wrapped: true });
    });

    it('waits for the nearest match before the line', async () => {
      upTo = 10;
      expect(await step(60, 'previous')).toMatchObject({ line_number: 40, wrapped: false });
      upTo = 10;
      expect(await step(2, 'previous')).toMatchObject({ line_number: 90, wrapped: true });
    });

    it('stops waiting when another search is shown, or after seconds', async () => {
      upTo = 0;
      expect(await step(50, 'next', () => upTo < 5)).toBe('none yet');
      upTo = -1000;
      expect(await step(50, 'next')).toBe('none yet');
    });
  });
});
