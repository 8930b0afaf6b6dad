import { describe, expect, it } from 'vitest';
import { formatHash, parseHash } from '../../../../renderer/app/tabs/tab-state.ts';
import { NO_SEARCH } from '../../../../renderer/search/search-settings.ts';
import { restoreSearchTabs } from '../../../../renderer/search/search-tabs.ts';
import fc from '../../../fixtures/fast-check.ts';

describe('searches side by side', () => {
  const settings = (pattern: string) => ({ ...NO_SEARCH, pattern });
  const kept = { tabs: ['a', 'b'].map((pattern, id) => ({ id, settings: settings(pattern) })), at: 1 };

  it('come back with an artifact, at the one that its address names', () => {
    expect(restoreSearchTabs(kept, null)).toEqual(kept);
    expect(restoreSearchTabs(kept, settings('a'))).toEqual({ ...kept, at: 0 });
    const added = restoreSearchTabs(kept, settings('c'));
    expect([added.tabs.map((tab) => tab.settings.pattern), added.at]).toEqual([['a', 'b', 'c'], 2]);
    expect(restoreSearchTabs(null, settings('x')).tabs).toEqual([{ id: 0, settings: settings('x') }]);
    const twice = { tabs: kept.tabs.map((tab) => ({ ...tab, settings: settings('a') })), at: 1 };
    expect(restoreSearchTabs(twice, settings('a'))).toEqual(twice);
  });

  it('come back from the address, with the searches they are within', () => {
    const term = fc.record({
      pattern: fc.string({ minLength: 1 }),
      fixed: fc.boolean(),
      case_sensitive: fc.boolean(),
      invert: fc.boolean(),
    });
    const several = fc
      .uniqueArray(fc.integer({ min: 0, max: 5 }), { minLength: 2, maxLength: 6 })
      .chain((ids) =>
        fc.record({
          tabs: fc.tuple(
            ...ids.map((id) =>
              fc
                .tuple(term, fc.array(term, { maxLength: 2 }))
                .map(([own, within]) => ({ id, settings: { ...own, within } })),
            ),
          ),
          at: fc.integer({ min: 0, max: ids.length - 1 }),
        }),
      );
    fc.assert(
      fc.property(several, (searches) => {
        const search = searches.tabs[searches.at]!.settings;
        const place = { artifactId: 'x', stream: null, line: 7, search, searches };
        expect(parseHash(formatHash(place))).toEqual(place);
      }),
    );
  });

  it('come back from the address while a new one is empty, and leave out other empty ones', () => {
    const tabs = [...kept.tabs, { id: 2, settings: NO_SEARCH }];
    const place = { artifactId: 'x', stream: null, line: null };
    expect(parseHash(formatHash({ ...place, searches: { tabs, at: 2 } })).searches).toEqual({ tabs, at: 2 });
    const at = { ...place, search: settings('a'), searches: { tabs, at: 0 } };
    expect(parseHash(formatHash(at)).searches).toEqual({ ...kept, at: 0 });
  });

  it('are one search where the address lists no others, or an invalid list', () => {
    for (const list of [
      '',
      '&k=0',
      '&k=0&k=0%26q%3Db',
      '&k=7%26q%3Db&k=0',
      '&k=1%26q%3Db',
      '&k=&k=x&k=0&k=1',
    ]) {
      const { search, searches } = parseHash(`#a=x&q=a${list}`);
      expect([search, searches], list).toEqual([settings('a'), undefined]);
    }
  });
});
