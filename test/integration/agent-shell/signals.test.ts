/** Signals, process groups and sessions: a recorded command has them as a bare one. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AgentShell, makeAgentShell, ran } from '../../fixtures/agents/shell.ts';
import { until } from '../../fixtures/until.ts';

let place: AgentShell;
beforeEach(() => {
  place = makeAgentShell();
});
afterEach(async () => {
  await until(() => own((name) => name === RECORDER).length === 0);
  place.remove();
});

/** As the kernel cuts it. */
const RECORDER = 'spillway-record';

/** Processes that work in the test's folder, by name. */
function own(isWanted: (name: string) => boolean): number[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const isOurs = /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`) === place.files;
      return isOurs && isWanted(readFileSync(`/proc/${pid}/comm`, 'utf8').trim()) ? [Number(pid)] : [];
    } catch {
      return [];
    }
  });
}

function leadsSession(pid: number): boolean {
  try {
    const [, , , session] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return Number(session) === pid;
  } catch {
    return false;
  }
}

interface Outcome {
  status: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  /** Names of the processes that the command left. */
  left: string[];
}

type Act = (child: ChildProcess, ended: Promise<unknown>) => void | Promise<void>;

/**
 * Runs a command that prints `ready`, acts on it then, and returns how it ended. Waits up to some seconds until no
 * processes but the `expected` ones are left.
 */
async function outcomeOf(
  shell: string,
  command: string,
  act: Act,
  isDetached: boolean,
  expected?: string[],
): Promise<Outcome> {
  const child = spawn(shell, ['-c', command], {
    ...{ cwd: place.files, detached: isDetached, stdio: ['ignore', 'pipe', 'ignore'] },
  });
  let stdout = '';
  child.stdout!.on('data', (chunk) => (stdout += chunk));
  const ended = new Promise<[number | null, NodeJS.Signals | null]>((resolve) =>
    child.once('exit', (...how) => resolve(how)),
  );
  if (command.includes('ready')) await until(() => stdout.includes('ready\n'));
  await act(child, ended);
  const [status, signal] = await ended;
  let left = await leftBehind();
  const deadline = performance.now() + 5000;
  while (expected && left.names.join() !== expected.join() && performance.now() < deadline)
    left = await leftBehind();
  for (const pid of left.pids) process.kill(pid, 'SIGKILL');
  child.stdout!.destroy();
  return { status, signal, stdout, left: left.names };
}

/** Processes that the command left, as soon as they stay the same for a moment. */
async function leftBehind(): Promise<{ pids: number[]; names: string[] }> {
  const pids = () => own((name) => name !== RECORDER && name !== 'ps');
  let before = -1;
  await until(async () => {
    const now = pids().length;
    await new Promise((resolve) => setTimeout(resolve, 60));
    const isStill = now === pids().length && now === before;
    before = now;
    return isStill;
  });
  const left = pids();
  return {
    pids: left,
    names: left.map((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8').trim()).sort(),
  };
}

async function expectAsBare(command: string, act: Act = () => {}, isDetached = true): Promise<Outcome> {
  const bare = await outcomeOf('/bin/bash', command, act, isDetached);
  const recorded = await outcomeOf(place.shell, command, act, isDetached, bare.left);
  expect(recorded).toEqual(bare);
  return bare;
}

const alone =
  (signal: NodeJS.Signals): Act =>
  ({ pid }) =>
    void process.kill(pid!, signal);
const group =
  (signal: NodeJS.Signals): Act =>
  async ({ pid }) => {
    // Until its watchdog has left the group, SIGKILL ends that too.
    await until(() => {
      const recorders = own((name) => name === RECORDER);
      return (
        recorders.length === 0 || recorders.some((recorder) => recorder !== pid && leadsSession(recorder))
      );
    });
    process.kill(-pid!, signal);
  };

const SIGNALS = ['HUP', 'INT', 'QUIT', 'USR1', 'USR2', 'ALRM', 'TERM', 'ABRT', 'WINCH', 'PROF', 'CONT'];

describe('a signal to the process alone', () => {
  test.each([
    'trap "exit 5" TERM; echo ready; while :; do sleep 0.05; done',
    '(echo ready; exec sleep 30); echo on',
  ])('reaches the shell and not its children: %s', async (command) => {
    await expectAsBare(command, alone('SIGTERM'));
    await expectAsBare(command, alone('SIGTERM'), false);
  });

  test('SIGKILL ends the shell and leaves its children', async () => {
    const { left } = await expectAsBare('(echo ready; exec sleep 30); echo on', alone('SIGKILL'));
    expect(left).toEqual(['sleep']);
  });
});

describe('a signal to the group', () => {
  test('reaches the shell and its children', async () => {
    const { left } = await expectAsBare('(echo ready; exec sleep 30); echo on', group('SIGTERM'));
    expect(left).toEqual([]);
  });

  test('SIGKILL leaves nothing', async () => {
    const { left } = await expectAsBare('trap "" TERM; sleep 30 & echo ready; sleep 31', group('SIGKILL'));
    expect(left).toEqual([]);
  });

  test('several, one after another, reach the children each time', async () => {
    const command = `trap 'echo shell' TERM; perl -e '$|=1; $SIG{TERM}=sub{ print "child\\n" if ++$n; exit if $n==2 }; print "ready\\n"; sleep 1 while 1'; wait; sleep 0.2`;
    const act: Act = async ({ pid }) => {
      process.kill(-pid!, 'SIGTERM');
      await new Promise((resolve) => setTimeout(resolve, 300));
      process.kill(-pid!, 'SIGTERM');
    };
    const { stdout } = await expectAsBare(command, act);
    expect(stdout.match(/child/g)).toHaveLength(2);
  });
});

test.each(SIGNALS)('SIG%s, handled, to the process and to the group', async (name) => {
  const command = `trap 'echo got; exit 5' ${name}; echo ready; for i in {1..40}; do sleep 0.05; done`;
  await expectAsBare(command, alone(`SIG${name}` as NodeJS.Signals));
  await expectAsBare(command, group(`SIG${name}` as NodeJS.Signals));
});

test.each(['kill -- -$$', 'kill 0', 'kill -9 -$$', 'pkill -g $$', 'pkill -s $$'])(
  'a command that ends its own group at its end leaves nothing: %s',
  async (end) => {
    const command = `trap "${end}" EXIT; while :; do sleep 0.1; done & echo on`;
    const { left } = await expectAsBare(command);
    expect(left).toEqual([]);
  },
);

test('a command that ends processes by their words ends no other than bare', async () => {
  // Until a background process runs its program, it has the words of the shell.
  const bothRun = 'until [ "$(pgrep -c -x -P $$ sleep)" = 2 ]; do sleep 0.02; done';
  await expectAsBare(
    `sleep 31.7 & sleep 30 & ${bothRun}; echo ready; pkill -f "sleep 31\\.7"; sleep 0.3; echo on`,
  );
});

describe('what the command leaves in the background', () => {
  test.each(['SIGTERM', 'SIGKILL'] as const)('gets %s by the group that the agent knows', async (signal) => {
    const act: Act = async (child, ended) => {
      await ended;
      process.kill(-child.pid!, signal);
    };
    const { left } = await expectAsBare('sleep 30 > /dev/null 2>&1 & echo ready', act);
    expect(left).toEqual([]);
  });

  test('lives on', async () => {
    const { left } = await expectAsBare('sleep 30 > /dev/null 2>&1 & echo on');
    expect(left).toEqual(['sleep']);
  });
});

test.each([true, false])('the command leads what it would lead bare; detached: %s', async (detached) => {
  const command =
    'ps -o pgid=,sid= -p $$ | { read g s; echo $(( g == $$ )) $(( s == $$ )); }; tr "\\0" "\\n" < /proc/$$/cmdline';
  const how = { cwd: place.files, detached };
  expect(await ran(place.shell, ['-c', command], how)).toEqual(await ran('/bin/bash', ['-c', command], how));
});

test('the words of the shell are as the agent gave them', async () => {
  const env = { SHLVL: '2', BASH_ENV: place.entry('gemini') };
  const line = (command: string) =>
    `shopt -u dotglob\n(\n  trap 'true' EXIT\n${command}\n)\n__code=$?\nexit $__code`;
  const words = [
    '--norc',
    '-o',
    'pipefail',
    '-c',
    line('tr "\\0" "\\n" < /proc/$$/cmdline; echo "$0 $*"'),
    'name',
    'x  y',
  ];
  const how = { cwd: place.files, env };
  const recorded = await ran('/bin/bash', words, how);
  expect(recorded).toEqual(await ran('/bin/bash', words, { cwd: place.files }));
  expect(place.records()).toHaveLength(1);
});
