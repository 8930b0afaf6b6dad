/** Stores that outlive a reload: one for each key, such as an artifact, all in one item of sessionStorage. */
import { createStore, type Store } from './store.ts';

interface SessionStoresOptions<Value> {
  /** The item's name. */
  item: string;
  /** Most keys to remember. */
  maxKeys: number;
  /** Takes what was stored, which may be from an earlier version; an empty list if nothing was. */
  read(list: readonly unknown[]): Value;
  /** An empty list is not stored. */
  write(value: Value): readonly unknown[];
}

/** Returns a function from a key to its store, the same one for every caller. */
export function sessionStores<Value>({ item, maxKeys, read, write }: SessionStoresOptions<Value>) {
  const stores = new Map<string, Store<Value>>();
  const writeAll = (): void => {
    const now = Object.fromEntries([...stores].map(([key, store]) => [key, write(store.get())]));
    const all = Object.entries({ ...readLists(item), ...now }).filter(([, list]) => list.length > 0);
    try {
      sessionStorage.setItem(item, JSON.stringify(Object.fromEntries(all.slice(-maxKeys))));
    } catch {
      // Without storage, they last until the window closes.
    }
  };
  return (key: string): Store<Value> => {
    const known = stores.get(key);
    if (known) return known;
    const store = createStore<Value>(read(readLists(item)[key] ?? []));
    store.subscribe(writeAll);
    stores.set(key, store);
    return store;
  };
}

function readLists(item: string): Record<string, readonly unknown[]> {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(item) ?? '{}');
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(Object.entries(value).filter(([, list]) => Array.isArray(list)));
  } catch {
    return {};
  }
}
