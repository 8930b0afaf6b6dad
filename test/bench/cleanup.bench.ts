/** Cleaning up 10,000 captures, from looking at them to the last one gone, against `rm -rf` of the same files. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cleanUp } from '../../electron/store/retention/cleanup.ts';
import { storageStats } from '../../electron/store/retention/stats.ts';
import { HOUR, storeCapture } from '../fixtures/library/stored-captures.ts';
import { type Figure, folder, median, report } from './harness.ts';

const CAPTURES = 10_000;
const SESSIONS = 20;
const RUNS = 3;
const SETTINGS = { retentionHours: 24, maxTotalBytes: 2 ** 40 };
const now = Date.now();

const text = 'a line of some length, as they are\n'.repeat(240);

/** Half folded into their records, half with a stream of 8 KiB and its times. */
function makeHome(): string {
  const home = mkdtempSync(join(folder, 'home-'));
  for (let i = 0; i < CAPTURES; i += 1) {
    storeCapture(home, {
      session: `session ${i % SESSIONS}`,
      ended: now - 48 * HOUR - i,
      text: i % 2 === 0 ? null : text,
    });
  }
  return home;
}

const times: Record<string, number[]> = {
  cleanup: [],
  'cleanup, CPU': [],
  'dry run': [],
  stats: [],
  'rm -rf': [],
};
/** The longest time that the event loop was blocked. */
const blocked: number[] = [];

async function timed(name: string, work: () => unknown): Promise<void> {
  const start = performance.now();
  await work();
  times[name]!.push(performance.now() - start);
}

for (let run = 0; run < RUNS; run += 1) {
  const home = makeHome();
  await timed('stats', () => storageStats(home, SETTINGS));
  await timed('dry run', () => cleanUp(home, SETTINGS, { older_than_hours: 0, dry_run: true }));
  let longest = 0;
  let last = performance.now();
  const beat = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 1);
  const used = process.cpuUsage();
  await timed('cleanup', async () => {
    const { removed_count } = await cleanUp(home, SETTINGS, { older_than_hours: 0 });
    if (removed_count !== CAPTURES) throw new Error(`${removed_count} were removed`);
  });
  const { user, system } = process.cpuUsage(used);
  times['cleanup, CPU']!.push((user + system) / 1000);
  clearInterval(beat);
  blocked.push(longest);
  rmSync(home, { recursive: true });
  const other = makeHome();
  await timed('rm -rf', () => execFileSync('rm', ['-rf', other]));
}

const figures: Figure[] = [
  { what: `cleanup of ${CAPTURES}, median`, value: median(times.cleanup!), unit: 'ms', limit: 2000 },
  { what: 'of that the processor’s, median', value: median(times['cleanup, CPU']!), unit: 'ms' },
  { what: 'rm -rf of the same, median', value: median(times['rm -rf']!), unit: 'ms' },
  { what: 'ratio', value: median(times.cleanup!) / median(times['rm -rf']!), unit: 'x' },
  { what: 'dry run, median', value: median(times['dry run']!), unit: 'ms' },
  { what: 'stats, median', value: median(times.stats!), unit: 'ms' },
  { what: 'longest that the thread was kept busy, median', value: median(blocked), unit: 'ms' },
];
report('cleanup', figures, { captures: CAPTURES, sessions: SESSIONS, times, blocked });
