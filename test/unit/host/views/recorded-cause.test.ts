/** Finds the cause that the record names among the lines of a view. */
import { expect, test } from 'vitest';
import { recordedCause } from '../../../../electron/host/views/failure.ts';
import { causeText } from '../../../../electron/reader/failure/cause-text.ts';
import type { Artifact, StreamName } from '../../../../shared/artifact.ts';

const CAUSE = { stream: 'stderr' as StreamName, line_number: 2, text: '+ cp a b' };
const PARTS = [
  { start_line: 1, content: '+ cp a b\na: 3' },
  { start_line: 9, content: 'x\n+ cp a b\ny' },
];

function found(stream: StreamName, artifact: Partial<Artifact> = {}, parts = PARTS) {
  return recordedCause({ status: 'failed', cause: CAUSE, ...artifact }, stream, parts);
}

test('the cause is named as it was recorded, in the views of its own stream and of the other', () => {
  expect(found('stderr')).toEqual(CAUSE);
  expect(found('stdout')).toEqual(CAUSE);
});

test('the cause has its number of the combined view there, whether its line is shown or not', () => {
  const cause = { ...CAUSE, combined_line: 12 };
  expect(found('combined', { cause })).toEqual({ stream: 'combined', line_number: 12, text: CAUSE.text });
  expect(found('combined', { cause }, [])).toEqual({ stream: 'combined', line_number: 12, text: CAUSE.text });
});

test('of an older record, the last line with its text is the cause in the combined view', () => {
  expect(found('combined')).toEqual({ stream: 'combined', line_number: 10, text: '+ cp a b' });
  expect(found('combined', {}, [{ start_line: 4, content: 'cp a b' }])).toBeNull();
});

test('nothing is the cause while the command runs, or where none was recorded', () => {
  expect(found('combined', { status: 'running' })).toBeNull();
  expect(found('combined', { cause: null })).toBeNull();
});

test('a line that is longer than a cause may be is found by the cut text', () => {
  const line = `cp: ${'a-name '.repeat(80)}: permission denied`;
  const cause = { ...CAUSE, text: causeText(line) };
  expect(cause.text.length).toBeLessThan(line.length);
  expect(found('combined', { cause }, [{ start_line: 7, content: `x\n${line}` }])).toEqual({
    stream: 'combined',
    line_number: 8,
    text: cause.text,
  });
});
