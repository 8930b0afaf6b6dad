/** Which branch a run was on, by the log of the repository's HEAD. */
import { expect, it } from 'vitest';
import { branchAt } from '../../../electron/host/library/baselines.ts';

const entry = (seconds: number, text: string) =>
  `${'0'.repeat(40)} ${'1'.repeat(40)} A Name <a@example.com> ${seconds} +0100\t${text}\n`;
const log = [
  entry(1000, 'commit: Begin'),
  entry(2000, 'checkout: moving from main to fix/a'),
  entry(3000, 'commit: Mend it'),
  entry(4000, 'checkout: moving from fix/a to main'),
  entry(5000, `checkout: moving from main to ${'a'.repeat(40)}`),
].join('');

it('tells the branch before, between and after its changes', () => {
  expect([1500, 2500, 4500].map((seconds) => branchAt(log, '', seconds * 1000))).toEqual([
    'main',
    'fix/a',
    'main',
  ]);
  expect(branchAt(log, '', 6_000_000)).toBeNull();
});

it('takes the branch of HEAD where none was left', () => {
  expect(branchAt(entry(1000, 'commit: Begin'), 'ref: refs/heads/a/b\n', 2_000_000)).toBe('a/b');
  expect(branchAt('', '1234', 2_000_000)).toBeNull();
});
