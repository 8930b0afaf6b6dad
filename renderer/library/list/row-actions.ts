/** The keys of the list's rows, which work in the filter above it, too. */
import { declareActions, declareKeys } from '../../commands/action.ts';
import type { ListRow } from './list-layout.ts';

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
}

export const rowActions = declareActions<RowContext>()({
  move: {
    name: 'Choose',
    keys: ['↑', '↓', 'Page Up', 'Page Down'],
    group: 'In the list',
    where: 'control',
    run: ({ move }, key) => move(MOVES[key as keyof typeof MOVES]),
  },
  ends: {
    name: 'Choose the first, the last',
    keys: ['Home', 'End'],
    group: 'In the list',
    where: 'control',
    when: ({ inField }) => !inField,
    run: ({ move }, key) => move(key === 'Home' ? 'first' : 'last'),
  },
  enter: {
    name: 'Open and go to the text; fold or unfold a group',
    keys: ['Enter'],
    group: 'In the list',
    where: 'control',
    when: ({ row }) => row !== null,
    run: ({ row, enter }) => row && enter(row),
  },
  space: {
    name: 'Open, fold or unfold, outside the filter',
    keys: ['Space'],
    group: 'In the list',
    where: 'control',
    when: ({ row, inField }) => row !== null && !inField,
    run: ({ row, enter }) => row && enter(row),
  },
  toggleChosen: {
    name: 'Choose, to merge several by time; so does Shift+click',
    keys: ['Shift+Enter'],
    group: 'In the list',
    where: 'control',
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
    group: 'In the list',
    where: 'control',
    when: ({ row }) => row?.entry != null,
    run: ({ row, openInTab }) => row?.entry && openInTab(row.entry.id),
  },
  fold: {
    name: 'Fold and unfold a group',
    keys: ['←', '→'],
    group: 'In the list',
    where: 'control',
    when: ({ row, inField }) => row !== null && !inField,
    run: ({ row, fold }, key) => row && fold(row, key === '←'),
  },
});

const MOVES = { '↑': 'up', '↓': 'down', 'Page Up': 'page up', 'Page Down': 'page down' } as const;

declareKeys('In the list', [
  { keys: ['a … z'], name: 'Filter by what you type' },
  { keys: ['Esc'], name: 'Clear the filter or the path, then return to the text' },
]);
