/** `serve`, `open`, `mcp` and `doctor`: the commands that start things, meet what runs, or look at the machine. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cliEntry, finished, makePlace, type Place, runCli, startCli } from '../../fixtures/cli.ts';
import { INITIALIZE } from '../../fixtures/mcp/client.ts';
import { until } from '../../fixtures/until.ts';

let place: Place;
const children: ChildProcessWithoutNullStreams[] = [];

beforeEach(() => {
  place = makePlace();
  writeFileSync(join(place.files, 'app.log'), 'a\nb\n');
});

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('close', resolve));
  }
  place.remove();
});

/** A browser that records the addresses it is asked to open. */
function fakeBrowser(): { env: NodeJS.ProcessEnv; opened: string } {
  const folder = join(place.files, 'bin');
  const opened = join(place.files, 'opened.txt');
  mkdirSync(folder);
  writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\necho "$1" >> '${opened}'\n`, { mode: 0o755 });
  return { env: { PATH: `${folder}:${process.env.PATH}`, DISPLAY: ':99' }, opened };
}

async function serving(args: string[] = [], env: NodeJS.ProcessEnv = {}) {
  const child = startCli(['serve', ...args], place, env);
  children.push(child);
  const url = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
      const found = /^Spillway is at (http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]+)\n/.exec(said);
      if (found) resolve(found[1]!);
    });
    child.stderr.on('data', (chunk) => reject(new Error(String(chunk))));
    child.once('exit', (code) => reject(new Error(`ended with ${code}`)));
  });
  return { child, url };
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  'serve says where it is, serves, and ends well on %s',
  async (signal) => {
    const { child, url } = await serving();
    expect((await fetch(url)).status).toBe(200);
    expect((await fetch(new URL('/', url))).status).toBe(401);
    const socket = join(place.home, 'run', 'mcp.sock');
    expect(existsSync(socket)).toBe(true);
    const end = new Promise((resolve) => child.once('close', (code, killedBy) => resolve([code, killedBy])));
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    child.kill(signal);
    expect([await end, said]).toEqual([[0, null], '']);
    expect(existsSync(socket)).toBe(false);
  },
);

/**
 * Returns a server that ends when unused, and an agent connected to it. Starts another server if the first ended too
 * soon.
 */
async function servingAgent(): Promise<{ child: ChildProcessWithoutNullStreams; agent: Socket }> {
  for (;;) {
    const { child } = await serving(['--until-unused', '1000']);
    const agent = connect(join(place.home, 'run', 'mcp.sock'));
    agent.write(`${JSON.stringify(INITIALIZE)}\n`);
    const isAnswered = await new Promise((resolve) => {
      agent.once('data', () => resolve(true));
      agent.once('error', () => resolve(false));
      agent.once('close', () => resolve(false));
    });
    if (isAnswered) return { child, agent };
  }
}

test('a server that open starts ends once nothing is connected', async () => {
  const { child, agent } = await servingAgent();
  const connectedAt = performance.now();
  const end = new Promise((resolve) => child.once('close', (code) => resolve(code)));
  // The agent keeps the server running long after it would have ended.
  await until(() => performance.now() - connectedAt > 2500);
  expect(child.exitCode).toBe(null);
  agent.destroy();
  expect(await end).toBe(0);
});

test('serve takes the port it is given, and says when another has it', async () => {
  const { url } = await serving();
  const { port } = new URL(url);
  const other = makePlace();
  const { status, stderr } = await runCli(['serve', '--port', port], other);
  expect(status).toBe(2);
  expect(stderr).toMatch(new RegExp(`^spillway: Port ${port} is in use.*--port`));
  other.remove();
});

test('a second serve says who serves already', async () => {
  const { child } = await serving();
  const { status, stdout, stderr } = await runCli(['serve'], place);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(new RegExp(`process ${child.pid}\\b`));
});

test('a path that cannot be opened is an error before anything is served', async () => {
  const { status, stdout, stderr } = await runCli(['serve', 'missing.log'], place);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(/missing\.log/);
});

test.skipIf(process.platform !== 'linux')(
  'serve --open opens the browser, here and for a second start, which hands its paths over',
  async () => {
    const { env, opened } = fakeBrowser();
    const { url } = await serving(['--open'], env);
    const addresses = () => (existsSync(opened) ? readFileSync(opened, 'utf8').trim().split('\n') : []);
    await until(() => addresses().length === 1);
    const second = await runCli(['serve', '--open', 'app.log'], place, { env });
    expect(second).toMatchObject({ status: 0, stdout: `Spillway is at ${url}\n` });
    await until(() => addresses().length === 2);
    // Every user can read a program's arguments: what stands in them lets in once, and is not the printed address.
    for (const address of addresses()) {
      expect(address).toMatch(new RegExp(`^${new URL(url).origin}/\\?code=[\\w-]{43}$`));
      expect((await fetch(address)).status).toBe(200);
      expect((await fetch(address)).status).toBe(401);
    }
    const { outputs } = JSON.parse((await runCli(['list', '--json'], place)).stdout);
    expect(outputs.map((output: { label: string }) => output.label)).toContain('app.log');
  },
);

test('open hands a file to the inspector that runs, and an id of it', async () => {
  const { url } = await serving();
  expect(await runCli(['open', 'app.log'], place)).toMatchObject({
    status: 0,
    stdout: `Spillway is at ${url}\n`,
    stderr: '',
  });
  const { outputs } = JSON.parse((await runCli(['list', '--json'], place)).stdout);
  const id = outputs.find((output: { label: string }) => output.label === 'app.log').artifact_id;
  expect(await runCli(['open', id], place)).toMatchObject({ status: 0, stdout: `Spillway is at ${url}\n` });
  const { status, stderr } = await runCli(['open', 'file-x-2026-01-13T10-30-00-abc123'], place);
  expect(status).toBe(2);
  expect(stderr).toMatch(/file-x-2026/);
});

test('open starts an inspector that outlives it where none runs, and finds it the next time', async () => {
  const { env } = fakeBrowser();
  // Small: it has no file of its own.
  const captured = await runCli(['capture', '--json'], place, { input: 'small\n' });
  const { artifact_id: id } = JSON.parse(captured.stdout);
  const first = await runCli(['open', id], place, { env });
  expect(first).toMatchObject({
    status: 0,
    stderr: '',
    stdout: expect.stringMatching(/^Spillway is at http:/),
  });
  const pid = Number(readFileSync(join(place.home, 'run', 'control.pid'), 'utf8'));
  try {
    expect((await fetch(first.stdout.trim().split(' ').at(-1)!)).status).toBe(200);
    expect((await runCli(['open', 'app.log'], place, { env })).stdout).toBe(first.stdout);
  } finally {
    process.kill(pid, 'SIGTERM');
    await until(() => !existsSync(join(place.home, 'run', 'control.sock')));
  }
});

test.each([
  ['starts the app where it is installed', (serve: string) => serve],
  ['opens the browser where the app does not start', () => 'exit 133'],
])('open %s', async (_what, then) => {
  const { env } = fakeBrowser();
  const [node, entry] = [process.execPath, cliEntry].map((path) => `'${path}'`);
  // In place of the window, it serves on its own port.
  const app = join(place.files, 'app.sh');
  const given = join(place.files, 'given.txt');
  const serve = `exec ${node} ${entry} serve --port 0 "$@"`;
  writeFileSync(app, `#!/bin/sh\necho "$@" >'${given}'\n${then(serve)}\n`, { mode: 0o755 });
  mkdirSync(join(place.home, 'bin'), { recursive: true, mode: 0o700 });
  const installed = { version: '1.0.0', entry: cliEntry, program: app };
  writeFileSync(join(place.home, 'bin', 'spillway-app.json'), JSON.stringify(installed), { mode: 0o600 });
  const { status, stdout } = await runCli(['open', 'app.log'], place, { env });
  const pid = Number(readFileSync(join(place.home, 'run', 'control.pid'), 'utf8'));
  try {
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^Spillway is at http:/)]);
    expect(readFileSync(given, 'utf8')).toBe(`-- ${join(place.files, 'app.log')}\n`);
  } finally {
    process.kill(pid, 'SIGTERM');
    await until(() => !existsSync(join(place.home, 'run', 'control.sock')));
  }
});

