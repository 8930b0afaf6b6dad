/** How `spillway mcp` starts: answered at once, then served; and how it ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openingReplies } from '../../../electron/mcp/opening-replies.ts';
import { version } from '../../../package.json' with { type: 'json' };
import { cliEntry as entry, makePlace, type Place } from '../../fixtures/cli.ts';
import { callTool, INITIALIZE, type JsonRpc } from '../../fixtures/mcp/client.ts';
import { until } from '../../fixtures/until.ts';

let place: Place;
let server: ChildProcess;
let replies: JsonRpc[];

beforeEach(() => {
  place = makePlace();
  replies = [];
});
afterEach(() => {
  server.kill('SIGKILL');
  place.remove();
});

function start(env: NodeJS.ProcessEnv = {}, ...args: string[]): void {
  server = spawn(process.execPath, [entry, 'mcp', ...args], {
    cwd: place.files,
    env: { ...process.env, SPILLWAY_HOME: place.home, ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
}

/** Reads all that the server says from now on. */
function read(): void {
  let rest = '';
  server.stdout!.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    replies.push(...lines.map((line) => JSON.parse(line) as JsonRpc));
  });
}

function send(...messages: object[]): void {
  server.stdin!.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
}

function reply(id: string | number): Promise<JsonRpc> {
  return until(() => replies.find((one) => one.id === id));
}

const LIST = { jsonrpc: '2.0', id: 'list', method: 'tools/list' };

/** Bytes of files and pipes that the process has read: code that it has loaded is among them. */
function bytesRead(): number {
  return Number(/^rchar: (\d+)/.exec(readFileSync(`/proc/${server.pid}/io`, 'latin1'))![1]);
}

test('the opening is answered before the server is loaded, and what follows by the server, each once', async () => {
  start();
  read();
  send(INITIALIZE);
  const initialized = await reply('init');
  const readForOpening = bytesRead();
  send({ jsonrpc: '2.0', method: 'notifications/initialized' }, LIST);
  const listed = await reply('list');
  const own = (await openingReplies(version)).running.legacy;
  expect(initialized.result).toEqual({ ...own.initialize, protocolVersion: '2025-11-25' });
  expect(listed.result).toEqual(own.tools);
  send(callTool(7, 'run_command', { command: 'echo served' }));
  expect((await reply(7)).result.content[1].text).toBe('served');
  expect(replies.map(({ id }) => id)).toEqual(['init', 'list', 7]);
  expect(readForOpening).toBeLessThan(bytesRead() / 4);
});

/** Scripts that the process has loaded, when it has ended. */
async function loadedBy(...messages: object[]): Promise<number> {
  const coverage = join(place.files, `coverage-${messages.length}`);
  start({ NODE_V8_COVERAGE: coverage });
  read();
  send(...messages);
  server.stdin!.end();
  await new Promise((resolve) => server.once('close', resolve));
  const [file] = readdirSync(coverage);
  const { result } = JSON.parse(readFileSync(join(coverage, file!), 'utf8')) as { result: { url: string }[] };
  return result.filter(({ url }) => url.startsWith('file:')).length;
}

test('for a client that leaves after the opening, no server is loaded', async () => {
  const opening = [INITIALIZE, { jsonrpc: '2.0', method: 'notifications/initialized' }, LIST];
  expect(await loadedBy(...opening)).toBe(1);
  expect(replies.map(({ id }) => id)).toEqual(['init', 'list']);
  expect(await loadedBy(...opening, callTool(1, 'storage_stats'))).toBeGreaterThan(1);
  expect(replies.map(({ id }) => id)).toEqual(['init', 'list', 'init', 'list', 1]);
});

test('a client that does not list the tools, or sends all at once, is served too', async () => {
  start({}, '--no-run');
  read();
  send(
    { ...INITIALIZE, params: { ...INITIALIZE.params, protocolVersion: '1999-01-01' } },
    callTool(1, 'storage_stats'),
    LIST,
  );
  expect((await reply('init')).result.protocolVersion).toBe('2025-11-25');
  expect((await reply(1)).result.structuredContent).toMatchObject({ file_count: 0 });
  const { tools } = (await reply('list')).result as { tools: { name: string }[] };
  expect(tools.map(({ name }) => name)).not.toContain('run_command');
});

