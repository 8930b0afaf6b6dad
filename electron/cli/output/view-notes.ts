/** Writes notes on a view for standard error: which lines are clipped or missing, and how to get them. */
import type { FailureView, InspectParams, View } from '../../../shared/views.ts';

type Wanted = Pick<InspectParams, 'lines' | 'start_line' | 'end_line' | 'max_matches'>;

export function viewNotes(view: View, asked: Wanted): string[] {
  const said = view.note === undefined ? [] : [view.note];
  if (view.mode === 'summary') return said;
  return [
    ...said,
    ...clipped(view.clipped_lines),
    ...(view.mode === 'grep'
      ? moreMatches(view, asked)
      : view.mode === 'failure'
        ? whichLines(view)
        : moreLines(view, asked)),
  ];
}

export function clipped(lines: number): string[] {
  if (lines === 0) return [];
  const are = lines === 1 ? 'one line is' : `${lines} lines are`;
  return [`${are} clipped: \`spillway read\` with --offset gives all of a line`];
}

function moreMatches(view: Extract<View, { mode: 'grep' }>, { max_matches }: Wanted): string[] {
  const { matches_shown: shown, match_count: count, next_cursor: next } = view;
  if (max_matches === 0) return [count === 1 ? 'one line matches' : `${count} lines match`];
  if (next === null) return [];
  return [`these are ${shown} of ${count} matching lines: go on with --cursor ${next}`];
}

/** Most ranges of lines that a sentence names. */
const MOST_RANGES = 20;

function whichLines({ parts, cause, stream, total_lines: total, truncated }: FailureView): string[] {
  const where = stream === 'combined' ? ' of combined' : '';
  const said = cause === null ? [] : [`the cause is line ${cause.line_number}${where}`];
  if (!truncated || parts.length === 0) return said;
  const ranges = parts.map(({ start_line: start, end_line: end }) =>
    start === end ? `${start}` : `${start}-${end}`,
  );
  const more = ranges.length > MOST_RANGES ? ', …' : '';
  return [...said, `these are lines ${ranges.slice(0, MOST_RANGES).join(', ')}${more} of ${total}`];
}

function moreLines(view: Exclude<View, { mode: 'summary' | 'grep' | 'failure' }>, asked: Wanted): string[] {
  const { lines_shown: shown, next_start_line: next, total_lines: total } = view;
  const { lines, start_line: start = 1, end_line: end } = asked;
  if (view.mode === 'range' && shown === 0 && start > total && total > 0)
    return [`line ${start} is past the end: the last is ${total}`];
  const wanted = lines ?? (end === undefined ? 0 : end - start + 1);
  if (shown >= wanted) return [];
  if (view.mode === 'tail') return tailNote(view, wanted);
  if (next === null) return [];
  const last = Math.min(end ?? Number.POSITIVE_INFINITY, start + wanted - 1);
  // The range was printed to its end: the lines it lacks are missing from the stream.
  if (view.mode === 'range' && next > last) return [];
  const left = view.mode === 'range' ? last - next + 1 : wanted - shown;
  const rest = end === undefined ? `--lines ${left}` : `--end ${last}`;
  const most = next === start + shown ? ', the most at once' : '';
  return [`these are ${shown} lines${most}: go on with --start ${next} ${rest}`];
}

/** Tells how to read the lines before a tail, if there are any. */
function tailNote({ start_line: first, lines_shown: shown }: View, wanted: number): string[] {
  if (first === null || first === 1) return [];
  // Count back from the first line: lines may be missing after the last.
  const start = Math.max(1, first - (wanted - shown));
  const before = `--start ${start} --end ${first - 1}`;
  return [`these are the last ${shown} lines, the most at once: those before are ${before}`];
}
