/** The start of `spillway mcp`: what a client waits for, and what it costs, before and after the server is loaded. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cliEntry } from '../fixtures/cli.ts';
import { makeFolder, removeFolder } from '../fixtures/folder.ts';
import { callTool, INITIALIZE } from '../fixtures/mcp/client.ts';
import { median, report } from './harness.ts';

const RUNS = 9;
/** Until the server has been loaded behind its opening. */
const LOADED_MS = 1500;
/** Linux counts processor time in ticks. */
const TICK_MS = 10;

const home = makeFolder();
const env = { ...process.env, SPILLWAY_HOME: home };
const figures = { answered: [], opened: [], loaded: [], called: [], resident: [] } as Record<
  string,
  number[]
>;
const note = (name: string, value: number) => void figures[name]!.push(value);

try {
  for (let run = 0; run < RUNS; run += 1) await measureStart();
  report(
    'mcp-start',
    [
      { what: 'from spawn to the first answer, median', value: at('answered'), unit: 'ms', limit: 400 },
      { what: 'initialize and tools/list, processor', value: at('opened'), unit: 'ms', limit: 150 },
      { what: 'the server loaded behind them, processor in all', value: at('loaded'), unit: 'ms' },
      { what: 'the first tool call', value: at('called'), unit: 'ms' },
      { what: 'idle, resident', value: at('resident'), unit: 'MB', limit: 120 },
    ],
    figures,
  );
} finally {
  removeFolder(home);
}

function at(name: string): number {
  return median(figures[name]!);
}

async function measureStart(): Promise<void> {
  const start = performance.now();
  const server = spawn(process.execPath, [cliEntry, 'mcp'], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const ask = async (message: object) => {
    const reply = new Promise((resolve) => server.stdout.once('data', resolve));
    server.stdin.write(`${JSON.stringify(message)}\n`);
    await reply;
  };
  await ask(INITIALIZE);
  note('answered', performance.now() - start);
  await ask({ jsonrpc: '2.0', id: 'list', method: 'tools/list' });
  note('opened', processorMs(server));
  await new Promise((resolve) => setTimeout(resolve, LOADED_MS));
  note('loaded', processorMs(server));
  const asked = performance.now();
  await ask(callTool(1, 'storage_stats'));
  note('called', performance.now() - asked);
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  note('resident', (Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) * 1024) / 1e6);
  server.stdin.end();
  await new Promise((resolve) => server.once('exit', resolve));
}

function processorMs({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
