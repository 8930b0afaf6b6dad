/**
 * 20 sources with 1,000 files each: 15 agents and 5 other directories. Measures the time until `spillway serve`
 * answers and until the first list, the cost at rest, and how soon a new file is listed.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createHost, type LocalHost } from '../../electron/host/create.ts';
import { AgentHome } from '../fixtures/agents/homes.ts';
import { median, report } from './harness.ts';

const FILES = 1000;
const IDLE_SECONDS = 20;
const NEW_FILES = 30;
const YESTERDAY = Date.now() / 1000 - 86_400;
/** Longer than it takes to read the facts of 15,000 captures. */
const SETTLE_MS = 60_000;

const uuid = (i: number) => `${i.toString(16).padStart(8, '0')}-1130-4381-a919-00085e849f41`;
const hex = (i: number, length: number) => i.toString(16).padStart(length, '0');
const PATHS: readonly ((i: number) => string)[] = [
  (i) => `tmp/claude-1001/-w/${uuid(Math.floor(i / 50))}/tasks/b${hex(i, 8)}.output`,
  (i) =>
    `home/.codex/sessions/2026/11/${String((i % 28) + 1).padStart(2, '0')}/rollout-2026-${uuid(i)}.jsonl`,
  (i) => `home/.gemini/tmp/p${i % 10}/tool-outputs/session-${uuid(i % 40)}/run_shell_command__${i}.txt`,
  (i) => `home/.local/share/opencode/tool-output/tool_${hex(i, 26)}`,
  (i) => `home/.local/share/kilo/tool-output/tool_${hex(i, 26)}`,
  (i) => `tmp/${i}-copilot-tool-output-1-${uuid(i)}.txt`,
  (i) => `home/.qwen/tmp/${hex(i % 10, 64)}/run_${hex(i, 12)}.output`,
  (i) => `home/.kimi-code/sessions/wd_a/session_${uuid(i % 20)}/agents/main/tasks/bash-${i}/output.log`,
  (i) => `tmp/droid-bg-${i}.out`,
  (i) => `tmp/pi-bash-${hex(i, 16)}.log`,
  (i) => `tmp/cline/proceed-while-running-${i}-a1b2c3d.log`,
  (i) => `home/.cursor/projects/p${i % 10}/terminals/${i}.txt`,
  (i) => `home/.config/Code/copilot-terminal-output/copilot-terminal-output-${uuid(i)}.txt`,
  (i) => `home/.config/Code/User/globalStorage/a.roo-cline/tasks/${i % 50}/command-output/cmd-${i}.txt`,
  (i) => `tmp/.tmp${hex(i, 6)}`,
  ...[0, 1, 2, 3, 4].map((n) => (i: number) => `own-${n}/output-${i}.log`),
];

const me = fileURLToPath(import.meta.url);
const [, , role, folder = ''] = process.argv;
if (role === undefined) await main();
else {
  console.log(JSON.stringify(await { start, run }[role as 'start' | 'run']()));
  process.exit();
}

async function main(): Promise<void> {
  const agents = new AgentHome();
  for (const path of PATHS)
    for (let i = 0; i < FILES; i += 1) utimesSync(put(agents.folder, path(i)), YESTERDAY, YESTERDAY);
  const own = [0, 1, 2, 3, 4].map((n) => join(agents.folder, `own-${n}`));
  agents.write('spillway/config.json', JSON.stringify({ sources: own }));
  try {
    const [load] = loadavg();
    const addresses: number[] = [];
    for (let run = 0; run < 5; run += 1) addresses.push(await serveStart(agents));
    const starts = [1, 2, 3, 4, 5].map(() =>
      measured<{ first: number; cpu: number; files: number }>('start', agents.folder),
    );
    const ran = measured<Awaited<ReturnType<typeof run>>>('run', agents.folder);
    report(
      'sources',
      [
        { what: 'start of `serve` to its address', value: median(addresses), unit: 'ms', limit: 1000 },
        {
          what: `start to the list of ${starts[0]!.files} files in ${PATHS.length} sources`,
          value: median(starts.map(({ first }) => first)),
          unit: 'ms',
          limit: 1000,
        },
        {
          what: 'CPU of that, the process included',
          value: median(starts.map(({ cpu }) => cpu)),
          unit: 'ms',
        },
        { what: `CPU while nothing happens, ${IDLE_SECONDS} s`, value: ran.cpu, unit: '%', limit: 1 },
        { what: 'from a new file to its being listed, median', value: ran.latency, unit: 'ms', limit: 200 },
        { what: 'CPU for reading what the files tell, once', value: ran.settled, unit: 'ms' },
        { what: 'processes that wanted to run meanwhile', value: load!, unit: '' },
      ],
      { addresses, starts, ran },
    );
  } finally {
    agents.remove();
  }
}

/** Milliseconds until the server prints its address. */
async function serveStart(agents: AgentHome): Promise<number> {
  const from = performance.now();
  const cli = join(process.cwd(), 'dist/node/cli.js');
  const child = spawn(process.execPath, [cli, 'serve', '--port', '0'], {
    env: { ...process.env, ...agents.env, SPILLWAY_HOME: join(agents.folder, 'spillway') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const taken = performance.now() - from;
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('exit', resolve));
  return taken;
}

function measured<T>(what: string, where: string): T {
  const { stdout, status } = spawnSync(process.execPath, [me, what, where], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`measuring ${what} failed`);
  return JSON.parse(stdout) as T;
}

function put(base: string, path: string): string {
  const full = join(base, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, `output of ${path}\n`);
  return full;
}

function host(): Promise<LocalHost> {
  return createHost({
    home: join(folder, 'spillway'),
    watch: true,
    publish: true,
    user: {
      home: join(folder, 'home'),
      temporary: join(folder, 'tmp'),
      env: { CLAUDE_CODE_TMPDIR: join(folder, 'tmp') },
      platform: 'linux',
    },
  });
}

async function start() {
  const began = performance.now();
  const made = await host();
  await made.list({ limit: 20 });
  const first = performance.now() - began;
  const cpu = cpuMs({ user: 0, system: 0 });
  const { sources } = await made.stats({});
  return { first, cpu, files: sources.reduce((sum, { file_count }) => sum + file_count, 0) };
}

async function run() {
  const made = await host();
  await made.list({ limit: 1 });
  const before = process.cpuUsage();
  const waiting = new Map<string, (at: number) => void>();
  made.watchLibrary(({ changed }) => {
    for (const { streams } of changed) waiting.get(streams[0]!.file_path!)?.(performance.now());
  });
  for (let last = -1, used = cpuMs(before), end = Date.now() + SETTLE_MS; Date.now() < end; ) {
    last = used;
    await wait(2000);
    used = cpuMs(before);
    if (used - last < 100) break;
  }
  const settled = cpuMs(before);
  const idle = process.cpuUsage();
  await wait(IDLE_SECONDS * 1000);
  const cpu = cpuMs(idle) / (IDLE_SECONDS * 10);
  const latencies: number[] = [];
  for (let i = 0; i < NEW_FILES; i += 1) {
    const path = PATHS[i % PATHS.length]!(FILES + i);
    const listed = new Promise<number>((resolve) => waiting.set(join(folder, path), resolve));
    const began = performance.now();
    put(folder, path);
    latencies.push((await listed) - began);
    await wait(50);
  }
  return { cpu, latency: median(latencies), latencies, settled };
}

function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}
