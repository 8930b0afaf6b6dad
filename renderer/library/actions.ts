/** The actions on the list of artifacts. */
import { declareActions } from '../commands/action.ts';
import { chooseGrouping, groupings, nextGrouping } from './list/list-settings.ts';

export interface ListContext {
  isOpen: boolean;
  toggle: () => void;
  focusFilter: () => void;
  searchAcross: () => void;
  focusPath: () => void;
  showSources: () => void;
  showCaptures: () => void;
}

export const listActions = declareActions<ListContext>()({
  filter: {
    name: 'Filter the list',
    words: 'find',
    keys: ['l'],
    group: 'List',
    run: ({ focusFilter }) => focusFilter(),
  },
  across: {
    name: 'Search the text of everything listed, with counts',
    label: 'Search everywhere',
    words: 'find grep files',
    icon: 'search',
    keys: ['Ctrl+Shift+F'],
    group: 'List',
    run: ({ searchAcross }) => searchAcross(),
  },
  grouping: {
    name: 'Group the list by session, by source, or not at all',
    icon: 'group',
    keys: ['b'],
    group: 'List',
    run: () => chooseGrouping(nextGrouping(groupings.get())),
  },
  show: {
    name: 'Show or hide the list',
    words: 'sidebar panel',
    icon: 'list',
    keys: ['Ctrl+B'],
    group: 'List',
    run: ({ toggle }) => toggle(),
  },
  open: {
    name: 'Open a file or folder by its path',
    icon: 'open',
    keys: ['o'],
    group: 'List',
    run: ({ focusPath }) => focusPath(),
  },
  sources: {
    name: 'Opened files and folders: remove them, let agents read them',
    label: 'Opened files and folders',
    words: 'sources delete close',
    icon: 'sources',
    keys: ['O'],
    group: 'List',
    run: ({ showSources }) => showSources(),
  },
  captures: {
    name: 'Agents’ captures: which are listed, and who may read them',
    label: 'Agents’ captures',
    words: 'settings preferences claude codex',
    icon: 'switches',
    keys: ['A'],
    group: 'List',
    run: ({ showCaptures }) => showCaptures(),
  },
});
