/**
 * The library with 10,000 files: time to the first list, cost at rest and at a thousand changes a second; and
 * following a file that grows by 10,000 lines a second. Each in its own process. SPILLWAY_BENCH_SECONDS: how
 * long the file is written to (100, which makes 300 MB).
 */
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createHost } from '../../electron/host/create.ts';
import type { Host } from '../../electron/host/host.ts';
import { makeFolder, removeFolder } from '../fixtures/folder.ts';
import { MIB, median, percentile, report } from './harness.ts';

const FILES = 10_000;
const IDLE_SECONDS = 30;
const STORM_SECONDS = 10;
const FOLLOW_SECONDS = Number(process.env.SPILLWAY_BENCH_SECONDS ?? 100);
const LINES_A_SECOND = 10_000;
const LINE_BYTES = 300;

const me = fileURLToPath(import.meta.url);
const [, , role, folder = ''] = process.argv;
const roles: Record<string, () => Promise<unknown>> = { start, idle, storm, follow, change, write };
if (role === undefined) await main();
else {
  const answer = await roles[role]!();
  if (answer !== undefined) console.log(JSON.stringify(answer));
  process.exit();
}

async function main(): Promise<void> {
  const place = makeFolder();
  const source = join(place, 'source');
  mkdirSync(source);
  for (let i = 0; i < FILES; i += 1) writeFileSync(join(source, `output-${i}.log`), `output ${i}\n`);
  try {
    const starts = [1, 2, 3, 4, 5].map(() => measured<Awaited<ReturnType<typeof start>>>('start', source));
    const idling = measured<Awaited<ReturnType<typeof idle>>>('idle', source);
    const stormy = measured<Awaited<ReturnType<typeof storm>>>('storm', source);
    const followed = measured<Awaited<ReturnType<typeof follow>>>('follow', join(place, 'followed.log'));
    const of = <K extends string>(key: K, runs: Record<K, number>[]) => median(runs.map((run) => run[key]));
    report(
      'library',
      [
        {
          what: `start to the first page of ${FILES} files`,
          value: of('first', starts),
          unit: 'ms',
          limit: 500,
        },
        { what: 'start to all of them told', value: of('all', starts), unit: 'ms' },
        { what: 'list of the newest 20, right after a change', value: of('list', starts), unit: 'ms' },
        { what: `CPU while nothing happens, ${IDLE_SECONDS} s`, value: idling.cpu, unit: '%', limit: 1 },
        { what: 'CPU while 1,000 files change a second', value: stormy.cpu, unit: '%', limit: 50 },
        { what: 'longest wait of the event loop then, p99', value: stormy.loopP99, unit: 'ms', limit: 33 },
        { what: 'events a second then', value: stormy.events, unit: '1/s', limit: 11 },
        {
          what: 'from a change to its being told then, p95',
          value: stormy.latencyP95,
          unit: 'ms',
          limit: 1000,
        },
        { what: 'lines missing of those followed', value: followed.missing, unit: 'lines', limit: 0 },
        { what: 'resident memory, last quarter above first', value: followed.grown, unit: 'MiB', limit: 20 },
        { what: 'CPU of the host while it follows', value: followed.cpu, unit: '%' },
        { what: 'from a line to its being told, p95', value: followed.latencyP95, unit: 'ms', limit: 1000 },
      ],
      { starts, idling, stormy, followed },
    );
  } finally {
    removeFolder(place);
  }
}

function measured<T>(what: string, where: string): T {
  const { stdout, status } = spawnSync(process.execPath, [me, what, where], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * MIB,
  });
  if (status !== 0) throw new Error(`measuring ${what} failed`);
  return JSON.parse(stdout) as T;
}

async function hostOn(path: string): Promise<Host> {
  const home = makeFolder();
  process.on('exit', () => removeFolder(home));
  return createHost({ home, watch: true, threads: 1, paths: [path] });
}

async function start() {
  const begun = performance.now();
  const host = await hostOn(folder);
  let told = 0;
  let first = 0;
  const all = await new Promise<number>((resolve) => {
    host.watchLibrary(({ changed }) => {
      first ||= performance.now() - begun;
      told += changed.length;
      if (told >= FILES) resolve(performance.now() - begun);
    });
  });
  await wait(500);
  appendFileSync(join(folder, 'output-1.log'), 'more\n');
  await wait(500);
  const asked = performance.now();
  await host.list({});
  return { first, all, list: performance.now() - asked };
}

async function idle() {
  const host = await hostOn(folder);
  host.watchLibrary(() => {});
  await wait(3000);
  const meter = cpuMeter();
  await wait(IDLE_SECONDS * 1000);
  return { cpu: meter() };
}

