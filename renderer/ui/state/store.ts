/** Values with listeners, some of which outlive the page in localStorage or sessionStorage. */

/** A value with listeners, for state that changes too often or too far away for a component. */
export interface Store<T> {
  get: () => T;
  set: (value: T) => void;
  subscribe: (listener: () => void) => () => void;
}

/** A subscription for `useSyncExternalStore` while there is no store. */
export const noSubscription = () => () => {};

/** @param isSame true for values of which listeners are not notified */
export function createStore<T>(initial: T, isSame: (a: T, b: T) => boolean = Object.is): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      if (isSame(next, value)) return;
      value = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

/** Stores small texts in localStorage; without storage, until the window closes. */
export function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function storeText(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
  } catch {
    // Ignore the error: nothing else depends on it.
  }
}

/** Stores that outlive a reload: one for each key, such as an artifact, all in one item of sessionStorage. */
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
