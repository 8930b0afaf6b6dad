/** How `spillway serve` and `spillway mcp` let agents in, from the outside. */
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makePlace, type Place, runCli, startCli } from '../../fixtures/cli.ts';
import {
  callTool,
  connectClient,
  INITIALIZE,
  RawConnection,
  REVISIONS,
  socketTransport,
} from '../../fixtures/mcp/client.ts';
import { until } from '../../fixtures/until.ts';

let place: Place;
let running: ReturnType<typeof startCli> | null = null;

beforeEach(() => {
  place = makePlace();
});

afterEach(async () => {
  if (running !== null && running.exitCode === null) {
    running.kill();
    await once(running, 'exit');
  }
  running = null;
  place.remove();
});

/** Starts `serve`; resolves with what it said on stderr by the time it printed where it is. */
async function serve(args: string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const child = startCli(['serve', ...args], place, env);
  running = child;
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const lines = (text: () => string, wanted: RegExp) =>
    until(() => {
      if (child.exitCode !== null) throw new Error(`it ended: ${said}`);
      return wanted.test(text());
    });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  await lines(() => printed, /Spillway is at/);
  if (args.includes('--mcp-http') || /"mcpHttp"/.test(readFileSync(join(place.home, 'config.json'), 'utf8')))
    await lines(() => said, /bearer token/);
  return said;
}

test('agents come in by the socket, and not by HTTP unless that is switched on', async () => {
  expect(await serve([])).not.toContain('HTTP');
  expect(existsSync(join(place.home, 'run', 'mcp-http.token'))).toBe(false);
  const client = await connectClient(socketTransport(join(place.home, 'run', 'mcp.sock')), '2025-11-25');
  expect((await client.listTools()).tools).toHaveLength(14);
  await client.close();
});

test.each(['option', 'setting'])('by HTTP with the token of the home, switched on by its %s', async (way) => {
  if (way === 'setting') {
    place.remove();
    place = makePlace({ mcpHttp: 0 });
  }
  const said = await serve(way === 'option' ? ['--mcp-http'] : []);
  const [, url, file] = /MCP over HTTP is at (\S+), its bearer token in (.*)/.exec(said) ?? [];
  expect(file).toBe(join(place.home, 'run', 'mcp-http.token'));
  const token = readFileSync(file!, 'utf8').trim();
  expect(said).not.toContain(token);
  for (const revision of REVISIONS) {
    const transport = new StreamableHTTPClientTransport(new URL(url!), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    });
    const client = await connectClient(transport, revision);
    const result = await client.callTool({ name: 'run_command', arguments: { command: 'pwd' } });
    expect((result.content as { text: string }[])[1]?.text).toBe(place.files);
    await client.close();
  }
});

test('an invalid port is an error', async () => {
  const { status, stderr } = await runCli(['serve', '--mcp-http', '99999'], place);
  expect(status).toBe(2);
  expect(stderr).toMatch(/--mcp-http/);
});

test('what agents run by the socket ends with the inspector', async () => {
  await serve([]);
  const connection = new RawConnection(join(place.home, 'run', 'mcp.sock')).read();
  connection.send(
    INITIALIZE,
    callTool(1, 'run_command', { command: 'echo $$; exec sleep 300', background: true }),
  );
  const [, started] = await connection.replies(2);
  const { pid } = JSON.parse(started!.result.content[0].text) as { pid: number };
  running!.kill('SIGTERM');
  await once(running!, 'exit');
  connection.close();
  expect(() => process.kill(pid, 0)).toThrow(/ESRCH/);
  const { stdout } = await runCli(['list', '--json'], place);
  expect(JSON.parse(stdout).outputs[0]).toMatchObject({ status: 'cancelled' });
});

test('spillway mcp that is told to end, or loses its client, ends what it runs', async () => {
  for (const way of ['SIGTERM', 'end of input'] as const) {
    const child = startCli(['mcp'], place);
    running = child;
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    const run = callTool(1, 'run_command', { command: 'exec sleep 300', background: true });
    child.stdin.write(`${JSON.stringify(INITIALIZE)}\n${JSON.stringify(run)}\n`);
    await until(() => said.includes('\\"pid\\":'));
    const pid = Number(/\\"pid\\":(\d+)/.exec(said)?.[1]);
    if (way === 'SIGTERM') child.kill('SIGTERM');
    else child.stdin.end();
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
    expect(() => process.kill(pid, 0)).toThrow(/ESRCH/);
  }
});

test('what a crowd of clients took comes back when they have gone', async () => {
  // With more room, the collector lets hundreds of megabytes wait.
  await serve([], { NODE_OPTIONS: '--max-old-space-size=384' });
  const socket = join(place.home, 'run', 'mcp.sock');
  const resident = () =>
    Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${running!.pid}/status`, 'utf8'))![1]) / 1024;
  const crowd = async () => {
    const clients = Array.from({ length: 60 }, () => new RawConnection(socket).read());
    await Promise.all(
      clients.map(async (client, index) => {
        client.send(INITIALIZE, callTool(index, 'list_outputs', { query: 'x'.repeat(1024 * 1024) }));
        await client.replies(2);
        client.close();
      }),
    );
  };
  await crowd();
  const before = resident();
  for (let round = 0; round < 5; round += 1) await crowd();
  // Were it kept, that would be 300 MiB more of messages alone.
  expect(resident() - before).toBeLessThan(250);
  // On a busy machine, 360 calls with a megabyte each take minutes.
}, 400_000);
