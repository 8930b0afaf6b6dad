/** The actions of the search: opening it, going from match to match, and the keys of its field and its results. */

import { MAX_RESULT_CONTEXT } from '../../shared/limits.ts';
import { MAX_WITHIN } from '../../shared/search-query.ts';
import { declareActions } from '../actions/action.ts';
import type { Copying } from '../viewer/selection/CopyDialog.tsx';
import { extendSelection, type SelectableRows, selectAll } from '../viewer/text-moves.ts';
import { MAX_TABS } from './search-tabs.ts';
import type { Search } from './use-search.ts';

export type SearchSwitchContext = Pick<Search, 'open' | 'active' | 'openField' | 'closeField'>;

export const searchSwitchActions = declareActions<SearchSwitchContext>('Search')({
  search: {
    name: 'Search the text',
    label: 'Search',
    words: 'find grep regex regexp regular expression',
    icon: 'search',
    keys: ['/', 'Ctrl+F'],
    isOn: (search) => search.open || search.active,
    run: (search) => search.openField(),
  },
});

/** The search, and what its keys do while there is none. */
export interface SearchContext extends Search {
  /** Goes to the next new or changed lines of a comparison; null or absent without one. */
  stepDifferences?: ((direction: 1 | -1) => void) | null;
}

export const searchActions = declareActions<SearchContext>('Search')({
  nextMatch: {
    name: 'Next match; without a search, the next new or changed line',
    words: 'result hit occurrence',
    label: 'Next match',
    icon: 'down',
    keys: ['n'],
    repeats: true,
    when: ({ active, stepDifferences }) => active || stepDifferences != null,
    run: (search) => (search.active ? search.step('next') : search.stepDifferences?.(1)),
  },
  previousMatch: {
    name: 'Previous match; without a search, the previous new or changed line',
    label: 'Previous match',
    icon: 'up',
    keys: ['N'],
    repeats: true,
    when: ({ active, stepDifferences }) => active || stepDifferences != null,
    run: (search) => (search.active ? search.step('previous') : search.stepDifferences?.(-1)),
  },
  keep: {
    name: 'Keep this search, and begin another beside it',
    icon: 'plus',
    keys: ['Alt+K'],
    when: ({ settings, tabs }) => settings.pattern !== '' && tabs.tabs.length < MAX_TABS,
    run: ({ keep }) => keep(),
  },
  nextSearch: {
    name: 'Next of the searches side by side',
    keys: ['Alt+N'],
    when: ({ tabs }) => tabs.tabs.length > 1,
    run: ({ tabs: { tabs, at }, showTab }) => showTab((at + 1) % tabs.length),
  },
  narrow: {
    name: 'Search within the matching lines',
    icon: 'narrow',
    keys: ['Alt+W'],
    when: ({ settings }) => settings.pattern !== '' && settings.within.length < MAX_WITHIN,
    run: ({ narrow }) => narrow(),
  },
  results: {
    name: 'To the matching lines and back',
    keys: ['m'],
    when: (search) => search.active,
    run: (search) => search.toggleResults(),
  },
});

/** Keys of the field itself. `browse` puts an older (1) or newer (-1) pattern into it. */
export const fieldActions = declareActions<Search & { browse: (by: 1 | -1) => void }>(
  'In the search field',
  'control',
)({
  step: {
    name: 'Next, previous match',
    keys: ['Enter', 'Shift+Enter'],
    run: (search, key) => search.step(key === 'Enter' ? 'next' : 'previous'),
  },
  browse: {
    name: 'Recent patterns, in the empty field',
    keys: ['↑', '↓'],
    run: ({ browse }, key) => browse(key === '↑' ? 1 : -1),
  },
});

