/** Ending a command with all it started, and nobody else. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { endTree } from '../../../electron/recorder/command/process-tree.ts';
import { makePlace, type Place } from '../../fixtures/cli.ts';
import { isAlive } from '../../fixtures/mcp/run.ts';

let place: Place;
const children: ChildProcess[] = [];

beforeEach(() => {
  place = makePlace();
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  place.remove();
});

test.runIf(process.platform === 'linux')(
  'ends the processes that hold its output, except those that are spared',
  async () => {
    const fd = openSync(join(place.files, 'output'), 'w');
    const outputs = [readlinkSync(`/proc/self/fd/${fd}`)];
    const [command, holder, spared] = await Promise.all([0, 1, 2].map(() => sleeper(fd)));
    closeSync(fd);
    await endTree({ pid: command!.pid!, ownGroup: true, outputs, spared: spared!.pid! });
    expect(isAlive(command!.pid!)).toBe(false);
    expect(isAlive(holder!.pid!)).toBe(false);
    expect(isAlive(spared!.pid!)).toBe(true);
  },
);

/** With its own mounts, like a container. */
const canMount = spawnSync('unshare', ['-m', 'true']).status === 0;

test.runIf(canMount)(
  'leaves a process alone that holds another file of the same name, as in a container',
  async () => {
    const path = join(place.files, 'terminal');
    for (const name of ['terminal', 'other']) writeFileSync(join(place.files, name), '');
    const script = 'mount --bind other terminal && exec sleep 60 >terminal';
    const stranger = spawn('unshare', ['-m', 'sh', '-c', script], { cwd: place.files });
    children.push(stranger);
    await expect.poll(() => commandOf(stranger.pid!)).toBe('sleep');
    expect(readlinkSync(`/proc/${stranger.pid}/fd/1`)).toBe(path);
    const command = await sleeper('ignore');
    await endTree({ pid: command.pid!, ownGroup: true, outputs: [path] });
    expect(isAlive(command.pid!)).toBe(false);
    expect(isAlive(stranger.pid!)).toBe(true);
  },
);

function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/comm`, 'latin1').trim();
}

async function sleeper(output: number | 'ignore'): Promise<ChildProcess> {
  const child = spawn('sleep', ['60'], { stdio: ['ignore', output, 'ignore'], detached: true });
  children.push(child);
  await once(child, 'spawn');
  return child;
}
