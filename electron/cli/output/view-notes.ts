/** What is to be known beside a view's lines, in sentences: that some are clipped, that there are more, and how to get at them. */
import type { View } from '../../../shared/views.ts';

interface Asked {
  lines?: number;
  start?: number;
  end?: number;
}

export function viewNotes(view: View, asked: Asked): string[] {
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

function moreLines(view: Exclude<View, { mode: 'summary' | 'grep' }>, asked: Asked): string[] {
  const { lines_shown: shown, next_start_line: next, total_lines: total } = view;
  if (view.mode === 'range' && shown === 0 && next === null && total > 0)
    return [`line ${asked.start ?? 1} is past the end: the last is ${total}`];
  const wanted = asked.lines ?? (asked.end === undefined ? 0 : asked.end - (asked.start ?? 1) + 1);
  if (view.mode === 'tail' || next === null || shown >= wanted) return [];
  // Of those that were asked for, the rest is missing.
  if (asked.end !== undefined && next > asked.end) return [];
  return [`these are ${shown} lines, the most at once: go on with --start ${next}`];
}
