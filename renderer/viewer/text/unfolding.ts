/** Holds which JSON lines of the shown text are unfolded. */

import { useEffect, useMemo, useRef } from 'react';
import type { DocumentState } from '../../../shared/api/rows.ts';
import { createStore, type Store, sessionStores, useStore } from '../../ui/state/store.ts';
import { useSteady } from '../../ui/state/use-steady.ts';

/** Key of the action that unfolds, for `viewer-actions.ts` and the button on a line. */
export const UNFOLD_KEY = 'u';

export interface Unfolding {
  lines: Unfolded;
  /** Unfolds the lines, or folds them if all are unfolded. */
  toggle(lines: readonly number[]): void;
  foldAll(): void;
}

/** @param state of the shown stream; null until known */
export function useUnfolding(state: DocumentState | null): Unfolding {
  const text = state && `${state.artifact.artifact_id} ${state.stream}`;
  const store = useMemo(
    () => (text === null ? createStore<Unfolded>(NONE_UNFOLDED) : unfoldedOf(text)),
    [text],
  );
  const lines = useStore(store);
  const generation = state?.generation ?? null;
  const shown = useRef({ store, generation });
  useEffect(() => {
    const last = shown.current;
    shown.current = { store, generation };
    // Another text has other lines at these numbers.
    const isReplaced = last.store === store && last.generation !== null && last.generation !== generation;
    if (isReplaced && generation !== null) store.set(NONE_UNFOLDED);
  }, [store, generation]);
  return useSteady({
    lines,
    toggle: (chosen: readonly number[]) => toggleUnfolded(store, chosen),
    foldAll: () => store.set(NONE_UNFOLDED),
  });
}

/** Most unfolded lines in one text. */
export const MAX_UNFOLDED = 1000;

type Unfolded = ReadonlySet<number>;

export const NONE_UNFOLDED: Unfolded = new Set();

/** Returns the unfolded lines of a stream: the same store for every view of it. */
const unfoldedOf = sessionStores<Unfolded>({
  item: 'spillway.unfolded',
  maxKeys: 50,
  read: (list) => new Set(list as number[]),
  write: (lines) => [...lines],
});

/** Unfolds the lines, or folds them if all are unfolded. */
function toggleUnfolded(store: Store<Unfolded>, lines: readonly number[]): void {
  const next = new Set(store.get());
  const isFolding = lines.every((line) => next.has(line));
  for (const line of lines) isFolding ? next.delete(line) : next.add(line);
  store.set(new Set([...next].slice(-MAX_UNFOLDED)));
}
