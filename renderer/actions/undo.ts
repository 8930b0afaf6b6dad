/**
 * `Ctrl+Z` undoes the last change, and then those before it. In a text field, the field handles the key. A change of an
 * artifact's filters or folds is undone while that artifact is shown.
 */

import { useEffect, useRef } from 'react';
import { declareActions } from './action.ts';
import { useActions, useIsInScope } from './registry.ts';

export interface UndoContext {
  /** Null if nothing can be undone. */
  undo: (() => void) | null;
}

export const undoActions = declareActions<UndoContext>(
  'View',
  'page',
)({
  undo: {
    name: 'Undo the last change: a deletion, a removed note, a filter, a fold',
    words: 'revert restore',
    label: 'Undo',
    keys: ['Ctrl+Z'],
    when: ({ undo }) => undo !== null,
    run: ({ undo }) => undo?.(),
  },
});

interface Change {
  /** The key of the artifact that was changed; null for changes outside of artifacts, which can always be undone. */
  of: string | null;
  undo: () => void;
  part: string | null;
}

const MOST_CHANGES = 100;
const changes: Change[] = [];

function forget(undo: () => void): void {
  const at = changes.findLastIndex((change) => change.undo === undo);
  if (at >= 0) changes.splice(at, 1);
}

/**
 * Records a change that `undo` takes back; returns `undo`, for the message that reports the change. Changes of the same
 * `part` in a row, such as letters of a pattern, are one step.
 */
export function recordChange(of: string | null, undo: () => void, part: string | null = null): () => void {
  const last = lastChange(of);
  if (last && part !== null && last.part === part) return last.undo;
  changes.push({ of, undo, part });
  if (changes.length > MOST_CHANGES) changes.shift();
  return undo;
}

/** Ends the changes of a part: the next one is another step. Forgets them if they came to nothing. */
export function endPart(of: string, part: string, isNothing: boolean): void {
  const last = lastChange(of);
  if (last?.part !== part) return;
  if (isNothing) forget(last.undo);
  else last.part = null;
}

function lastChange(of: string | null): Change | undefined {
  return changes.findLast((change) => change.of === null || change.of === of);
}

/** Returns what `Ctrl+Z` does next while the artifact is shown. */
export function lastUndo(of: string): (() => void) | undefined {
  return lastChange(of)?.undo;
}

/** The artifact in the pane with the focus. */
let shown: { of: string; onUndone: () => void } | null = null;

const context: UndoContext = {
  get undo() {
    const { of = null, onUndone } = shown ?? {};
    const last = lastChange(of);
    if (!last) return null;
    return () => {
      forget(last.undo);
      last.undo();
      onUndone?.();
    };
  },
};

/** Lets `Ctrl+Z` undo the changes of an artifact while it is shown in the pane with the focus. */
export function useUndoOf(of: string, onUndone: () => void): UndoContext {
  const isInScope = useIsInScope();
  const latest = useRef(onUndone);
  latest.current = onUndone;
  useEffect(() => {
    if (!isInScope) return;
    const mine = { of, onUndone: () => latest.current() };
    shown = mine;
    return () => {
      if (shown === mine) shown = null;
    };
  }, [of, isInScope]);
  return context;
}

/** Offers to undo `change` until there is another, or `undo` is null. `undo` must keep its identity. */
export function useUndoOffer(undo: (() => void) | null, change: unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a later change comes first
  useEffect(() => {
    if (!undo) return;
    recordChange(null, undo);
    return () => forget(undo);
  }, [undo, change]);
}

/** Called once, by the window. */
export function useUndoKey(): void {
  useActions(undoActions, context);
}
