/** Labels of commands: `spillway run` and the recorder of agents' commands give the same. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commandLabel, labelOfLine } from '../../../electron/host/recording/run-request.ts';
import { LABELS } from '../../fixtures/labels.ts';

const lines = LABELS.map(([line]) => line);
const labels = LABELS.map(([, label]) => label);

test('of shell lines', () => {
  expect(lines.map(labelOfLine)).toEqual(labels);
});

test("of shell lines, by the recorder of agents' commands", () => {
  const program = readFileSync('electron/agent-shell/recorder/during.pl', 'utf8');
  const print = `${program}; print label_of($_), "\\0" for @ARGV`;
  const { stdout, stderr } = spawnSync('perl', ['-e', print, '--', ...lines], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(stdout.split('\0').slice(0, -1)).toEqual(labels);
});

test('of words', () => {
  expect(commandLabel('/usr/bin/npm', ['run', 'test:unit', 'x'])).toBe('npm run test:unit');
  expect(commandLabel('C:\\tools\\make.exe', ['-j4', 'all'])).toBe('make.exe all');
});
