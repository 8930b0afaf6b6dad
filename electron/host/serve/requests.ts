/** Checks a request of the window, and has the host's method of its name answer it. */
import type * as z from 'zod';
import { type Hello, requests } from '../../../shared/api/api.ts';
import { clip, firstProblem } from '../../../shared/api/wire.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { nearest } from '../../../shared/text/nearest.ts';
import type { Host, RequestOptions } from '../host.ts';

/** A request that was found valid and only waits to be done. */
export type Work = (signal: AbortSignal) => Promise<unknown>;

/** Errors: `usage` for a name that is not known and for parameters that are not of its schema. */
export function prepareRequest(name: string, params: unknown, host: Host, hello: Hello): Work {
  const known = knownName('request', name, requests);
  const valid = validParams(known, params, requests[known].params);
  const answer = (known === 'hello' ? async () => hello : host[known]) as (
    params: unknown,
    options: RequestOptions,
  ) => Promise<unknown>;
  // Async, so that a host that throws at once is a rejection like any other.
  return async (signal) => answer(valid, { signal });
}

/** `name` as one of the table's own keys. Errors: `usage`, with the nearest. */
export function knownName<N extends string>(what: string, name: string, table: Record<N, unknown>): N {
  // Not `in`: `__proto__` and `constructor` name no request.
  if (Object.hasOwn(table, name)) return name as N;
  const given = clip(name, 64);
  const [near] = nearest(given, Object.keys(table), 1);
  throw new SpillwayError(
    'usage',
    `There is no ${what} called ${JSON.stringify(given)}`,
    near === undefined ? 'reload the window: it may be of another version' : `the nearest is ${near}`,
  );
}

/** Errors: `usage`, with the first thing that is wrong. */
export function validParams<S extends z.ZodType>(name: string, params: unknown, schema: S): z.output<S> {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  throw new SpillwayError('usage', `The parameters of ${name} are not valid`, firstProblem(parsed.error));
}
