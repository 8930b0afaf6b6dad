/** Remembers how the list is grouped, and until the window closes, which groups were folded or unfolded. */
import { createStore } from '../../ui/state/store.ts';
import { stored, storeText } from '../../ui/state/stored.ts';
import type { GroupBy } from './group-of.ts';

const KEY = 'spillway.groupBy';
const CHOICES: readonly GroupBy[] = ['session', 'source', 'nothing'];

export const groupings = createStore<GroupBy>(groupByFrom(stored(KEY)));
export const foldings = createStore<ReadonlyMap<string, boolean>>(new Map());

export function chooseGrouping(groupBy: GroupBy): void {
  storeText(KEY, groupBy);
  groupings.set(groupBy);
}

export function nextGrouping(groupBy: GroupBy): GroupBy {
  return CHOICES[(CHOICES.indexOf(groupBy) + 1) % CHOICES.length] ?? groupBy;
}

export function fold(key: string, folded: boolean): void {
  foldings.set(new Map(foldings.get()).set(key, folded));
}

/** Parses the stored grouping; by session if it is invalid. */
export function groupByFrom(text: string | null): GroupBy {
  return CHOICES.find((choice) => choice === text) ?? 'session';
}
