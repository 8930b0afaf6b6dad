/** Writes notes on a view for standard error: which lines are clipped or missing, and how to get them. */
import type { ViewMode } from '../../../shared/arguments/argument.ts';
import {
  type FailureView,
  type GrepView,
  type InspectParams,
  type LinesView,
  NO_CAUSE_OF_SUCCESS,
  type View,
} from '../../../shared/views.ts';

type Wanted = Pick<InspectParams, 'lines' | 'start_line' | 'end_line' | 'max_matches'>;

export function viewNotes(view: View, asked: Wanted): string[] {
  const said = view.note === undefined ? [] : [view.note];
  return [...said, ...clipped(view.clipped_lines), ...byMode(MISSING, view, asked)];
}

/** Which lines are missing, or shown. */
const MISSING: ByMode<[Wanted], string[]> = {
  head: linesAfter,
  tail: linesBefore,
  range: linesOfRange,
  grep: moreMatches,
  summary: () => [],
  failure: noCause,
};

export function clipped(lines: number): string[] {
  if (lines === 0) return [];
  const are = lines === 1 ? 'one line is' : `${lines} lines are`;
  return [`${are} clipped: \`spillway read\` with --offset gives all of a line`];
}

function moreMatches(view: GrepView, { max_matches }: Wanted): string[] {
  const { matches_shown: shown, match_count: count, next_cursor: next } = view;
  if (max_matches === 0) return [count === 1 ? 'one line matches' : `${count} lines match`];
  if (next === null) return [];
  return [`these are ${shown} of ${count} matching lines: go on with --cursor ${next}`];
}

function noCause({ cause, note, lines_shown: shown }: FailureView): string[] {
  const isSaid = note?.includes(NO_CAUSE_OF_SUCCESS);
  return cause === null && shown > 0 && !isSaid ? ['no line looks like the cause of a failure'] : [];
}

function linesAfter(view: LinesView, { lines: wanted = 0 }: Wanted): string[] {
  const { lines_shown: shown, next_start_line: next } = view;
  if (shown >= wanted || next === null) return [];
  return [goOn(view, 1, `--start ${next} --lines ${wanted - shown}`)];
}

function linesBefore({ start_line: first, lines_shown: shown }: LinesView, { lines = 0 }: Wanted): string[] {
  if (shown >= lines || first === null || first === 1) return [];
  // Count back from the first line: lines may be missing after the last.
  const start = Math.max(1, first - (lines - shown));
  const before = `--start ${start} --end ${first - 1}`;
  return [`these are the last ${shown} lines, the most at once: those before are ${before}`];
}

function linesOfRange(view: LinesView, { lines, start_line: start = 1, end_line: end }: Wanted): string[] {
  const { lines_shown: shown, next_start_line: next, total_lines: total } = view;
  if (shown === 0 && total !== null && start > total && total > 0)
    return [`line ${start} is past the end: the last is ${total}`];
  const wanted = lines ?? (end === undefined ? 0 : end - start + 1);
  if (shown >= wanted || next === null) return [];
  const last = Math.min(end ?? Number.POSITIVE_INFINITY, start + wanted - 1);
  // The range was printed to its end: the lines it lacks are missing from the stream.
  if (next > last) return [];
  const rest = end === undefined ? `--lines ${last - next + 1}` : `--end ${last}`;
  return [goOn(view, start, `--start ${next} ${rest}`)];
}

function goOn(
  { lines_shown: shown, next_start_line: next }: LinesView,
  start: number,
  flags: string,
): string {
  const most = next === start + shown ? ', the most at once' : '';
  return `these are ${shown} lines${most}: go on with ${flags}`;
}

// Tables of what to do with a view, by its mode: the compiler names the table that a new mode is missing from.

type ViewOf<Mode extends ViewMode> = Mode extends LinesView['mode']
  ? LinesView
  : Extract<View, { mode: Mode }>;

export type ByMode<More extends unknown[], Result> = {
  readonly [Mode in ViewMode]: (view: ViewOf<Mode>, ...more: More) => Result;
};

/** Calls the function for the view's mode. */
export function byMode<More extends unknown[], Result>(
  table: ByMode<More, Result>,
  view: View,
  ...more: More
): Result {
  const act = table[view.mode] as (view: View, ...more: More) => Result;
  return act(view, ...more);
}
