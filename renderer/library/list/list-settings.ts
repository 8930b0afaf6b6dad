/** Remembers how the list is grouped, and until the window closes, which groups were folded or unfolded. */
import { createStore } from '../../ui/state/store.ts';
import { stored, storeText } from '../../ui/state/stored.ts';
import { GROUPINGS, type GroupBy } from './group-of.ts';

const KEY = 'spillway.groupBy';

export const groupings = createStore<GroupBy>(groupByFrom(stored(KEY)));
export const foldings = createStore<ReadonlyMap<string, boolean>>(new Map());

export function chooseGrouping(groupBy: GroupBy): void {
  storeText(KEY, groupBy);
  groupings.set(groupBy);
}

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
