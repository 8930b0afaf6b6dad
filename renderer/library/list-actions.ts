/** The actions on the list of artifacts, and the keys of its rows. */

import type { RefObject } from 'react';
import { isMergedId } from '../../shared/artifact.ts';
import type { SearchTerm } from '../../shared/search-query.ts';
import { declareActions, declareKeys } from '../actions/action.ts';
import { writeClipboard } from '../ui/state/page.ts';
import { pathOf } from './artifact-facts.ts';
import { canDelete } from './deletion.tsx';
import type { LibraryStore } from './library-store.ts';
import type { ListRow } from './list/list-groups.ts';
import { chooseGrouping, groupings, nextGrouping } from './list/list-settings.ts';

/** `enter`: with the keyboard; `tab`: in a new tab. */
export type OpenHow = 'click' | 'enter' | 'tab';

/** The list in its window: what it shows, its fields, and what it does there. */
export interface ListContext {
  library: LibraryStore;
  /** The artifact that is shown; null without one. */
  shown: string | null;
  isOpen: boolean;
  /** Whether the search through all artifacts replaces the list. */
  isAcross: boolean;
  setAcross(isAcross: boolean): void;
  filter: RefObject<HTMLInputElement | null>;
  across: RefObject<HTMLInputElement | null>;
  /** The button that hides the list. */
  hideButton: RefObject<HTMLButtonElement | null>;
  toggle(): void;
  focusFilter(): void;
  searchAcross(): void;
  showOpen(): void;
  showSources(): void;
  showCaptures(): void;
  open(artifactId: string, how: OpenHow): void;
  openSearch(artifactId: string, term: SearchTerm): void;
  /** Opens it in a pane beside the text. */
  beside(artifactId: string): void;
  /** Pins captures, so that cleanup keeps them, or unpins them. */
  pin(ids: readonly string[], pinned: boolean): void;
  /** Shows the file of an artifact in the system's file manager. */
  showInFolder(artifactId: string): void;
  /** Deletes captures; for some seconds this can be undone. */
  remove(ids: readonly string[]): void;
  /** Asks which output to compare an artifact with. */
  compareWith(artifactId: string): void;
  /** Shows two artifacts side by side, and what differs. */
  compare(ids: readonly string[]): void;
  /** Shows several artifacts as one text, in the order of their lines' times. */
  merge(ids: readonly string[]): void;
  /** Asks the host for the list again. */
  tryAgain(): void;
  /** Moves the focus from a field to the text, for Escape; returns false if it stays. */
  leave(): boolean;
}

export const listActions = declareActions<ListContext>('List')({
  filter: {
    name: 'Filter the list',
    words: 'find',
    keys: ['l'],
    run: ({ focusFilter }) => focusFilter(),
  },
  across: {
    name: 'Search the text of everything listed, with counts',
    label: 'Search everywhere',
    words: 'find grep files all global everywhere',
    icon: 'search',
    keys: ['Ctrl+Shift+F'],
    run: ({ searchAcross }) => searchAcross(),
  },
  compareWith: {
    name: 'Compare with another output: what differs, side by side',
    label: 'Compare with…',
    words: 'differences diff baseline',
    icon: 'compare',
    keys: ['B'],
    when: ({ shown }) => shown !== null && !isMergedId(shown),
    run: ({ shown, compareWith }) => shown !== null && compareWith(shown),
  },
  grouping: {
    name: 'Group the list by session, day, command or source, or not at all',
    words: 'sort order',
    icon: 'group',
    keys: ['b'],
    run: () => chooseGrouping(nextGrouping(groupings.get())),
  },
  show: {
    name: 'Show or hide the list',
    words: 'sidebar panel',
    icon: 'list',
    keys: ['Ctrl+B'],
    run: ({ toggle }) => toggle(),
  },
  open: {
    name: 'Open a file or folder by its path',
    words: 'load import browse log',
    icon: 'open',
    keys: ['o'],
    run: ({ showOpen }) => showOpen(),
  },
  sources: {
    name: 'Opened files and folders: remove them, let agents read them',
    label: 'Opened files and folders',
    words: 'sources delete close',
    icon: 'sources',
    keys: ['O'],
    run: ({ showSources }) => showSources(),
  },
  copyPath: {
    name: 'Copy the path of the open file',
    words: 'clipboard location filename',
    icon: 'copy',
    keys: [],
    when: (list) => shownPath(list) !== null,
    run: (list) => void writeClipboard(shownPath(list)!),
  },
  copyId: {
    name: 'Copy the id of the open output',
    words: 'clipboard name',
    icon: 'copy',
    keys: [],
    when: ({ shown }) => shown !== null,
    run: ({ shown }) => void writeClipboard(shown!),
  },
  reveal: {
    name: 'Show the open file in its folder',
    words: 'reveal finder explorer manager directory location',
    icon: 'open',
    keys: [],
    when: (list) => shownPath(list) !== null,
    run: ({ shown, showInFolder }) => showInFolder(shown!),
  },
  remove: {
    name: 'Delete the open capture; for ten seconds, Ctrl+Z brings it back',
    words: 'remove trash clear',
    icon: 'close',
    // The key works in the list alone: in the text it could be meant for a selection.
    keys: [],
    when: ({ library, shown }) => {
      const artifact = shown === null ? null : library.get(shown);
      return artifact != null && canDelete(artifact);
    },
    run: ({ shown, remove }) => remove([shown!]),
  },
  captures: {
    name: 'Agents’ captures: which are listed, and who may read them',
    label: 'Agents’ captures',
    words: 'sessions',
    icon: 'switches',
    keys: ['A'],
    run: ({ showCaptures }) => showCaptures(),
  },
});

