/** The actions on filters: making one from the selection or the search, and switching them. */

import { plural } from '../../shared/text/format.ts';
import { declareActions, SELECT_TEXT_FIRST } from '../actions/action.ts';
import { useActions } from '../actions/registry.ts';
import { termsOf } from '../search/search-settings.ts';
import type { Search } from '../search/use-search.ts';
import type { Say } from '../ui/state/time.ts';
import { useSteady } from '../ui/state/use-steady.ts';
import { selectedText } from '../viewer/selection/selection.ts';
import type { Viewer } from '../viewer/use-viewer.ts';
import { plainText, shortPattern, withPattern } from './filter.ts';
import type { Filters } from './use-filters.ts';

export interface FilterContext {
  filters: Filters;
  viewer: Viewer;
  search: Search;
  say: Say;
  adding: AddFilterContext;
}

/** As `useSteady` keeps it: the toolbar is not drawn anew for each line that passes. */
export interface AddFilterContext {
  addFilter: () => void;
}

export const addFilterActions = declareActions<AddFilterContext>('Filter')({
  add: {
    name: 'Filter the lines: show or hide those with a text',
    label: 'Filter',
    words: 'include exclude grep only match level',
    icon: 'filter',
    keys: ['F'],
    run: ({ addFilter }) => addFilter(),
  },
});

/** Returns the context that begins a filter, whose text is typed in its chip. */
export function useAddFilter(filters: Filters): AddFilterContext {
  const adding = useSteady({
    addFilter: () => filters.edit(filters.narrow({ ...plainText(''), ...AS_TYPED })),
  });
  useActions(addFilterActions, adding);
  return adding;
}

export const filterActions = declareActions<FilterContext>('Filter')({
  showSelected: {
    name: 'Show only lines with the selected text',
    inMenu: 2,
    keys: ['+'],
    when: ({ viewer }) => selectedText(viewer) !== null,
    otherwise: ({ say }) => say(SELECT_TEXT_FIRST),
    run: (context) => addSelected(context, false),
  },
  hideSelected: {
    name: 'Hide lines with the selected text',
    inMenu: 2,
    keys: ['-'],
    when: ({ viewer }) => selectedText(viewer) !== null,
    otherwise: ({ say }) => say(SELECT_TEXT_FIRST),
    run: (context) => addSelected(context, true),
  },
  keepSearch: {
    name: 'Keep the search as a filter',
    label: 'Keep as filter',
    icon: 'filter',
    keys: ['Ctrl+Enter'],
    when: ({ search }) => search.active && search.problem === null,
    run: ({ filters, search, viewer }) => {
      const format = viewer.opened.snapshot.state?.format ?? null;
      // A search within others: a line must match each of them.
      for (const { invert, ...term } of termsOf(search.settings)) {
        const what = withPattern({ kind: 'text', ...term }, term.pattern, format);
        if (invert) filters.add(what, 'hide');
        else filters.narrow(what);
      }
      search.focusText();
    },
  },
  wholeEntries: {
    name: 'Filter whole entries, such as an error with its stack trace, or single lines',
    words: 'multiline frames',
    keys: [],
    isOn: ({ filters }) => filters.entries === 'whole',
    run: ({ filters }) => filters.chooseEntries(filters.entries === 'whole' ? 'lines' : 'whole'),
  },
  foldEntries: {
    name: 'Fold entries to their first lines, or unfold them',
    words: 'multiline stack trace collapse expand',
    keys: [],
    isOn: ({ filters }) => filters.entries === 'first',
    run: ({ filters }) => filters.chooseEntries(filters.entries === 'first' ? 'lines' : 'first'),
  },
  toggleAll: {
    name: 'Switch all filters off, and on again',
    keys: ['v'],
    when: ({ filters }) => filters.filters.length > 0,
    run: ({ filters }) => filters.toggleAll(),
  },
  clear: {
    name: 'Remove all filters',
    words: 'clear reset',
    keys: [],
    when: ({ filters }) => filters.filters.length > 0 || filters.entries !== 'lines',
    run: ({ filters, say }) => {
      const { length } = filters.filters;
      const undo = filters.clear();
      if (length > 0) say(`Removed ${plural(length, 'filter')}`, undo);
    },
  },
});

/** A typed filter begins as a regular expression, like a search. */
const AS_TYPED = { kind: 'text', pattern: '', fixed: false, case_sensitive: false } as const;

function addSelected({ filters, viewer, say }: FilterContext, hide: boolean): void {
  const text = selectedText(viewer);
  if (text === null) return;
  if (hide) filters.add(plainText(text), 'hide');
  else filters.narrow(plainText(text));
  say(hide ? `Hides lines with ${quoted(text)}` : `Shows only lines with ${quoted(text)}`);
}

function quoted(text: string): string {
  return `“${shortPattern(text)}”`;
}
