/** Holds the filter of the list, and returns what passes it, in groups. */
import { useDeferredValue, useMemo, useState, useSyncExternalStore } from 'react';
import type { LibraryStore } from '../library-store.ts';
import { filterWords } from './filter-match.ts';
import { groupedList, type Only } from './list-groups.ts';
import { ListLayout } from './list-layout.ts';
import { foldings, groupings } from './list-settings.ts';

export type FilteredList = ReturnType<typeof useFilteredList>;

/** @param structure changes when artifacts come, go or move */
export function useFilteredList(library: LibraryStore, structure: unknown) {
  const [typed, setTyped] = useState('');
  const [only, setOnly] = useState<Only>('all');
  const [agent, setAgent] = useState<string | null>(null);
  const groupBy = useSyncExternalStore(groupings.subscribe, groupings.get);
  const folded = useSyncExternalStore(foldings.subscribe, foldings.get);
  // Keep typing responsive; the results follow.
  const query = useDeferredValue(typed);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the structure is what the answer depends on
  const found = useMemo(
    () => groupedList(library.sorted, { groupBy, query, only, agent, folded }),
    [library, structure, groupBy, query, only, agent, folded],
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
