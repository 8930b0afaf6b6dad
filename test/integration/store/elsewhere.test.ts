/** A home shared by containers, which cannot see each other's recorders. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isAlive, QUIET_MS } from '../../../electron/store/format/owner.ts';
import { cliEntry, makePlace, type Place, runCli } from '../../fixtures/cli.ts';
import { onlyCapture, storedBytes, storedSoFar } from '../../fixtures/library/captured.ts';

/** Processes in it have numbers of their own; it ends with its first one. */
const CONTAINER = ['--user', '--map-root-user', '--pid', '--fork', '--mount-proc', '--kill-child'];
const canContain = process.platform === 'linux' && spawnSync('unshare', [...CONTAINER, 'true']).status === 0;
if (!canContain) console.info('skipped: no namespace of processes can be made here (unshare)');

let place: Place;
let container: ChildProcess;

beforeEach(() => {
  place = makePlace({ minFreeBytes: 0 });
});
afterEach(async () => {
  if (container.exitCode === null && container.signalCode === null) {
    const ended = new Promise((resolve) => container.once('exit', resolve));
    container.kill('SIGKILL');
    await ended;
  }
  place.remove();
});

const statuses = async () => {
  const { stdout } = await runCli(['list', '--kind', 'cmd', '--json'], place);
  return JSON.parse(stdout).outputs.map(({ status }: { status: string }) => status);
};

/** Makes all files beside the capture look that old. */
function age(ms: number): void {
  const { folder } = onlyCapture(place.home);
  const then = new Date(Date.now() - ms);
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), then, then);
}

async function startInContainer(script: string): Promise<void> {
  container = spawn('unshare', [...CONTAINER, process.execPath, cliEntry, 'run', '--', 'sh', '-c', script], {
    cwd: place.files,
    env: { ...process.env, SPILLWAY_HOME: place.home },
    // Apart: in a container, nobody can tell whether two openings of one place are one.
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  container.stdout!.resume();
  await expect.poll(() => existsSync(join(place.files, 'printed'))).toBe(true);
}

describe.runIf(canContain)('a recorder in a container', () => {
  test('is not taken for dead from outside, and its command comes to its end', async () => {
    await startInContainer(
      'seq 2000; touch printed; while [ ! -e go ]; do sleep 0.02; done; seq 3000; exit 4',
    );
    const { recorder } = onlyCapture(place.home).record;
    expect(isAlive({ ...recorder!, place: null })).toBe(false);
    expect(await statuses()).toEqual(['running']);
    const { stdout } = await runCli(['cleanup', '--older-than', '0', '--json'], place);
    expect(JSON.parse(stdout)).toMatchObject({ removed_count: 0, stayed: [{ reason: 'running' }] });
    writeFileSync(join(place.files, 'go'), '');
    await expect.poll(() => onlyCapture(place.home).record.status).toBe('failed');
    const capture = onlyCapture(place.home);
    expect(capture.record).toMatchObject({ exit_code: 4, warnings: [] });
    expect(storedBytes(capture, 'stdout').toString()).toMatch(/\n2000\n1\n(.*\n)+3000\n$/);
  });

  test('that was killed with it is interrupted once it was silent for an hour', async () => {
    await startInContainer('seq 2000; touch printed; sleep 600');
    await expect.poll(() => storedSoFar(place.home, 'stdout')).toMatch(/\n2000\n$/);
    const ended = new Promise((resolve) => container.once('exit', resolve));
    container.kill('SIGKILL');
    await ended;
    age(QUIET_MS / 2);
    expect(await statuses()).toEqual(['running']);
    age(QUIET_MS + 60_000);
    expect(await statuses()).toEqual(['interrupted']);
    expect(storedBytes(onlyCapture(place.home), 'stdout').toString()).toMatch(/\n2000\n$/);
  });
});
