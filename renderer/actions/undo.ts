/** `Ctrl+Z` undoes the last change that can be undone, of any kind. In a text field, the field handles the key. */

import { useEffect } from 'react';
import { declareActions } from './action.ts';
import { useActions } from './registry.ts';

export interface UndoContext {
  /** Null if nothing can be undone. */
  undo: (() => void) | null;
}

export const undoActions = declareActions<UndoContext>(
  'View',
  'page',
)({
  undo: {
    name: 'Undo the last change: a deletion, a removed note, a removed filter',
    words: 'revert restore',
    label: 'Undo',
    keys: ['Ctrl+Z'],
    when: ({ undo }) => undo !== null,
    run: ({ undo }) => undo?.(),
  },
});

/** The last one is of the last change. */
const offers: (() => void)[] = [];

const lastChange: UndoContext = {
  get undo() {
    return offers.at(-1) ?? null;
  },
};

/** Offers to undo `change` until there is another, or `undo` is null. `undo` must keep its identity. */
export function useUndoOffer(undo: (() => void) | null, change: unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a later change comes first
  useEffect(() => {
    if (!undo) return;
    offers.push(undo);
    return () => {
      offers.splice(offers.indexOf(undo), 1);
    };
  }, [undo, change]);
}

/** Called once, by the window. */
export function useUndoKey(): void {
  useActions(undoActions, lastChange);
}
