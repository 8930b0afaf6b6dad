/**
 * A home with 20,000 captures, and no session's index in memory: the first list, the first statistics, the cleanup of
 * all, and the time until `spillway serve` answers. Each asked of a process of its own, over the built command.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { createHost } from '../../electron/host/create.ts';
import { HOUR, storeCapture } from '../fixtures/library/stored-captures.ts';
import { type Figure, folder, median, report } from './harness.ts';

const CAPTURES = 20_000;
const SESSIONS = 40;
const RUNS = 3;
const cli = join(process.cwd(), 'dist/node/cli.js');
const text = 'a line of some length, as they are\n'.repeat(240);
const home = mkdtempSync(join(folder, 'home-'));
for (let i = 0; i < CAPTURES; i += 1) {
  const session = `session ${i % SESSIONS}`;
  storeCapture(home, { session, ended: Date.now() - HOUR - i, text: i % 2 === 0 ? null : text });
}

const times = {
  list: [] as number[],
  stats: [] as number[],
  statsCpu: [] as number[],
  start: [] as number[],
};
/** Other work on the machine increases every figure except processor time. */
const [load] = loadavg();
for (let run = 0; run < RUNS; run += 1) {
  const begun = performance.now();
  const host = await createHost({ home, watch: true, threads: 1 });
  await host.list({ limit: 20 });
  const listed = performance.now();
  const used = process.cpuUsage();
  await host.stats({});
  const { user, system } = process.cpuUsage(used);
  times.statsCpu.push((user + system) / 1000);
  times.list.push(listed - begun);
  times.stats.push(performance.now() - listed);
  await host.close();
  times.start.push(await serveStart());
}
const begun = performance.now();
const { status, stderr } = spawnSync(process.execPath, [cli, 'cleanup', '--older-than', '0'], {
  env: { ...process.env, SPILLWAY_HOME: home },
  stdio: ['ignore', 'ignore', 'pipe'],
  encoding: 'utf8',
});
if (status !== 0) throw new Error(stderr);
const cleanup = performance.now() - begun;
rmSync(home, { recursive: true, force: true });

/** Milliseconds until the server prints its address. */
async function serveStart(): Promise<number> {
  const from = performance.now();
  const child = spawn(process.execPath, [cli, 'serve', '--port', '0'], {
    env: { ...process.env, SPILLWAY_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const taken = performance.now() - from;
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('exit', resolve));
  return taken;
}

const figures: Figure[] = [
  { what: `first list of the newest 20 of ${CAPTURES}`, value: median(times.list), unit: 'ms', limit: 1000 },
  { what: 'first statistics', value: median(times.stats), unit: 'ms', limit: 1000 },
  { what: 'of that the processor’s', value: median(times.statsCpu), unit: 'ms' },
  { what: 'start of `serve` to its address', value: median(times.start), unit: 'ms', limit: 1000 },
  { what: 'cleanup of all', value: cleanup, unit: 'ms', limit: 10_000 },
  { what: 'processes that wanted to run meanwhile', value: load!, unit: '' },
];
report('many', figures, { captures: CAPTURES, sessions: SESSIONS, times, cleanup });
