/** Remembers each artifact's filters while other artifacts are shown and after a reload. */
import { sessionStores } from '../ui/state/session-stores.ts';
import type { Filter, FilterWhat } from './filter.ts';

/** Returns the filters of an artifact: the same store for every view of it. */
export const filtersOf = sessionStores<readonly Filter[]>({
  item: 'spillway.filters',
  maxKeys: 100,
  read: (list) =>
    (list as StoredFilter[])
      .filter(({ verb }) => verb)
      .map((filter) => ({ ...filter, what: currentForm(filter.what) })),
  write: (filters) => filters,
});

/** How earlier versions stored a filter by text. */
interface OldText {
  kind: 'text';
  pattern: string;
  regex: boolean;
  caseSensitive: boolean;
}

type StoredFilter = Omit<Filter, 'what'> & { what: FilterWhat | OldText };

function currentForm(what: FilterWhat | OldText): FilterWhat {
  if (!('regex' in what)) return what;
  const { kind, pattern, regex, caseSensitive } = what;
  return { kind, pattern, fixed: !regex, case_sensitive: caseSensitive };
}
