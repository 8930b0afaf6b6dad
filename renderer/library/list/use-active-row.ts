/** Holds the active row of the list: the one that keys act on. */
import { useRef, useState } from 'react';
import type { LibraryStore } from '../library-store.ts';
import type { ListLayout, ListRow } from './list-layout.ts';

/** Rows are identified by name, as their indexes change. */
export type RowName = { artifact: string } | { group: string };

export function useActiveRow(library: LibraryStore, layout: ListLayout) {
  const [name, setActive] = useState<RowName | null>(null);
  const last = useRef(0);
  const active = activeRow(layout, library, name, last.current);
  last.current = active;
  return { active, setActive };
}

/** Returns the row of that name; if it was removed, the row now in its place, or the first artifact. */
function activeRow(layout: ListLayout, library: LibraryStore, name: RowName | null, before: number): number {
  const entry = name && 'artifact' in name ? library.entry(name.artifact) : null;
  const heading = name && 'group' in name ? layout.rowOfHeading(name.group) : -1;
  const row = entry ? layout.rowOf(entry) : heading;
  if (row >= 0) return row;
  const near = name === null || entry ? 0 : Math.min(before, layout.rows - 1);
  return layout.at(near)?.entry === null && layout.at(near + 1)?.entry ? near + 1 : Math.max(0, near);
}

export function rowNameOf({ entry, group }: ListRow): RowName {
  return entry ? { artifact: entry.id } : { group: group.key };
}
