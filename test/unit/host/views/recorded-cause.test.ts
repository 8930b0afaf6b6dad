/** Finds the cause that the record names among the lines of a view. */
import { expect, test } from 'vitest';
import { recordedCause } from '../../../../electron/host/views/failure.ts';
import { causeText } from '../../../../electron/reader/failure/cause/cause-text.ts';
import type { Artifact, StreamName } from '../../../../shared/artifact.ts';

const CAUSE = { stream: 'stderr' as StreamName, line_number: 2, text: '+ cp a b' };
const PARTS = [
  { start_line: 1, content: '+ cp a b\na: 3' },
  { start_line: 9, content: 'x\n+ cp a b\ny' },
];

function found(stream: StreamName, artifact: Partial<Artifact> = {}, parts = PARTS) {
  return recordedCause({ status: 'failed', cause: CAUSE, ...artifact }, stream, parts);
}

test('the cause is the last line with its text, in its own stream and in the combined one', () => {
  expect(found('combined')).toEqual({ line_number: 10, text: '+ cp a b' });
  expect(found('stderr')).toEqual({ line_number: 10, text: '+ cp a b' });
});

test('no line is the cause in the other stream, in a view without it, or while the command runs', () => {
  expect(found('stdout')).toBeNull();
  expect(found('combined', {}, [{ start_line: 4, content: 'cp a b' }])).toBeNull();
  expect(found('combined', { status: 'running' })).toBeNull();
  expect(found('combined', { cause: null })).toBeNull();
});

test('a line that is longer than a cause may be is found by the cut text', () => {
  const line = `cp: ${'a-name '.repeat(80)}: permission denied`;
  const cause = { ...CAUSE, text: causeText(line) };
  expect(cause.text.length).toBeLessThan(line.length);
  expect(found('combined', { cause }, [{ start_line: 7, content: `x\n${line}` }])).toEqual({
    line_number: 8,
    text: cause.text,
  });
});
