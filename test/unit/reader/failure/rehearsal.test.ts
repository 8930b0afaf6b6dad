/** Tests running the explanation of failures once, in small steps, before it is needed. */
import { expect, test } from 'vitest';
import { rehearsal } from '../../../../electron/reader/failure/rehearsal.ts';

test.each([
  ['text', 'INFO request 7 served\nerror: disk full\n'.repeat(4000)],
  ['one line without an end', 'x'.repeat(100_000)],
  ['nothing', ''],
])('is many steps with %s', (_, text) => {
  expect([...rehearsal(Buffer.from(text))].length).toBeGreaterThan(20);
});

test('keeps a copy of its first text, as the memory is reused', () => {
  const sample = Buffer.from('error: disk full\n'.repeat(4000));
  const steps = rehearsal(sample);
  steps.next();
  sample.fill(0);
  expect([...steps].length).toBeGreaterThan(20);
});
