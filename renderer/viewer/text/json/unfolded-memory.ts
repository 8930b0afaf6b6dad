/** Remembers the unfolded lines of each text in sessionStorage. */
import { createStore, type Store } from '../../../ui/state/store.ts';

const KEY = 'spillway.unfolded';
const MAX_TEXTS = 50;
/** Most unfolded lines in one text. */
export const MAX_UNFOLDED = 1000;

export type Unfolded = ReadonlySet<number>;

export const NONE_UNFOLDED: Unfolded = new Set();

const stores = new Map<string, Store<Unfolded>>();

/** Returns the unfolded lines of a stream: the same store for every view of it. */
export function unfoldedOf(text: string): Store<Unfolded> {
  const known = stores.get(text);
  if (known) return known;
  const store = createStore<Unfolded>(new Set(readAll()[text] ?? []));
  store.subscribe(writeAll);
  stores.set(text, store);
  return store;
}

/** Unfolds the lines, or folds them if all are unfolded. */
export function toggleUnfolded(store: Store<Unfolded>, lines: readonly number[]): void {
  const next = new Set(store.get());
  const isFolding = lines.every((line) => next.has(line));
  for (const line of lines) isFolding ? next.delete(line) : next.add(line);
  store.set(new Set([...next].slice(-MAX_UNFOLDED)));
}

function readAll(): Record<string, readonly number[]> {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '{}');
    if (typeof value !== 'object' || value === null) return {};
    const lists = Object.entries(value).filter(([, lines]) => Array.isArray(lines));
    return Object.fromEntries(lists) as Record<string, number[]>;
  } catch {
    return {};
  }
}

function writeAll(): void {
  const now = Object.fromEntries([...stores].map(([text, store]) => [text, [...store.get()]]));
  const all = Object.entries({ ...readAll(), ...now }).filter(([, lines]) => lines.length > 0);
  try {
    sessionStorage.setItem(KEY, JSON.stringify(Object.fromEntries(all.slice(-MAX_TEXTS))));
  } catch {
    // Without storage, they last until the window closes.
  }
}
