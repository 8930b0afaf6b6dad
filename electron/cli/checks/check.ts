/** One finding of `spillway doctor`, and what it means for using Spillway here. */
export interface Check {
  readonly name: string;
  /** `warn`: something works less well; `fail`: something does not work. */
  readonly status: 'ok' | 'warn' | 'fail';
  readonly found: string;
  /** Advice; null when there is nothing to do. */
  readonly todo: string | null;
}

export function ok(name: string, found: string): Check {
  return { name, status: 'ok', found, todo: null };
}

export function warn(name: string, found: string, todo: string): Check {
  return { name, status: 'warn', found, todo };
}

export function fail(name: string, found: string, todo: string): Check {
  return { name, status: 'fail', found, todo };
}