test('a home that others can enter is refused before anything is answered', async () => {
  const { chmodSync } = await import('node:fs');
  chmodSync(place.home, 0o755);
  start();
  read();
  send(INITIALIZE);
  const code = await new Promise((resolve) => server.once('exit', resolve));
  expect([code, replies]).toEqual([2, []]);
});

test('the end of input ends servers with status 0, while several start on fresh homes', async () => {
  const codes = Array.from({ length: 6 }, (_, n) => {
    const home = join(place.files, `home-${n}`);
    const one = spawn(process.execPath, [entry, 'mcp'], {
      env: { ...process.env, SPILLWAY_HOME: home },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    one.stdin!.end('garbage\n');
    return new Promise((resolve) => one.once('exit', resolve));
  });
  expect(await Promise.all(codes)).toEqual([0, 0, 0, 0, 0, 0]);
});

test('the end of input ends the server though nobody reads its output', async () => {
  start();
  // More than a pipe and the buffers before it hold.
  send(INITIALIZE, ...Array.from({ length: 60 }, (_, id) => ({ ...LIST, id })));
  server.stdin!.end();
  const code = await new Promise((resolve) => server.once('exit', resolve));
  expect(code).toBe(0);
});

test('the end of input ends the server though nobody reads its output and more is asked for than is worked on', async () => {
  start();
  const long = (id: number) =>
    callTool(id, 'run_command', { command: 'seq 100000', include_full_output: true });
  send(INITIALIZE, ...Array.from({ length: 100 }, (_, id) => long(id)));
  server.stdin!.end();
  const code = await new Promise((resolve) => server.once('exit', resolve));
  expect(code).toBe(0);
});

const HAS_BEGUN = 'while ! [ -s pid ]; do sleep 0.1; done';

/**
 * Runs a shell script that starts the server with requests, one of which runs a command for ever, and `more`. Returns
 * the command's pid.
 */
async function foreverBehind(script: string, more: object[] = []): Promise<number | false> {
  const pidFile = join(place.files, 'pid');
  const command = `echo $$ > ${pidFile}; exec /bin/sleep 600`;
  const requests = [INITIALIZE, callTool('run', 'run_command', { command, timeout: 900_000 }), ...more];
  writeFileSync(join(place.files, 'requests'), requests.map((one) => `${JSON.stringify(one)}\n`).join(''));
  server = spawn('/bin/sh', ['-c', script, process.execPath, entry], {
    ...{ cwd: place.files, stdio: 'ignore' },
    env: { ...process.env, SPILLWAY_HOME: place.home },
  });
  return until(() => existsSync(pidFile) && Number(readFileSync(pidFile, 'utf8').trim()));
}

test('what runs ends when nobody reads the output any more', async () => {
  const pid = await foreverBehind(`"$0" "$1" mcp < requests | ( ${HAS_BEGUN} ); exec sleep 600`);
  await until(() => !existsSync(`/proc/${pid}`));
});

test('what runs ends with a client that dies when it has sent more than is read ahead', async () => {
  const busy = Array.from({ length: 7 }, (_, id) =>
    callTool(id, 'run_command', { command: 'exec /bin/sleep 600', timeout: 900_000 }),
  );
  const waiting = Array.from({ length: 150 }, (_, id) =>
    callTool(100 + id, 'capture_output', { content: 'x'.repeat(4000) }),
  );
  const client = `( cat requests; ${HAS_BEGUN} ) | "$0" "$1" mcp | ( ${HAS_BEGUN} ); exec sleep 600`;
  const pid = await foreverBehind(client, [...busy, ...waiting]);
  await until(() => !existsSync(`/proc/${pid}`));
});

test('without Perl, what runs ends when the parent has ended', async () => {
  const pid = await foreverBehind(
    `PATH=/nonexistent "$0" "$1" mcp < requests > said & ${HAS_BEGUN}; sleep 1`,
  );
  await until(() => !existsSync(`/proc/${pid}`));
});
