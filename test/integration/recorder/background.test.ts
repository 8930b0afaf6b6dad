/** Processes that a command left behind when it ended, and strangers that look like them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import { Background } from '../../../electron/recorder/command/process-tree.ts';
import { isProcessAlive } from '../../../electron/store/format/owner.ts';

const started: number[] = [];

afterEach(() => {
  for (const pid of started.splice(0)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
});

/** The leader of a group that has ended, and the one it left in the group. */
async function leftInGroup(): Promise<{ leader: number; left: number }> {
  const shell: ChildProcess = spawn('sh', ['-c', 'sleep 300 >/dev/null 2>&1 & echo $!'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [[line]] = await Promise.all([once(shell.stdout!, 'data'), once(shell, 'exit')]);
  const left = Number(String(line));
  started.push(left);
  return { leader: shell.pid!, left };
}

function leftBy(pid: number, isRead: boolean): Background {
  const tree = { pid, ownGroup: true, outputs: [] };
  return new Background(tree, { isRead, rest: new Promise(() => {}), recorder: null });
}

it('is ended, once', async () => {
  const { leader, left } = await leftInGroup();
  const rest = leftBy(leader, false);
  expect(rest.isOver).toBe(false);
  expect(await rest.end()).toBe(true);
  expect(isProcessAlive(left)).toBe(false);
  expect(rest.isOver).toBe(true);
  expect(await rest.end()).toBe(false);
});

it('is not mistaken for another group that got the same number later', async () => {
  const { leader, left } = await leftInGroup();
  const rest = leftBy(leader, true);
  process.kill(left, 'SIGKILL');
  await expect.poll(() => isProcessAlive(left)).toBe(false);
  // As if the number had been given again: one that was not there when the command ended.
  const other = spawn('sh', ['-c', 'sleep 300'], { detached: true, stdio: 'ignore' });
  started.push(other.pid!);
  const again = leftBy(other.pid!, true);
  expect(await again.end()).toBe(false);
  expect(await rest.end()).toBe(false);
  expect(isProcessAlive(other.pid!)).toBe(true);
});