/** Keys that work in the whole search bar; chosen in the palette, they open it. */
export const barActions = declareActions<Search>(
  'In the search field',
  'control',
)({
  caseSensitive: {
    name: 'Match case',
    label: 'Aa',
    words: 'sensitive insensitive ignore',
    keys: ['Alt+C'],
    isOn: ({ settings }) => settings.case_sensitive,
    run: ({ settings, edit }) => edit({ case_sensitive: !settings.case_sensitive }),
  },
  word: {
    name: 'Whole word',
    label: '“ab”',
    words: 'words exact boundary',
    keys: ['Alt+O'],
    isOn: ({ settings }) => settings.word ?? false,
    run: ({ settings, edit }) => edit({ word: !settings.word || undefined }),
  },
  regex: {
    name: 'Regular expression',
    label: '.*',
    words: 'regex regexp',
    keys: ['Alt+R'],
    isOn: ({ settings }) => !settings.fixed,
    run: ({ settings, edit }) => edit({ fixed: !settings.fixed }),
  },
  invert: {
    name: 'Lines that do not match',
    label: 'not',
    words: 'invert exclude without negate',
    keys: ['Alt+I'],
    isOn: ({ settings }) => settings.invert,
    run: ({ settings, edit }) => edit({ invert: !settings.invert }),
  },
  close: {
    name: 'Close the search bar, then the results',
    keys: ['Esc'],
    run: (search) => search.closeField(),
  },
});

/** The keys of the results: choosing, selecting and copying rows, and the context around matches. */
export interface ResultsContext extends SelectableRows {
  /** The chosen row, from 0. */
  chosen: number;
  /** Rows that a page key moves by. */
  page: number;
  choose: (row: number, direction: 1 | -1) => void;
  show: (row: number) => void;
  moveSideways: (direction: -1 | 1) => void;
  copy: Copying;
}

export const resultActions = declareActions<ResultsContext>(
  'In the results',
  'control',
)({
  choose: {
    name: 'Choose a match',
    keys: ['↑', '↓', 'Page Up', 'Page Down', 'Home', 'End'],
    run: (results, key) => {
      const { chosen, choose, select, selection } = results;
      const by = rowsOf(results, key);
      const from = selection ? selection.focus - 1 : chosen;
      select(null);
      if (key === 'Home') choose(0, 1);
      else choose(from + by, by < 0 || key === 'End' ? -1 : 1);
    },
  },
  show: {
    name: 'Show the match in the text',
    keys: ['Enter'],
    run: ({ chosen, show }) => show(chosen),
  },
  sideways: {
    name: 'Sideways',
    keys: ['←', '→'],
    run: ({ moveSideways }, key) => moveSideways(key === '←' ? -1 : 1),
  },
  select: {
    name: 'Select results',
    keys: ['Shift+↑', 'Shift+↓', 'Shift+Page Up', 'Shift+Page Down', 'Shift+Home', 'Shift+End'],
    run: (results, key) => extendSelection(results, rowsOf(results, key), results.chosen + 1),
  },
  selectAll: {
    name: 'Select all results',
    keys: ['Ctrl+A'],
    run: selectAll,
  },
  copy: {
    name: 'Copy the selected results, or the chosen one',
    keys: ['Ctrl+C'],
    run: ({ copy, selection, chosen }) => copy.copy(selection ?? { anchor: chosen + 1, focus: chosen + 1 }),
  },
  clear: {
    name: 'Clear the selection',
    keys: ['Esc'],
    when: ({ selection }) => selection !== null,
    run: ({ select }) => select(null),
  },
});

interface ContextChoice {
  disabled: boolean;
  onChoose: (lines: number) => void;
}

export const contextActions = declareActions<ContextChoice>(
  'In the results',
  'control',
)({
  context: {
    name: 'Lines of context around each match',
    keys: Array.from({ length: MAX_RESULT_CONTEXT + 1 }, (_, lines) => String(lines)),
    run: ({ disabled, onChoose }, key) => {
      if (!disabled) onChoose(Number(key));
    },
  },
});

/** Rows that a key moves by; to the ends with Home and End. */
function rowsOf({ page, rows }: ResultsContext, key: string | null): number {
  const name = key?.replace('Shift+', '') ?? '';
  const by = { '↑': -1, '↓': 1, 'Page Up': -page, 'Page Down': page, Home: -rows.count, End: rows.count };
  return by[name as keyof typeof by] ?? 0;
}
