/** Lets memoised components keep what they drew while other parts of the same hooks change at each key. */
import { useState } from 'react';

type Call = (...args: unknown[]) => unknown;

/**
 * Returns the same object from render to render until one of its values is another. A function counts as unchanged:
 * each function of the returned object calls the one given last.
 *
 * A component that draws what a function returns must also get a value that changes with it.
 */
export function useSteady<Values extends object>(values: Values): Values {
  const [steady] = useState(() => new Steady<Values>());
  return steady.next(values);
}

/** Holds the object that `useSteady` returns. */
export class Steady<Values extends object> {
  private latest: object = {};
  private kept: Values | null = null;
  private readonly calls: Record<string, Call> = {};

  next(values: Values): Values {
    this.latest = values;
    if (this.kept && isSame(this.kept, values)) return this.kept;
    const entries = Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'function' ? this.callLatest(name) : value,
    ]);
    this.kept = Object.fromEntries(entries) as Values;
    return this.kept;
  }

  /** Does nothing once the function of that name was removed. */
  private callLatest(name: string): Call {
    this.calls[name] ??= (...args) => {
      const call = (this.latest as Record<string, unknown>)[name];
      return typeof call === 'function' ? call(...args) : undefined;
    };
    return this.calls[name];
  }
}

function isSame(kept: object, next: object): boolean {
  const before = Object.entries(kept);
  const now = new Map<string, unknown>(Object.entries(next));
  return (
    before.length === now.size &&
    before.every(([name, value]) => {
      const other = now.get(name);
      return typeof value === 'function' ? typeof other === 'function' : Object.is(value, other);
    })
  );
}
