/** MCP: small calls on the socket, a grep of 1 GiB, and many clients at once. */
import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cliEntry } from '../fixtures/cli.ts';
import { makeFolder, removeFolder } from '../fixtures/folder.ts';
import { callTool, INITIALIZE, RawConnection } from '../fixtures/mcp/client.ts';
import { compete, folder, GIB, median, percentile, realText, report, warm } from './harness.ts';

const path = realText(GIB);
warm(path);
const home = makeFolder();
writeFileSync(join(home, 'config.json'), JSON.stringify({ sources: [folder] }));
const env = { ...process.env, SPILLWAY_HOME: home };
const socket = join(home, 'run', 'mcp.sock');

const server = spawn(process.execPath, [cliEntry, 'serve', '--port', '0'], { env, stdio: 'ignore' });
try {
  while (!existsSync(socket)) await pause(20);
  const small = await smallCalls();
  const grep = await grepOfAGibibyte();
  const crowd = await manyClients(50, 100);
  report(
    'mcp',
    [
      { what: 'small call on the socket, p50', value: percentile(small, 50), unit: 'ms', limit: 1 },
      { what: 'small call on the socket, p99', value: percentile(small, 99), unit: 'ms' },
      { what: 'grep of 1 GiB through MCP, median', value: median(grep.mcp), unit: 'ms' },
      { what: 'the same on the command line, median', value: median(grep.cli), unit: 'ms' },
      {
        what: 'MCP to command line',
        value: median(grep.mcp) / median(grep.cli),
        unit: 'x',
        limit: 1.3,
      },
      { what: '50 clients x 100 calls: failures', value: crowd.failures, unit: '', limit: 0 },
      { what: '50 clients x 100 calls', value: 5000 / (crowd.ms / 1000), unit: 'calls/s' },
    ],
    { small, grep, crowd },
  );
} finally {
  server.kill();
  await new Promise((resolve) => server.once('exit', resolve));
  removeFolder(home);
}

async function opened(): Promise<RawConnection> {
  const connection = new RawConnection(socket).read();
  connection.send(INITIALIZE);
  await connection.replies(1);
  return connection;
}

async function smallCalls(): Promise<number[]> {
  const connection = await opened();
  const times: number[] = [];
  const small = { file_path: path, mode: 'range', start_line: 1, lines: 1 };
  // The first one counts lines.
  for (let call = -200; call < 3000; call += 1) {
    const start = performance.now();
    connection.send(callTool(call, 'inspect_output', small));
    await connection.replies(1);
    if (call >= 0) times.push(performance.now() - start);
  }
  connection.close();
  return times;
}

/** Another pattern each time, since results are cached. */
async function grepOfAGibibyte(): Promise<{ mcp: number[]; cli: number[] }> {
  const connection = await opened();
  let asked = 0;
  const pattern = () => `mov.*0x${(0x1a30 + asked++).toString(16)}\\b`;
  const times = await compete(
    {
      mcp: async () => {
        connection.send(callTool(asked, 'inspect_output', { file_path: path, pattern: pattern() }));
        await connection.replies(1);
      },
      cli: () =>
        new Promise((resolve) => {
          const args = [cliEntry, 'inspect', path, '--pattern', pattern(), '--json'];
          spawn(process.execPath, args, { env, stdio: 'ignore' }).once('exit', resolve);
        }),
    },
    7,
  );
  connection.close();
  return times;
}

async function manyClients(clients: number, calls: number): Promise<{ failures: number; ms: number }> {
  const start = performance.now();
  const failures = await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      const connection = await opened();
      const line = (call: number) => client * calls + call + 1;
      for (let call = 0; call < calls; call += 1) {
        const args = { file_path: path, start_line: line(call), end_line: line(call) };
        connection.send(callTool(call, 'inspect_output', args));
      }
      const replies = await connection.replies(calls);
      connection.close();
      const right = replies.filter(
        ({ id, result }) =>
          result?.content && JSON.parse(result.content[0].text).start_line === line(Number(id)),
      );
      return calls - right.length;
    }),
  );
  return { failures: failures.reduce((sum, count) => sum + count, 0), ms: performance.now() - start };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
