/** Records of `spillway-shell`, as the store reads them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AgentShell, makeAgentShell, ran } from '../../fixtures/agents/shell.ts';

let place: AgentShell;
beforeEach(() => {
  place = makeAgentShell();
});
afterEach(() => place.remove());

test('records the command, its status, its streams and its agent', async () => {
  const result = await ran(place.shell, ['-c', 'echo out; echo err >&2; exit 3'], { cwd: place.files });
  expect(result).toEqual({ status: 3, signal: null, stdout: 'out\n', stderr: 'err\n' });
  const [record] = place.records();
  expect(record).toMatchObject({
    command: 'echo out; echo err >&2; exit 3',
    cwd: place.files,
    status: 'failed',
    exit_code: 3,
    signal: null,
    label: 'echo out',
    agent: { name: 'opencode', session: `pid-${process.pid}` },
    session: `opencode files pid-${process.pid}`,
    recorder: null,
    warnings: [],
  });
  expect(place.bytes(record!, 0).toString()).toBe('out\n');
  expect(place.bytes(record!, 1).toString()).toBe('err\n');
});

test('a command of bytes that are no UTF-8 is recorded with U+FFFD in their place', async () => {
  const { spawnSync } = await import('node:child_process');
  spawnSync('perl', ['-e', 'exec $ARGV[0], "-c", "echo \\xff\\xc3\\xa9"', place.shell], { cwd: place.files });
  expect(place.records()[0]!.command).toBe('echo \ufffdé');
});

test.runIf(process.platform === 'linux')(
  'what Copilot CLI itself starts is recorded, by its entry',
  async () => {
    const copilot = join(place.root, 'copilot');
    writeFileSync(
      copilot,
      "#!/bin/sh\nCOPILOT_AGENT_SESSION_ID=one /bin/bash --norc --noprofile -c 'echo hi'\ntrue\n",
      { mode: 0o700 },
    );
    const env = { SHLVL: '2', BASH_ENV: place.entry('copilot') };
    const result = await ran(copilot, [], { cwd: place.files, env });
    expect(result).toMatchObject({ status: 0, stdout: 'hi\n', stderr: '' });
    const [record, ...others] = place.records();
    expect(record).toMatchObject({ command: 'echo hi', agent: { name: 'copilot', session: 'one' } });
    expect(others).toEqual([]);
  },
);
