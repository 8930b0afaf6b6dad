/** Steps through the lines that explain a failure, and copies them for an agent. */
import { expect, test } from 'vitest';
import { agentText, explainingLines, stepFrom } from '../../../renderer/artifact/use-failure.ts';
import type { FailureView } from '../../../shared/views.ts';
import { artifactOf } from '../../fixtures/library/artifacts.ts';

const view = {
  artifact_id: 'cmd-make-2026-01-13T10-30-00-abc123',
  stream: 'combined',
  total_lines: 900,
  cause: { stream: 'combined', line_number: 41, text: '  no rule to make x' },
  content: 'all:\n  no rule to make x\nstop',
  parts: [
    { start_line: 40, end_line: 41, why: 'reason', line: 41 },
    { start_line: 900, end_line: 900 },
  ],
} as FailureView;

test('stepping visits each chosen line and wraps around', () => {
  const lines = explainingLines({
    stream: 'combined',
    cause: null,
    parts: [
      { start_line: 3, end_line: 9, why: 'error', line: 5 },
      // Chosen by its place alone.
      { start_line: 20, end_line: 22, line: 21 },
      ...view.parts,
    ],
  });
  expect(lines).toEqual([5, 41]);
  expect([stepFrom(lines, 1, 1), stepFrom(lines, 5, 1), stepFrom(lines, 41, 1)]).toEqual([5, 41, 5]);
  expect([stepFrom(lines, 41, -1), stepFrom(lines, 5, -1)]).toEqual([5, 41]);
  expect(stepFrom([], 5, 1)).toBeNull();
});

test('stepping visits the cause in its own stream only', () => {
  const cause = { stream: 'stderr' as const, line_number: 7, text: 'x' };
  expect(explainingLines({ ...view, stream: 'stderr', cause })).toEqual([7, 41]);
  expect(explainingLines({ ...view, stream: 'stdout', cause })).toEqual([41]);
});

test('an agent gets each part with the command that prints it', () => {
  const failed = artifactOf(view.artifact_id, {
    command: 'make',
    args: ['-k'],
    status: 'failed',
    exit_code: 2,
    signal: null,
  });
  expect(agentText(failed, view)).toBe(
    [
      'make -k: exit status 2',
      'cause: line 41 of combined: no rule to make x',
      '[combined, lines 40-41 of 900, reason; spillway inspect cmd-make-2026-01-13T10-30-00-abc123 --stream combined --start 40 --end 41]',
      'all:',
      '  no rule to make x',
      '[combined, lines 900-900 of 900; spillway inspect cmd-make-2026-01-13T10-30-00-abc123 --stream combined --start 900 --end 900]',
      'stop',
      'more: spillway inspect cmd-make-2026-01-13T10-30-00-abc123 --mode failure --stream combined',
    ].join('\n'),
  );
});
