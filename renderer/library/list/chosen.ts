/** The artifacts chosen in the list, to be merged: in the order they were chosen. */
import { useSyncExternalStore } from 'react';
import { MAX_MERGED } from '../../../shared/merged.ts';
import { createStore } from '../../ui/state/store.ts';

const chosen = createStore<readonly string[]>([]);

export function useChosen(): readonly string[] {
  return useSyncExternalStore(chosen.subscribe, chosen.get);
}

/** Chooses an artifact, or takes it back. */
export function choose(id: string): void {
  const now = chosen.get();
  if (now.includes(id)) chosen.set(now.filter((each) => each !== id));
  else if (now.length < MAX_MERGED) chosen.set([...now, id]);
}

export function clearChosen(): void {
  chosen.set([]);
}
