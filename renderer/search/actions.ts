/** The actions of the search: opening it and going from match to match. */
import { MAX_WITHIN } from '../../shared/search-query.ts';
import { declareActions } from '../commands/action.ts';
import { MAX_TABS } from './tabs/use-search-tabs.ts';
import type { Search } from './use-search.ts';

export type SearchSwitchContext = Pick<Search, 'open' | 'active' | 'openField' | 'closeField'>;

export const searchSwitchActions = declareActions<SearchSwitchContext>()({
  search: {
    name: 'Search the text',
    label: 'Search',
    words: 'find grep regex regexp regular expression',
    icon: 'search',
    keys: ['/', 'Ctrl+F'],
    group: 'Search',
    isOn: (search) => search.open || search.active,
    run: (search) => search.openField(),
  },
});

export const searchActions = declareActions<Search>()({
  nextMatch: {
    name: 'Next match',
    icon: 'down',
    keys: ['n'],
    group: 'Search',
    repeats: true,
    when: (search) => search.active,
    run: (search) => search.step('next'),
  },
  previousMatch: {
    name: 'Previous match',
    icon: 'up',
    keys: ['N'],
    group: 'Search',
    repeats: true,
    when: (search) => search.active,
    run: (search) => search.step('previous'),
  },
  keep: {
    name: 'Keep this search, and begin another beside it',
    icon: 'plus',
    keys: ['Alt+K'],
    group: 'Search',
    when: ({ settings, tabs }) => settings.pattern !== '' && tabs.tabs.length < MAX_TABS,
    run: ({ keep }) => keep(),
  },
  nextSearch: {
    name: 'Next of the searches side by side',
    keys: ['Alt+N'],
    group: 'Search',
    when: ({ tabs }) => tabs.tabs.length > 1,
    run: ({ tabs: { tabs, at }, showTab }) => showTab((at + 1) % tabs.length),
  },
  narrow: {
    name: 'Search within the matching lines',
    icon: 'narrow',
    keys: ['Alt+W'],
    group: 'Search',
    when: ({ settings }) => settings.pattern !== '' && settings.within.length < MAX_WITHIN,
    run: ({ narrow }) => narrow(),
  },
  results: {
    name: 'To the matching lines and back',
    keys: ['m'],
    group: 'Search',
    when: (search) => search.active,
    run: (search) => search.toggleResults(),
  },
});

/** Keys of the field itself. `browse` puts an older (1) or newer (-1) pattern into it. */
export const fieldActions = declareActions<Search & { browse: (by: 1 | -1) => void }>()({
  step: {
    name: 'Next, previous match',
    keys: ['Enter', 'Shift+Enter'],
    group: 'In the search field',
    where: 'control',
    run: (search, key) => search.step(key === 'Enter' ? 'next' : 'previous'),
  },
  browse: {
    name: 'Recent patterns, in the empty field',
    keys: ['↑', '↓'],
    group: 'In the search field',
    where: 'control',
    run: ({ browse }, key) => browse(key === '↑' ? 1 : -1),
  },
});

/** Keys that work in the whole search bar. */
export const barActions = declareActions<Search>()({
  caseSensitive: {
    name: 'Match case',
    label: 'Aa',
    keys: ['Alt+C'],
    group: 'In the search field',
    where: 'control',
    isOn: ({ settings }) => settings.case_sensitive,
    run: ({ settings, edit }) => edit({ case_sensitive: !settings.case_sensitive }),
  },
  regex: {
    name: 'Regular expression',
    label: '.*',
    words: 'regex regexp',
    keys: ['Alt+R'],
    group: 'In the search field',
    where: 'control',
    isOn: ({ settings }) => !settings.fixed,
    run: ({ settings, edit }) => edit({ fixed: !settings.fixed }),
  },
  invert: {
    name: 'Lines that do not match',
    label: 'not',
    keys: ['Alt+I'],
    group: 'In the search field',
    where: 'control',
    isOn: ({ settings }) => settings.invert,
    run: ({ settings, edit }) => edit({ invert: !settings.invert }),
  },
  close: {
    name: 'Close the search bar, then the results',
    keys: ['Esc'],
    group: 'In the search field',
    where: 'control',
    run: (search) => search.closeField(),
  },
});
