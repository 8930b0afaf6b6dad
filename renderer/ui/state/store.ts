/** Values with listeners, some of which outlive the page in localStorage or sessionStorage. */

import { useSyncExternalStore } from 'react';

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

/** Returns the value of a store, and renders again when it changes. */
export function useStore<T>({ subscribe, get }: Pick<Store<T>, 'subscribe' | 'get'>): T {
  return useSyncExternalStore(subscribe, get);
}

/** Resolves to the first value that `read` returns, now or after a change; to undefined after `ms` milliseconds. */
export function firstValue<T>(
  subscribe: Store<unknown>['subscribe'],
  read: () => T | undefined,
  ms: number,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    const check = () => {
      const value = read();
      if (value !== undefined) finish(value);
    };
    const unsubscribe = subscribe(check);
    const timer = setTimeout(() => finish(undefined), ms);
    const finish = (value: T | undefined) => {
      unsubscribe();
      clearTimeout(timer);
      resolve(value);
    };
    check();
  });
}

/** Returns a text from localStorage; null without one or without storage. */
export function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Keeps a small text in localStorage; without storage, nothing. */
export function storeText(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
  } catch {
    // Nothing else depends on it.
  }
}

/**
 * A store that outlasts the window in localStorage: texts as they are, other values as JSON.
 * @param read returns the value of the stored text, which may be missing, invalid or from an earlier version
 * @param isShared whether changes of other windows are followed
 */
export function persisted<T>(key: string, read: (text: string | null) => T, isShared = false): Store<T> {
  const store = createStore(read(stored(key)));
  if (isShared && typeof window !== 'undefined') {
    window.addEventListener('storage', (event) => {
      if (event.key === key) store.set(read(event.newValue));
    });
  }
  const set = (value: T): void => {
    storeText(key, typeof value === 'string' ? value : JSON.stringify(value));
    store.set(value);
  };
  return { ...store, set };
}

/** Parses stored JSON; null if it is missing or invalid. */
export function jsonOf(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
}

/** Parses a stored object; one without properties if it is missing or invalid. */
export function recordOf(text: string | null): Readonly<Record<string, unknown>> {
  return Object(jsonOf(text));
}

/** Returns a stored number within bounds; null if it is none. */
export function wholeNumberIn(value: unknown, low: number, high: number): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= low && value <= high ? value : null;
}

// Stores that outlive a reload: one for each key, such as an artifact, all in one item of sessionStorage.

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
    storeForSession(item, JSON.stringify(Object.fromEntries(all.slice(-maxKeys))));
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
  const all = recordOf(storedForSession(item));
  return Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1])),
  );
}

/** Returns a text from sessionStorage; null without one or without storage. */
export function storedForSession(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Keeps a text until the window closes; without storage, until a reload. */
export function storeForSession(key: string, text: string): void {
  try {
    sessionStorage.setItem(key, text);
  } catch {
    // What it restores is lost at a reload.
  }
}
