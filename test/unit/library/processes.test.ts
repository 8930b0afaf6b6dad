import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isProcessAlive, processStat } from '../../../electron/store/format/owner.ts';

test('a process is alive until it has ended', async () => {
  const child = spawn('sleep', ['600']);
  expect(isProcessAlive(child.pid!)).toBe(true);
  child.kill();
  await once(child, 'exit');
  expect(isProcessAlive(child.pid!)).toBe(false);
});

test('a process of another user is alive', () => {
  expect(isProcessAlive(1)).toBe(true);
  const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
    throw Object.assign(new Error('not permitted'), { code: 'EPERM' });
  });
  try {
    expect(isProcessAlive(process.pid)).toBe(true);
  } finally {
    kill.mockRestore();
  }
});

test.runIf(process.platform === 'linux')('a zombie has ended', async () => {
  // `sleep` replaces the shell by exec, so nothing waits for the child, which ends only after that.
  const parent = spawn('sh', ['-c', 'cat <&3 & echo $!; exec sleep 600 3<&-'], {
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  });
  onTestFinished(() => void parent.kill());
  const [line] = await once(parent.stdout!, 'data');
  const pid = Number(line);
  await vi.waitUntil(() => nameOf(parent.pid!) === 'sleep', { timeout: 30_000 });
  (parent.stdio[3] as Writable).end();
  await vi.waitUntil(() => processStat(pid)?.ended, { timeout: 30_000 });
  expect(() => process.kill(pid, 0)).not.toThrow();
  expect(isProcessAlive(pid)).toBe(false);
  parent.kill();
  await once(parent, 'exit');
});

test.runIf(process.platform === 'linux')(
  'the system tells the parent of this process, and that it has not ended',
  () => {
    expect(processStat(process.pid)).toMatchObject({ ended: false, parent: process.ppid });
  },
);

function nameOf(pid: number): string {
  return readFileSync(`/proc/${pid}/comm`, 'latin1').trim();
}
