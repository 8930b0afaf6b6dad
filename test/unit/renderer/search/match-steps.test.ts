import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NO_SEARCH, queryOf } from '../../../../renderer/search/bar/search-settings.ts';
import type { OpenSearch } from '../../../../renderer/search/open-search.ts';
import { settledSearch } from '../../../../renderer/search/results/use-match-steps.ts';

const settings = { ...NO_SEARCH, pattern: 'x' };

/** A search that tells of its states one after the other. */
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
    const waiting = settledSearch(() => ({ search, settings })).finally(() => {
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

  it('goes on with a search that finds nothing for long, and ends with the pattern', async () => {
    const search = searchThat(() => ({ match_count: 0, done: false }));
    const waiting = settledSearch(() => ({ search, settings }));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await waiting).toBe(search);
    expect(await settledSearch(() => ({ search, settings: NO_SEARCH }))).toBeNull();
  });
});
