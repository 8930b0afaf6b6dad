/** The keys of the results: choosing, selecting and copying rows, and the context around matches. */
import { MAX_RESULT_CONTEXT } from '../../../shared/limits.ts';
import { declareActions } from '../../commands/action.ts';
import type { Copying } from '../../viewer/selection/use-copy.ts';
import { extendSelection, type SelectableRows, selectAll } from '../../viewer/text-moves.ts';

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

export const resultActions = declareActions<ResultsContext>()({
  choose: {
    name: 'Choose a match',
    keys: ['↑', '↓', 'Page Up', 'Page Down', 'Home', 'End'],
    group: 'In the results',
    where: 'control',
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
    group: 'In the results',
    where: 'control',
    run: ({ chosen, show }) => show(chosen),
  },
  sideways: {
    name: 'Sideways',
    keys: ['←', '→'],
    group: 'In the results',
    where: 'control',
    run: ({ moveSideways }, key) => moveSideways(key === '←' ? -1 : 1),
  },
  select: {
    name: 'Select results',
    keys: ['Shift+↑', 'Shift+↓', 'Shift+Page Up', 'Shift+Page Down', 'Shift+Home', 'Shift+End'],
    group: 'In the results',
    where: 'control',
    run: (results, key) => extendSelection(results, rowsOf(results, key), results.chosen + 1),
  },
  selectAll: {
    name: 'Select all results',
    keys: ['Ctrl+A'],
    group: 'In the results',
    where: 'control',
    run: selectAll,
  },
  copy: {
    name: 'Copy the selected results, or the chosen one',
    keys: ['Ctrl+C'],
    group: 'In the results',
    where: 'control',
    run: ({ copy, selection, chosen }) => copy.copy(selection ?? { anchor: chosen + 1, focus: chosen + 1 }),
  },
  clear: {
    name: 'Clear the selection',
    keys: ['Esc'],
    group: 'In the results',
    where: 'control',
    when: ({ selection }) => selection !== null,
    run: ({ select }) => select(null),
  },
});

export interface ContextChoice {
  disabled: boolean;
  onChoose: (lines: number) => void;
}

export const contextActions = declareActions<ContextChoice>()({
  context: {
    name: 'Lines of context around each match',
    keys: Array.from({ length: MAX_RESULT_CONTEXT + 1 }, (_, lines) => String(lines)),
    group: 'In the results',
    where: 'control',
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