function shownPath({ library, shown }: ListContext): string | null {
  const artifact = shown === null ? null : library.get(shown);
  return artifact ? pathOf(artifact) : null;
}

/** The keys of the list's rows, which work in the filter above it, too. */
export interface RowContext {
  /** The row that keys act on; null in an empty list. */
  row: ListRow | null;
  /** Whether the key was pressed in the filter, where some keys move the caret or are inserted. */
  inField: boolean;
  move(to: 'up' | 'down' | 'page up' | 'page down' | 'first' | 'last'): void;
  fold(row: ListRow, folded: boolean): void;
  /** Opens an artifact or folds a group. */
  enter(row: ListRow): void;
  /** Adds an artifact to those to merge, or removes it. */
  toggleChosen(artifactId: string): void;
  openInTab(artifactId: string): void;
  remove(artifactId: string): void;
}

export const rowActions = declareActions<RowContext>(
  'In the list',
  'control',
)({
  move: {
    name: 'Choose',
    keys: ['↑', '↓', 'Page Up', 'Page Down'],
    run: ({ move }, key) => move(MOVES[key as keyof typeof MOVES]),
  },
  ends: {
    name: 'Choose the first, the last',
    keys: ['Home', 'End'],
    when: ({ inField }) => !inField,
    run: ({ move }, key) => move(key === 'Home' ? 'first' : 'last'),
  },
  enter: {
    name: 'Open and go to the text; fold or unfold a group',
    keys: ['Enter'],
    when: ({ row }) => row !== null,
    run: ({ row, enter }) => row && enter(row),
  },
  space: {
    name: 'Open, fold or unfold, outside the filter',
    keys: ['Space'],
    when: ({ row, inField }) => row !== null && !inField,
    run: ({ row, enter }) => row && enter(row),
  },
  toggleChosen: {
    name: 'Choose, to merge several by time or compare two; so does Shift+click',
    words: 'interleave combine join',
    keys: ['Shift+Enter'],
    when: ({ row }) => row !== null,
    // A group can't be merged.
    run: ({ row, toggleChosen, enter }) => {
      if (row?.entry) toggleChosen(row.entry.id);
      else if (row) enter(row);
    },
  },
  openInTab: {
    name: 'Open in a new tab; so do Ctrl+click and the middle button',
    keys: ['Ctrl+Enter'],
    when: ({ row }) => row?.entry != null,
    run: ({ row, openInTab }) => row?.entry && openInTab(row.entry.id),
  },
  remove: {
    name: 'Delete a capture; for ten seconds, Ctrl+Z brings it back',
    words: 'remove trash clear',
    keys: ['Delete'],
    when: ({ row, inField }) => row?.entry != null && !inField,
    run: ({ row, remove }) => row?.entry && remove(row.entry.id),
  },
  fold: {
    name: 'Fold and unfold a group',
    keys: ['←', '→'],
    when: ({ row, inField }) => row !== null && !inField,
    run: ({ row, fold }, key) => row && fold(row, key === '←'),
  },
});

const MOVES = { '↑': 'up', '↓': 'down', 'Page Up': 'page up', 'Page Down': 'page down' } as const;

declareKeys('In the list', [
  { keys: ['a … z'], name: 'Filter by what you type' },
  { keys: ['Esc'], name: 'Clear the filter or the path, then return to the text' },
]);