test('mcp writes the protocol and nothing else, and ends with 0 at the end of its input', async () => {
  const input = [
    INITIALIZE,
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'tools/list' },
  ]
    .map((message) => `${JSON.stringify(message)}\n`)
    .join('');
  const { status, stdout, stderr } = await runCli(['mcp'], place, { input });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const replies = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(replies.map((reply) => reply.id)).toEqual(['init', 2]);
  expect(replies[0].result).toMatchObject({
    protocolVersion: '2025-11-25',
    serverInfo: { name: 'spillway' },
  });
});

test('mcp with no input at all ends with 0, and when its reader goes away too', async () => {
  expect(await runCli(['mcp'], place)).toMatchObject({ status: 0, stdout: '', stderr: '' });
  const child = startCli(['mcp'], place);
  children.push(child);
  child.stdout.destroy();
  child.stdin.on('error', () => {});
  child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
  expect((await finished(child)).status).toBe(0);
});

test('doctor says what works, as lines and as JSON, and ends with 1 when something does not', async () => {
  const well = await runCli(['doctor'], place);
  expect(well.status).toBe(0);
  expect(well.stdout).toMatch(/^ok +node +Node\.js/m);
  expect(well.stdout).toMatch(new RegExp(`^ok +home +${place.home}`, 'm'));
  expect(well.stdout).toMatch(/^ok +source .*can be read/m);
  const { ok, checks } = JSON.parse((await runCli(['doctor', '--json'], place)).stdout);
  expect(ok).toBe(true);
  for (const check of checks) expect(check.todo === null, check.name).toBe(check.status === 'ok');

  chmodSync(place.home, 0o755);
  const ill = await runCli(['doctor'], place);
  expect(ill.status).toBe(1);
  expect(ill.stdout).toMatch(/^fail +home .*chmod 700/m);
});

test('doctor says who holds the socket, and which settings and sources are amiss', async () => {
  const { child } = await serving();
  expect((await runCli(['doctor'], place)).stdout).toMatch(
    new RegExp(`^ok +socket +process ${child.pid} `, 'm'),
  );
  writeFileSync(join(place.home, 'config.json'), '{"sources":["/no/such/place"],"maxlinechars":3}');
  const { status, stdout } = await runCli(['doctor'], place);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^warn +settings +.*maxlinechars.*config\.json/m);
  expect(stdout).toMatch(/^warn +source +\/no\/such\/place does not exist/m);
});
