import { describe, expect, it } from 'vitest';
import type { OpenSearch } from '../../../../renderer/search/open-search.ts';
import { ChosenMatchStore } from '../../../../renderer/search/results/use-result-cursor.ts';

/** A search with these rows, by the number of the match in each; null is a context line, undefined is not fetched. */
function searchWith(...matches: (number | null | undefined)[]): OpenSearch {
  const row = (at: number) => {
    const match = matches[at];
    return match === undefined ? undefined : { line: 10 * (at + 1), match };
  };
  return { rows: { row } } as unknown as OpenSearch;
}

describe('the chosen match', () => {
  it('is the first of another search, without a second render', () => {
    let renders = 0;
    const store = new ChosenMatchStore(() => {
      renders += 1;
    });
    const [first, second] = [searchWith(0, 1, 2), searchWith(null, 0)];
    expect(store.drawn(first, 1, 3)).toMatchObject({ row: 0, line: 10 });
    store.near(first, 2, 1, 3);
    expect(store.drawn(first, 1, 3)).toMatchObject({ row: 2, line: 30 });
    expect(store.drawn(second, 1, 2)).toMatchObject({ row: 1, line: 20 });
    expect(renders).toBe(1);
  });

  it('starts over in another text', () => {
    const store = new ChosenMatchStore(() => {});
    const search = searchWith(0, 1);
    store.drawn(search, 1, 2);
    store.near(search, 1, 1, 2);
    expect(store.drawn(search, 2, 2)).toMatchObject({ row: 0, line: 10 });
  });

  it('is reported to callers that wait for its line once a render found it', async () => {
    const store = new ChosenMatchStore(() => {});
    store.drawn(searchWith(undefined), null, 1);
    const line = store.line(new AbortController().signal);
    store.drawn(searchWith(0), null, 1);
    store.afterDrawn();
    expect(await line).toBe(10);
  });
});
