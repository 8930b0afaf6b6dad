/** How far a search has come. */
import type { OpenSearch } from './open-search.ts';

/** True once the host reported progress or an error. */
export function hasTold(search: OpenSearch): boolean {
  const { state, error } = search.snapshot();
  return state !== null || error !== null;
}

/** True once there is something to show: its first rows, that there are none so far, or an error. */
export function isReady(search: OpenSearch): boolean {
  const { state, error, total } = search.snapshot();
  return error !== null || (state !== null && (total === 0 || search.rows.row(0) !== undefined));
}

/** True when it found something, searched everything, or failed. */
export function isSettled(search: OpenSearch): boolean {
  const { state, error } = search.snapshot();
  return error !== null || (state !== null && (state.done || state.match_count > 0));
}

/** True when the pattern is invalid: the field says so, and nothing else changes. */
export function isBadPattern(search: OpenSearch): boolean {
  const { state, error } = search.snapshot();
  return state === null && error?.code === 'usage';
}
