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
