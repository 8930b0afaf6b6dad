/** Words for a search: how many lines matched, its progress, its warnings. */

import type { SpillwayError } from '../../shared/errors.ts';
import type { SearchQuery } from '../../shared/search-query.ts';
import { formatCount, plural } from '../../shared/text/format.ts';
import { formatPercent, sentence } from '../ui/text/format.ts';
import type { SearchSnapshot } from './open-search.ts';
import { barActions } from './search-actions.ts';

/** Returns `3 of 1,234`, `1,234 matching lines`, `No matching line`, `Cancelled`; null while unknown. */
export function countWords(snapshot: SearchSnapshot, index: number | null): string | null {
  const { state, error, cancelled, total } = snapshot;
  if (error && total === 0) return 'Not searched';
  if (!state) return cancelled ? 'Cancelled' : null;
  if (index !== null) return `${formatCount(index + 1)} of ${formatCount(total)}${soFar(snapshot)}`;
  if (total === 0) {
    if (isSearching(snapshot) || (cancelled && !state.done)) return 'None found so far';
    return state.timed_out ? 'None found in what was searched' : 'No matching line';
  }
  return `${plural(total, 'matching line')}${soFar(snapshot)}`;
}

/** `No line matches “a”`, or `No line found by “b” › not “c” matches “a”` for a search within others. */
export function nothingFound({ pattern, invert, within = [] }: SearchQuery): string {
  const others = within.map((term) => `${term.invert ? 'not ' : ''}“${term.pattern}”`).join(' › ');
  const lines = others === '' ? 'line' : `line found by ${others}`;
  return `${invert ? 'Every' : 'No'} ${lines} matches “${pattern}”`;
}

function soFar(snapshot: SearchSnapshot): string {
  return isSearching(snapshot) || (snapshot.cancelled && snapshot.state?.done === false) ? ' so far' : '';
}

export function isSearching({ state, error, cancelled, caughtUp }: SearchSnapshot): boolean {
  return !cancelled && error === null && (state === null || (!state.done && !caughtUp));
}

export function progressWords({ state }: SearchSnapshot): string {
  return state ? formatPercent(state.searched_bytes, state.total_bytes) : '0 %';
}

/** Warnings that the count alone would hide. */
export function warnings({ state, cancelled }: SearchSnapshot): string[] {
  if (!state) return [];
  return [
    ...(state.timed_out
      ? [
          'Timed out: the pattern took too long on part of the text, and that part was skipped. Simplify the pattern.',
        ]
      : []),
    ...(cancelled && !state.done
      ? [`Cancelled at ${formatPercent(state.searched_bytes, state.total_bytes)}: the rest was not searched.`]
      : []),
    ...(state.in_parts
      ? ['Lines over 4 MiB were searched in overlapping parts: a longer match may be missed.']
      : []),
  ];
}

/** `Not a valid regular expression: unterminated group. Alt+R searches for it as plain text.` */
export function patternProblem({ what }: SpillwayError, { fixed }: { fixed: boolean }): string {
  if (fixed) return sentence(what);
  // The field shows the pattern; give only the reason.
  const why = /is not a valid pattern, (.*)$/s.exec(what)?.[1];
  if (why === undefined) return sentence(what);
  return `Not a valid regular expression: ${sentence(why.replace(/^because /, '')).replace(/^./, (first) => first.toLowerCase())} ${barActions.regex.keys[0]} searches for it as plain text.`;
}
