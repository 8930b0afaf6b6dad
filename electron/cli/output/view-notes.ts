/** Sentences about a view for standard error: that lines are clipped or missing, and how to get them. */
import type { InspectParams, View } from '../../../shared/views.ts';

type LinesWanted = Pick<InspectParams, 'lines' | 'start_line' | 'end_line'>;

export function viewNotes(view: View, asked: LinesWanted): string[] {
  const said = view.note === undefined ? [] : [view.note];
  if (view.mode === 'summary') return said;
  return [
    ...said,
    ...clipped(view.clipped_lines),
    ...(view.mode === 'grep' ? moreMatches(view) : moreLines(view, asked)),
  ];
}

export function clipped(lines: number): string[] {
  if (lines === 0) return [];
  const are = lines === 1 ? 'one line is' : `${lines} lines are`;
  return [`${are} clipped: \`spillway read\` with --offset gives all of a line`];
}

function moreMatches(view: Extract<View, { mode: 'grep' }>): string[] {
  const { matches_shown: shown, match_count: count, next_cursor: next } = view;
  if (next === null) return [];
  return [`these are ${shown} of ${count} matching lines: go on with --cursor ${next}`];
}

function moreLines(view: Exclude<View, { mode: 'summary' | 'grep' }>, asked: LinesWanted): string[] {
  const { lines_shown: shown, next_start_line: next, total_lines: total } = view;
  if (view.mode === 'range' && shown === 0 && next === null && total > 0)
    return [`line ${asked.start_line ?? 1} is past the end: the last is ${total}`];
  const wanted =
    asked.lines ?? (asked.end_line === undefined ? 0 : asked.end_line - (asked.start_line ?? 1) + 1);
  if (view.mode === 'tail' || next === null || shown >= wanted) return [];
  // The range was printed to its end; its other lines are missing from the stream.
  if (asked.end_line !== undefined && next > asked.end_line) return [];
  return [`these are ${shown} lines, the most at once: go on with --start ${next}`];
}
