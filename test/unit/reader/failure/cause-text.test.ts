/** Shortens the line that is named as the cause. */
import { expect, test } from 'vitest';
import { causeText } from '../../../../electron/reader/failure/cause-text.ts';
import { explained } from '../../../fixtures/reader/failures.ts';

const names = (count: number, make = (i: number) => `build/part-${i}.o`) =>
  Array.from({ length: count }, (_, i) => make(i)).join(' ');

test('a line of at most 240 characters stays as it is', () => {
  const line = `  error: ${'é'.repeat(231)}`;
  expect(causeText(line)).toBe(line);
});

test.each([
  ['at the end', `assemble: ${names(60)}: No such file or directory`],
  ['in the middle', `assemble: ${names(60)}: No such file or directory: ${names(60)}`],
  ['behind a label', `error: assemble ${names(60)}: No such file or directory`],
  ['at the end, behind a verb', `error: assemble: cannot link ${names(60)}: No such file or directory`],
  ['behind a time', `2031-05-04T10:00:00.1234567Z assemble: ${names(60)}: No such file or directory`],
])('a longer one shows who speaks and the reason %s', (_, line) => {
  const text = causeText(line);
  expect(text.length).toBeLessThanOrEqual(240);
  expect(text).toMatch(/^(?:error: )?assemble.*….*: No such file or directory/);
  const short = causeText(text, 120);
  expect(short.length).toBeLessThanOrEqual(120);
  expect(short).toMatch(/^(?:error: )?assemble.*….*: No such file or directory/);
});

test('a reason at the beginning is followed by as much as there is room for', () => {
  const line = `error: cannot find the part that the plan names: ${names(60)}`;
  expect(causeText(line)).toBe(`${line.slice(0, 239)}…`);
});

test('no character is cut in two', () => {
  const line = `error: ${'👩‍🔧'.repeat(90)}: No such file or directory`;
  const text = causeText(line);
  expect(text.length).toBeLessThanOrEqual(240);
  expect(text.replaceAll('👩‍🔧', '')).toBe('error: …: No such file or directory');
});

test('equal lines have equal texts, and a text is its own', () => {
  const text = causeText(`assemble: ${names(90)}: permission denied: ${names(90)}`);
  expect(causeText(text)).toBe(text);
});

test('the cause of a failure is cut so, and its line is not', () => {
  const line = `assemble: error: ${names(60)}: No such file or directory`;
  const { cause, ranked } = explained(Buffer.from(`begin\n${line}\nend\n`));
  expect(cause).toMatchObject({ line_number: 2, text: causeText(line) });
  expect(ranked[0]).toMatchObject({ number: 2, text: line });
});
