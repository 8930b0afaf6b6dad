/** Remembers each artifact's filters in sessionStorage, while other artifacts are shown and after a reload. */
import { createStore, type Store } from '../ui/state/store.ts';
import type { Filter } from './filter.ts';

const KEY = 'spillway.filters';
const MAX_ARTIFACTS = 100;

const stores = new Map<string, Store<readonly Filter[]>>();

/** Returns the filters of an artifact: the same store for every view of it. */
export function filtersOf(artifactId: string): Store<readonly Filter[]> {
  const known = stores.get(artifactId);
  if (known) return known;
  const store = createStore<readonly Filter[]>((readAll()[artifactId] ?? []).filter(({ verb }) => verb));
  store.subscribe(writeAll);
  stores.set(artifactId, store);
  return store;
}

function readAll(): Record<string, readonly Filter[]> {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Record<string, Filter[]>) : {};
  } catch {
    return {};
  }
}

function writeAll(): void {
  const now = Object.fromEntries([...stores].map(([id, store]) => [id, store.get()]));
  const all = Object.entries({ ...readAll(), ...now }).filter(([, filters]) => filters.length > 0);
  try {
    sessionStorage.setItem(KEY, JSON.stringify(Object.fromEntries(all.slice(-MAX_ARTIFACTS))));
  } catch {
    // Without storage, they last until the window closes.
  }
}
