import { describe, expect, it } from 'vitest';
import { failureBefore } from '../../../renderer/panels/use-terminal.ts';
import type { TypedCommand } from '../../../shared/terminals.ts';

describe('going from failure to failure in a terminal', () => {
  const failure = (number: number, start: number | null): TypedCommand => ({
    artifact_id: 'terminal',
    terminal: 'shell',
    start_offset: 0,
    end_offset: null,
    cause: null,
    number,
    command: `false ${number}`,
    cwd: null,
    status: 'failed',
    exit_code: 1,
    started_at: '2026-01-13T10:00:00.000Z',
    ended_at: '2026-01-13T10:00:01.000Z',
    duration_ms: 1000,
    prompt_line: number * 10,
    start_line: start,
    end_line: start === null ? null : start + 2,
  });
  const [last, before, first] = [failure(9, 91), failure(5, null), failure(2, 21)] as const;
  const failed = [last, before, first];
  const next = (range: { start: number; end: number } | null, line = 1) =>
    failureBefore(failed, { range, line });

  it('begins at the last one', () => {
    expect(next(null)).toEqual({ command: last, isWrapped: false });
    expect(next({ start: 3, end: 4 })).toEqual({ command: last, isWrapped: false });
    expect(failureBefore([], { range: null, line: 1 })).toEqual({ command: null, isWrapped: false });
  });

  it('goes from the shown failure to the one before, with output or without', () => {
    expect(next({ start: 91, end: 93 }).command).toBe(before);
    expect(next(null, 50).command).toBe(first);
  });

  it('begins again after the first, and stays at the only one', () => {
    expect(next({ start: 21, end: 23 })).toEqual({ command: last, isWrapped: true });
    expect(failureBefore([last], { range: { start: 91, end: 93 }, line: 1 })).toEqual({
      command: last,
      isWrapped: false,
    });
  });
});
