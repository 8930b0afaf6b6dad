/** Tells statuses of artifacts apart, for code that loads no schemas, such as `spillway run`. */
import type { Status } from './artifact.ts';

/** Whether it failed, timed out or was interrupted; not if a person cancelled it. */
export function isFailure(status: Status): boolean {
  return FAILURES.has(status);
}

const FAILURES: ReadonlySet<Status> = new Set(['failed', 'timed_out', 'interrupted']);
