/** Remembers the unfolded lines of each text, also after a reload. */
import { sessionStores } from '../../../ui/state/session-stores.ts';
import type { Store } from '../../../ui/state/store.ts';

/** Most unfolded lines in one text. */
export const MAX_UNFOLDED = 1000;

export type Unfolded = ReadonlySet<number>;

export const NONE_UNFOLDED: Unfolded = new Set();

/** Returns the unfolded lines of a stream: the same store for every view of it. */
export const unfoldedOf = sessionStores<Unfolded>({
  item: 'spillway.unfolded',
  maxKeys: 50,
  read: (list) => new Set(list as number[]),
  write: (lines) => [...lines],
});

/** Unfolds the lines, or folds them if all are unfolded. */
export function toggleUnfolded(store: Store<Unfolded>, lines: readonly number[]): void {
  const next = new Set(store.get());
  const isFolding = lines.every((line) => next.has(line));
  for (const line of lines) isFolding ? next.delete(line) : next.add(line);
  store.set(new Set([...next].slice(-MAX_UNFOLDED)));
}
