import { expect, test } from 'vitest';
import { viewNotes } from '../../../electron/cli/output/views.ts';
import { NO_CAUSE_OF_SUCCESS, type View } from '../../../shared/views.ts';

const range = (lines_shown: number, next_start_line: number | null) =>
  ({ mode: 'range', clipped_lines: 0, lines_shown, next_start_line }) as View;

test('says how to read on when the view has fewer lines than requested and more exist', () => {
  expect(viewNotes(range(2000, 2001), { start_line: 1, end_line: 9000 })).toEqual([
    'these are 2000 lines, the most at once: go on with --start 2001 --end 9000',
  ]);
  expect(viewNotes(range(2000, 2001), { lines: 5000 })).toEqual([
    'these are 2000 lines, the most at once: go on with --start 2001 --lines 3000',
  ]);
  expect(viewNotes(range(50, 51), {})).toEqual([]);
  expect(viewNotes(range(20, null), { lines: 100 })).toEqual([]);
});

test('says which lines come before a tail that was cut', () => {
  const tail = (start_line: number) =>
    ({ ...range(2000, null), mode: 'tail', start_line, total_lines: 6000 }) as View;
  expect(viewNotes(tail(4001), { lines: 5000 })).toEqual([
    'these are the last 2000 lines, the most at once: those before are --start 1001 --end 4000',
  ]);
  expect(viewNotes({ ...tail(4001), total_lines: 90_000 }, { lines: 5000 })).toEqual([
    'these are the last 2000 lines, the most at once: those before are --start 1001 --end 4000',
  ]);
  expect(viewNotes(tail(1), { lines: 5000 })).toEqual([]);
  expect(viewNotes(tail(4001), { lines: 2000 })).toEqual([]);
});

test('says nothing when the rest of the range does not exist in the stream', () => {
  expect(viewNotes(range(0, 946), { start_line: 400, end_line: 450 })).toEqual([]);
  expect(viewNotes(range(24, 946), { start_line: 40, end_line: 945 })).toEqual([]);
  expect(viewNotes(range(0, 946), { start_line: 400, lines: 2 })).toEqual([]);
  expect(viewNotes(range(2, 946), { start_line: 40, lines: 3 })).toEqual([]);
  expect(viewNotes(range(2, 946), { start_line: 40, lines: 3, end_line: 2000 })).toEqual([]);
});

test('says how to read on behind missing lines, without calling fewer lines the most at once', () => {
  expect(viewNotes(range(24, 946), { start_line: 40, lines: 5000 })).toEqual([
    'these are 24 lines: go on with --start 946 --lines 4094',
  ]);
  expect(viewNotes(range(24, 946), { start_line: 40, end_line: 5039 })).toEqual([
    'these are 24 lines: go on with --start 946 --end 5039',
  ]);
  expect(viewNotes(range(2000, 2001), { lines: 3000, end_line: 9000 })).toEqual([
    'these are 2000 lines, the most at once: go on with --start 2001 --end 3000',
  ]);
  const head = { ...range(2000, 10_001), mode: 'head' } as View;
  expect(viewNotes(head, { lines: 3000 })).toEqual([
    'these are 2000 lines: go on with --start 10001 --lines 1000',
  ]);
});

test('says that a range starts past the end', () => {
  expect(
    viewNotes({ ...range(0, null), total_lines: 40 } as View, { start_line: 999, end_line: 1000 }),
  ).toEqual(['line 999 is past the end: the last is 40']);
  expect(viewNotes({ ...range(0, null), total_lines: 0 } as View, { start_line: 1 })).toEqual([]);
});

test('says nothing of the end when a range starts in lines that are missing before it', () => {
  expect(viewNotes({ ...range(0, null), total_lines: 40 } as View, { start_line: 40, end_line: 50 })).toEqual(
    [],
  );
});

test('reports a count of matching lines without saying how to read on', () => {
  const counted = (match_count: number) =>
    ({ ...range(0, null), mode: 'grep', match_count, matches_shown: 0, next_cursor: null }) as View;
  expect(viewNotes(counted(7), { max_matches: 0 })).toEqual(['7 lines match']);
  expect(viewNotes(counted(1), { max_matches: 0 })).toEqual(['one line matches']);
});

test('says that a failure has no cause beside other notes, but once of a run that succeeded', () => {
  const failure = (note: string) =>
    ({ mode: 'failure', cause: null, note, clipped_lines: 0, lines_shown: 3 }) as unknown as View;
  expect(viewNotes(failure('decoded as latin1'), {})).toEqual([
    'decoded as latin1',
    'no line looks like the cause of a failure',
  ]);
  expect(viewNotes(failure(NO_CAUSE_OF_SUCCESS), {})).toEqual([NO_CAUSE_OF_SUCCESS]);
});
