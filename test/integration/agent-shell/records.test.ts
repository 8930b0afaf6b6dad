/** Records of `spillway-shell`, as the store reads them. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AgentShell, makeAgentShell, ran } from '../../fixtures/agents/shell.ts';
import { until } from '../../fixtures/until.ts';

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

test.each([
  ['export DB_PASSWORD=«hunter22»; echo on', 'echo on'],
  ['curl -s -H "Authorization: Bearer «abcdef123456»" file:///dev/null; true', 'curl'],
  ['echo «ghp_a1B2c3D4e5F6a1B2c3D4e5F6a1B2c3D4e5F6»', 'echo'],
  ['echo https://u:«pw123»@example.com --token «abcd1234»', 'echo'],
  ['grep -c token /dev/null; TOKEN=$TOKEN true', 'grep token'],
])('a secret in a command is in no record: %s', async (marked, label) => {
  await ran(place.shell, ['-c', marked.replace(/[«»]/g, '')], { cwd: place.files });
  const [record] = place.records();
  expect(record!.command).toBe(
    marked.replace(/«([^»]*)»/g, (_, secret: string) => '*'.repeat(secret.length)),
  );
  expect(record!.label).toBe(label);
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

describe.runIf(process.platform === 'linux')('a login shell', () => {
  const PROFILE = 'echo profile; LOCAL=unexported; greet() { echo greeting; }; shopt -s dotglob\n';
  const COMMANDS = [
    'echo "$LOCAL $?"; greet; shopt login_shell dotglob; echo "$0 $- $#"; exit 7',
    'echo out; echo err >&2',
    'echo 1; echo 2 >&2; echo 3',
    'echo "$SHLVL $BASH_ENV [$!]"; compgen -v | grep SPILL; env | grep -E "SPILL|BASH_ENV"; bash -c "echo \\$SHLVL"',
    '(sleep 0.3; echo late) & echo soon; kill -TERM $$',
    'trap "exit 5" TERM; kill -TERM $$; sleep 1',
    'exec sh -c "echo replaced; exit 9"',
    'tr "\\0" "\\n" < /proc/$$/cmdline; ps -o comm= $PPID',
    'seq 1 20000',
    'no_such_command',
  ];

  /** Starts the shell with its outputs on two pipes, or on one, from a program that has no BASH_ENV, as agents have none. */
  const start = async (command: string, env: string, isOne: boolean) => {
    const shell = `{ CODEX_THREAD_ID=x CODEX_SESSION_ID=x ${env} bash -lc "$1"; echo $? > status; }`;
    const line = isOne ? `${shell} 2>&1 | cat` : `{ { ${shell} 2>&3 | cat >&4; } 3>&1 | cat >&2; } 4>&1`;
    const options = { cwd: place.files, env: { HOME: place.files } };
    const { stdout, stderr } = await ran('/bin/sh', ['-c', line, 'x', command], options);
    const [out, err] = [stdout, stderr].map((printed) => printed.replace('Terminated\n', ''));
    return { stdout: out!, stderr: err!, status: Number(readFileSync(join(place.files, 'status'), 'utf8')) };
  };

  test.each(COMMANDS)('reads its profile once, and is recorded: %s', async (command) => {
    writeFileSync(join(place.files, '.bash_profile'), PROFILE);
    const env = `SHLVL=2 BASH_ENV=${place.entry('codex')}`;
    for (const isOne of [true, false]) {
      const bare = await start(command, '', isOne);
      expect(await start(command, env, isOne)).toEqual(bare);
      const record = await until(() => place.records().find(({ recorder }) => recorder === null));
      expect(record).toMatchObject({ command, agent: { name: 'codex', session: 'x' } });
      const { exit_code, signal } = record;
      expect([exit_code, signal]).toEqual(
        bare.status === 143 && command.startsWith('(') ? [null, 'SIGTERM'] : [bare.status, null],
      );
      const printed = record.streams.map((_, stream) => place.bytes(record, stream).toString());
      const [out, err] = [bare.stdout.replace('profile\n', ''), bare.stderr];
      expect(printed).toEqual(isOne ? [out] : [out, err]);
      rmSync(join(place.home, 'captures'), { recursive: true });
    }
  });
});
