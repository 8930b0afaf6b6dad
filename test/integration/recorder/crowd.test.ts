/** Records many runs into one session at the same time: as many runs of one process, then as many processes. */
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runRecorded } from '../../../electron/host/recording/run.ts';
import { openRecordingHome } from '../../../electron/host/recording/run-request.ts';
import { loadConfig } from '../../../electron/host/settings/config.ts';
import { finished, makePlace, type Place, runCli, startCli } from '../../fixtures/cli.ts';
import { type Capture, capturesIn } from '../../fixtures/library/captured.ts';
import { CROWD } from '../../fixtures/sizes.ts';

const MB = 1024 * 1024;
/** Processes there is room for: twice the 16 MB and 12 tasks (threads count) that each takes. */
const room = {
  memory: Math.floor(process.availableMemory() / (32 * MB)),
  tasks: Math.floor(tasksLeft() / 24),
};
for (const [what, size] of Object.entries(room))
  if (size < CROWD) console.info(`there is room for ${size} processes at once, not ${CROWD}: ${what}`);
const count = Math.max(2, Math.min(CROWD, room.memory, room.tasks));
/** Milliseconds. */
const TIMEOUT = 60_000 + CROWD * 1500;

let place: Place;
/** The FIFO that every run waits for; closing our end releases them. */
let gate = -1;
beforeEach(() => {
  place = makePlace({ minFreeBytes: 0 });
  execFileSync('mkfifo', [join(place.files, 'gate')]);
  gate = openSync(join(place.files, 'gate'), 'r+');
});
afterEach(() => {
  openGate();
  place.remove();
});

function openGate(): void {
  if (gate >= 0) closeSync(gate);
  gate = -1;
}

/** A run that has printed has opened the gate, so it cannot miss its closing. */
const script = (i: number) => `exec 3< gate; echo number ${i}; read line <&3; exit ${i % 7}`;
const numberIn = ({ record }: Capture) => Number(/number (\d+)/.exec(record.args!.join())?.[1]);

/** Each has a record of its own, in the one folder, and says that it runs. */
function expectAllRunning(all: number): void {
  const captures = capturesIn(place.home);
  expect(captures.map(({ record }) => record.status)).toEqual(Array(all).fill('running'));
  expect(new Set(captures.map(({ record }) => record.artifact_id)).size).toBe(all);
  expect(new Set(captures.map(numberIn)).size).toBe(all);
  expect(new Set(captures.map(({ folder }) => folder)).size).toBe(1);
}

function expectAllEnded(all: number): void {
  const captures = capturesIn(place.home);
  expect(captures).toHaveLength(all);
  for (const capture of captures) {
    const i = numberIn(capture);
    expect(capture.record).toMatchObject({ session: 'crowd', exit_code: i % 7, recorder: null });
    expect(Buffer.from(capture.record.streams[0]!.folded!, 'base64').toString()).toBe(`number ${i}\n`);
  }
}

test(`${CROWD} runs of one process have a record and an id each`, { timeout: TIMEOUT }, async () => {
  const capturing = openRecordingHome(place.home, loadConfig(place.home));
  let printed = 0;
  const results = Array.from({ length: CROWD }, async (_, i) => {
    const running = await runRecorded(
      capturing,
      {
        ...{ command: 'sh', args: ['-c', script(i)], session: 'crowd', cwd: place.files, env: process.env },
        ...{ stdin: 'ignore', ownGroup: true },
      },
      {
        onOutput: () => {
          printed += 1;
          return null;
        },
      },
    );
    return running.result;
  });
  await expect.poll(() => printed, { timeout: TIMEOUT }).toBe(CROWD);
  expectAllRunning(CROWD);
  openGate();
  for (const [i, result] of results.entries()) {
    const { head, parts } = await result;
    expect(head.exit_code).toBe(i % 7);
    expect(parts[0]!.content).toBe(`number ${i}`);
  }
  expectAllEnded(CROWD);
});

test(`${count} processes at once have a record and an id each, in a home that does not exist yet`, {
  timeout: TIMEOUT,
}, async () => {
  rmSync(place.home, { recursive: true });
  let printed = 0;
  const ends = Array.from({ length: count }, (_, i) => {
    const child = startCli(['run', '--session', 'crowd', '--', 'sh', '-c', script(i)], place);
    child.stdin.end();
    child.stdout.once('data', () => {
      printed += 1;
    });
    return finished(child);
  });
  await expect.poll(() => printed, { timeout: TIMEOUT, interval: 200 }).toBe(count);
  expectAllRunning(count);
  const { stdout } = await runCli(
    ['list', '--status', 'running', '--session', 'crowd', '--limit', '1000', '--json'],
    place,
  );
  expect(JSON.parse(stdout).outputs).toHaveLength(count);
  openGate();
  for (const [i, end] of ends.entries()) {
    expect(await end).toMatchObject({ status: i % 7, stdout: `number ${i}\n`, stderr: '' });
  }
  expectAllEnded(count);
});

/** That this process may have made, by what the system tells. */
function tasksLeft(): number {
  const ofUser = Number(textOf(() => execFileSync('bash', ['-c', 'ulimit -u'])));
  return Math.min(ofUser || Number.POSITIVE_INFINITY, ...taskGroups().map(leftIn));
}

/** Nested cgroups that limit tasks, from proc(5)'s `id:controllers:path`, in either hierarchy. */
function taskGroups(): string[] {
  const lines = textOf(() => readFileSync('/proc/self/cgroup')).split('\n');
  return lines.flatMap((line) => {
    const [, controllers = '', path = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    const isOld = controllers.split(',').includes('pids');
    if (!isOld && !line.startsWith('0::')) return [];
    const root = isOld ? '/sys/fs/cgroup/pids' : '/sys/fs/cgroup';
    const names = path.split('/').filter(Boolean);
    return [root, ...names.map((_, i) => join(root, ...names.slice(0, i + 1)))];
  });
}

function leftIn(group: string): number {
  const figureIn = (name: string) =>
    Number.parseInt(
      textOf(() => readFileSync(join(group, name))),
      10,
    );
  // No limit is written as a word. In a container the group's path may be one outside.
  const most = figureIn('pids.max');
  return Number.isNaN(most) ? Number.POSITIVE_INFINITY : Math.max(0, most - (figureIn('pids.current') || 0));
}

function textOf(read: () => Buffer): string {
  try {
    return read().toString().trim();
  } catch {
    return '';
  }
}
