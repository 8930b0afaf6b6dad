/** The artifacts chosen in the list, to be merged: in the order they were chosen. */
import { useSyncExternalStore } from 'react';
import { isMergedId, MAX_MERGED } from '../../../shared/merged.ts';
import { createStore } from '../../ui/state/store.ts';

const chosen = createStore<readonly string[]>([]);

export function useChosen(): readonly string[] {
  return useSyncExternalStore(chosen.subscribe, chosen.get);
}

/** Chooses an artifact, or takes it back. The first choice also includes the open artifact, as in other lists. */
export function toggleChosen(id: string, open: string | null): void {
  const now = chosen.get();
  const first = now.length === 0 && open !== null && !isMergedId(open) ? [open] : now;
  if (isMergedId(id)) return;
  if (now.includes(id)) chosen.set(now.filter((each) => each !== id));
  else if (first.includes(id)) chosen.set(first);
  else if (first.length < MAX_MERGED) chosen.set([...first, id]);
}

export function clearChosen(): void {
  chosen.set([]);
}