async function storm() {
  const host = await hostOn(folder);
  const sent = new Map<string, number>();
  const latencies: number[] = [];
  let events = 0;
  host.watchLibrary(({ changed }) => {
    events += 1;
    for (const { streams } of changed) {
      // The writer says in the name of a file when it made it.
      const made = streams[0]!.file_path!.match(/made-\d+-(\d+)\.log$/)?.[1];
      if (made === undefined || sent.has(made)) continue;
      sent.set(made, 1);
      latencies.push(Date.now() - Number(made));
    }
  });
  await wait(3000);
  const loop = monitorEventLoopDelay({ resolution: 5 });
  const before = events;
  loop.enable();
  const meter = cpuMeter();
  await ended(spawn(process.execPath, [me, 'change', folder], { stdio: 'inherit' }));
  const cpu = meter();
  return {
    cpu,
    loopP99: loop.percentile(99) / 1e6 - 5,
    loopMax: loop.max / 1e6 - 5,
    events: (events - before) / STORM_SECONDS,
    latencyP95: percentile(latencies, 95),
    latencies,
  };
}

/** Appends to a thousand of the files a second, and makes twenty new ones. */
async function change() {
  let n = 0;
  const end = Date.now() + STORM_SECONDS * 1000;
  for (let turn = 0; Date.now() < end; turn += 1) {
    for (let i = 0; i < 10; i += 1, n += 1) appendFileSync(join(folder, `output-${n % FILES}.log`), 'more\n');
    if (turn % 5 === 0) writeFileSync(join(folder, `made-${turn}-${Date.now()}.log`), '');
    await wait(10);
  }
}

async function follow() {
  writeFileSync(folder, '');
  const host = await hostOn(folder);
  const [artifact] = (await host.list({})).outputs;
  const document = { artifact_id: artifact!.artifact_id };
  const writer = spawn(process.execPath, [me, 'write', folder], { stdio: 'inherit' });
  const latencies: number[] = [];
  const rss: number[] = [];
  let read = 0;
  let missing = 0;
  let lines = 0;
  let isReading = false;
  const readOn = async () => {
    while (read < lines) {
      const { rows } = await host.rows({ document, start_line: read + 1, count: 2048 });
      for (const row of rows) {
        const [number, at] = row.text.split(' ');
        // The last line may be on its way still.
        if (row.bytes < LINE_BYTES - 1) return;
        read += 1;
        if (Number(number) !== read) missing += 1;
        if (read % 1000 === 0) latencies.push(Date.now() - Number(at));
      }
      if (rows.length === 0) return;
    }
  };
  host.watchDocument(
    document,
    (state) => {
      lines = state.total_lines;
      if (isReading) return;
      isReading = true;
      void readOn().finally(() => {
        isReading = false;
      });
    },
    (error) => {
      throw error;
    },
  );
  await wait(2000);
  const meter = cpuMeter();
  const timer = setInterval(() => rss.push(process.memoryUsage.rss() / MIB), 500);
  await ended(writer);
  const cpu = meter();
  clearInterval(timer);
  const total = FOLLOW_SECONDS * LINES_A_SECOND;
  for (let i = 0; i < 100 && read < total; i += 1) await wait(100);
  missing += total - read;
  const quarter = Math.floor(rss.length / 4);
  const grown = median(rss.slice(-quarter)) - median(rss.slice(quarter / 2, quarter * 1.5));
  return {
    missing,
    grown,
    cpu,
    latencyP95: percentile(latencies, 95),
    megabytes: (total * LINE_BYTES) / 1e6,
    rss,
  };
}

async function write() {
  const begun = Date.now();
  const total = FOLLOW_SECONDS * LINES_A_SECOND;
  for (let line = 0; line < total; ) {
    const due = Math.min(total, Math.floor(((Date.now() - begun) / 1000) * LINES_A_SECOND));
    let text = '';
    for (; line < due; line += 1) text += `${`${line + 1} ${Date.now()} `.padEnd(LINE_BYTES - 1, 'x')}\n`;
    appendFileSync(folder, text);
    await wait(10);
  }
}

/** Gives per cent of one core since it was made. */
function cpuMeter(): () => number {
  const from = process.cpuUsage();
  const begun = performance.now();
  return () => {
    const { user, system } = process.cpuUsage(from);
    return (user + system) / 10 / (performance.now() - begun);
  };
}

function ended(child: ReturnType<typeof spawn>): Promise<void> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`exit ${code}`))));
  });
}
