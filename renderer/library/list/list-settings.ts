/** How the list is grouped, which groups are folded, the artifacts chosen to be merged, and the filter. */

import { useDeferredValue, useMemo, useState } from 'react';
import { isMergedId, MAX_MERGED } from '../../../shared/artifact.ts';
import { createStore, persisted, useStore } from '../../ui/state/store.ts';
import { useNow } from '../../ui/state/time.ts';
import { localDay } from '../../ui/text/format.ts';
import type { LibraryStore } from '../library-store.ts';
import { filterWords } from './filter-match.ts';
import { GROUPINGS, type GroupBy, groupedList, ListLayout, type Only } from './list-groups.ts';

export const groupings = persisted('spillway.groupBy', groupByFrom);
const foldings = createStore<ReadonlyMap<string, boolean>>(new Map());

export const chooseGrouping = groupings.set;

export function nextGrouping(groupBy: GroupBy): GroupBy {
  return GROUPINGS[(GROUPINGS.indexOf(groupBy) + 1) % GROUPINGS.length] ?? groupBy;
}

export function fold(key: string, folded: boolean): void {
  foldings.set(new Map(foldings.get()).set(key, folded));
}

/** Parses the stored grouping; by session if it is invalid. */
export function groupByFrom(text: string | null): GroupBy {
  return GROUPINGS.find((choice) => choice === text) ?? 'session';
}

/** The artifacts chosen in the list, to be merged: in the order they were chosen. */
const chosen = createStore<readonly string[]>([]);

export function useChosen(): readonly string[] {
  return useStore(chosen);
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

const MINUTE_MS = 60_000;

/** Holds the filter of the list, and returns what passes it, in groups. */
export type FilteredList = ReturnType<typeof useFilteredList>;

/** @param structure changes when artifacts come, go or move */
export function useFilteredList(library: LibraryStore, structure: unknown) {
  const [typed, setTyped] = useState('');
  const [only, setOnly] = useState<Only>('all');
  const [agent, setAgent] = useState<string | null>(null);
  const groupBy = useStore(groupings);
  const folded = useStore(foldings);
  const today = localDay(new Date(useNow(MINUTE_MS, groupBy === 'day')));
  // Keep typing responsive; the results follow.
  const query = useDeferredValue(typed);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the structure is what the answer depends on
  const found = useMemo(
    () => groupedList(library.sorted, { groupBy, query, only, agent, folded, today }),
    [library, structure, groupBy, query, only, agent, folded, today],
  );
  const words = useMemo(() => filterWords(query), [query]);
  const layout = useMemo(() => new ListLayout(found.groups, groupBy), [found, groupBy]);
  const clear = () => {
    setTyped('');
    setOnly('all');
    setAgent(null);
  };
  return {
    typed,
    setTyped,
    only,
    setOnly,
    agent,
    setAgent,
    query,
    words,
    found,
    layout,
    /** Changes with the filter and the grouping. */
    question: `${groupBy} ${only} ${agent} ${query}`,
    isFiltered: typed !== '' || only !== 'all' || agent !== null,
    clear,
  };
}
