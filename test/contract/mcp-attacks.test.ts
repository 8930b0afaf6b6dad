/** Hostile agents: they read nothing outside readable sources, and cannot hang the server. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createHost } from '../../electron/host/create.ts';
import type { Host } from '../../electron/host/host.ts';
import { createAgent } from '../../electron/mcp/agent.ts';
import type { Commands } from '../../electron/mcp/commands/commands.ts';
import { type McpSocket, serveMcpSocket } from '../../electron/mcp/socket.ts';
import { MAX_IN_FLIGHT } from '../../electron/mcp/transport/admission.ts';
import { makePlace, type Place } from '../fixtures/cli.ts';
import { callTool, commandsAt, INITIALIZE, type JsonRpc, RawConnection } from '../fixtures/mcp.ts';

const SECRET = 'the secret that nobody may read';
/** Enough for a machine that is busy; what hangs never ends. */
const ANSWERED_WITHIN_MS = 30_000;

let place: Place;
let host: Host;
let commands: Commands;
let served: McpSocket;
let outside: string;
const defects: unknown[] = [];

beforeAll(async () => {
  place = makePlace();
  outside = join(place.files, '..', 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'secret.log'), SECRET);
  writeFileSync(join(place.files, 'public.log'), 'public line\n');
  mkdirSync(join(place.files, 'folder'));
  writeFileSync(join(place.files, 'folder', 'inner.log'), 'inner line\n');
  symlinkSync(join(outside, 'secret.log'), join(place.files, 'link.log'));
  symlinkSync(outside, join(place.files, 'linked'));
  host = await createHost({ home: place.home, watch: false, threads: 1 });
  commands = commandsAt(place);
  served = await serveMcpSocket({
    runDir: join(place.home, 'run'),
    createAgent: () =>
      createAgent(host, {
        home: place.home,
        commands,
        version: '1.0.0',
        onDefect: (error) => defects.push(error),
      }),
  });
});

afterAll(async () => {
  await served?.close();
  await commands?.close();
  await host?.close();
  place?.remove();
});

async function connected(): Promise<RawConnection> {
  const connection = new RawConnection(served.path).read();
  connection.send(INITIALIZE);
  await connection.replies(1);
  return connection;
}

/** The reply to one message, sent as it is; fails when none comes. */
async function answerTo(message: object | string): Promise<JsonRpc> {
  const connection = await connected();
  const late = setTimeout(() => connection.close(), ANSWERED_WITHIN_MS);
  connection.send(message);
  const [reply] = await connection.replies(1);
  clearTimeout(late);
  connection.close();
  if (reply === undefined) throw new Error(`no answer to ${JSON.stringify(message).slice(0, 200)}`);
  return reply;
}

const ask = (name: string, args: object) => answerTo(callTool(1, name, args));
const textOf = (reply: JsonRpc) => JSON.stringify(reply);

describe('paths', () => {
  const REFUSED = 'no readable output has that path';
  const paths = () => [
    join(outside, 'secret.log'),
    join(place.files, 'link.log'),
    join(place.files, 'linked', 'secret.log'),
    join(place.files, '..', 'outside', 'secret.log'),
    `${place.files}/../outside/secret.log`,
    `${place.files}/folder/../../outside/secret.log`,
    `${place.files}/public.log\0`,
    `${place.files}/public.log/../../outside/secret.log`,
    `file://${join(outside, 'secret.log')}`,
    `${place.files}/%2e%2e/outside/secret.log`,
    `${place.files}/..%2foutside%2fsecret.log`,
    `${place.files}/\u2025/outside/secret.log`,
    '../outside/secret.log',
    '~/.ssh/id_rsa',
    '/etc/passwd',
    '/proc/self/environ',
    '/proc/self/fd/0',
    '/dev/stdin',
    '/dev/zero',
    `/proc/self/root${place.files}/public.log`.replace('public', 'no'),
    join(place.home, 'config.json'),
    join(place.home, 'run', 'mcp.sock'),
    place.files,
    '/',
    '\\\\server\\share\\x',
    'x'.repeat(1_000_000),
  ];

  test('all that lie outside, and all that are not there, are refused in the same words', async () => {
    for (const file_path of paths()) {
      const said = textOf(await ask('inspect_output', { file_path }));
      expect(said, file_path.slice(0, 100)).toContain(REFUSED);
      expect(said).not.toContain(SECRET);
      // Nothing that the caller did not give.
      expect(said.replaceAll(file_path, '')).not.toContain(place.home);
    }
  });

  test('a folder that becomes a link between one look and the next opens nothing', async () => {
    const folder = join(place.files, 'folder');
    const file_path = join(folder, 'inner.log');
    const swapped = join(place.files, '..', 'swapped');
    writeFileSync(join(outside, 'inner.log'), SECRET);
    const connection = await connected();
    let swaps = 0;
    for (let round = 0; round < 60; round += 1) {
      connection.send(callTool(round, 'inspect_output', { file_path }));
      renameSync(folder, swapped);
      symlinkSync(outside, folder);
      connection.send(callTool(`linked ${round}`, 'inspect_output', { file_path }));
      await connection.replies(1);
      rmSync(folder);
      renameSync(swapped, folder);
      const [last] = await connection.replies(1);
      expect(textOf(last!)).not.toContain(SECRET);
      swaps += 1;
    }
    connection.close();
    expect(swaps).toBe(60);
    expect(textOf(await ask('inspect_output', { file_path }))).toContain('inner line');
  });
});

describe('ids', () => {
  const ids = () => [
    '../../outside/secret.log',
    'file-../../x-2026-01-13T10-30-00-abc123',
    'cmd-x/../../y-2026-01-13T10-30-00-abc123',
    'cmd-x\\..\\y-2026-01-13T10-30-00-abc123',
    'cmd-x\0-2026-01-13T10-30-00-abc123',
    'cmd-%2e%2e%2f-2026-01-13T10-30-00-abc123',
    'cmd-x-2026-01-13T10-30-00-abc123\n',
    '__proto__',
    'constructor',
    '',
    ' ',
    '.',
    '*',
    'x'.repeat(100_000),
  ];

  test('none that is not one opens, stops, waits for or removes anything', async () => {
    const before = readdirSync(place.files);
    for (const artifact_id of ids()) {
      for (const [name, args] of [
        ['inspect_output', { artifact_id }],
        ['read_command_output', { artifact_id }],
        ['wait_for_output', { artifact_id }],
        ['stop_command', { artifact_id }],
        ['get_terminal_output', { terminal_id: artifact_id || 'x' }],
        ['cleanup_outputs', { artifact_ids: [artifact_id], older_than_hours: 0 }],
      ] as const) {
        const reply = await ask(name, args);
        const refused =
          reply.result?.isError === true || reply.result?.structuredContent?.removed_count === 0;
        expect(refused, `${name} ${artifact_id.slice(0, 60)}: ${textOf(reply).slice(0, 300)}`).toBe(true);
        expect(textOf(reply).length).toBeLessThan(2000);
      }
    }
    expect(readdirSync(place.files)).toEqual(before);
    expect(readFileSync(join(outside, 'secret.log'), 'utf8')).toBe(SECRET);
  });

  test('a session by any name stays inside of the home', async () => {
    const names = [
      '../../../outside',
      '/etc',
      '..',
      '.',
      'a\0b',
      'a/../../b',
      '\u202e',
      'x'.repeat(1000),
      'CON',
      '-rf',
    ];
    for (const session of names) {
      const reply = await ask('run_command', { command: 'echo', args: ['in'], session });
      expect(textOf(reply)).toContain('exit_code');
      await ask('use_session', { session, cwd: '/' });
    }
    expect(readdirSync(join(place.home, 'captures')).length).toBeGreaterThan(5);
    for (const folder of readdirSync(join(place.home, 'captures')))
      expect(folder).toMatch(/^[\w.-]+-[0-9a-f]{8}$/);
    expect(readdirSync(outside).sort()).toEqual(['inner.log', 'secret.log']);
    expect(readdirSync(join(place.home, '..')).sort()).toHaveLength(3);
  });

  test('labels and sources never become paths', async () => {
    for (const source of [
      '../../../outside/x',
      '/etc/passwd',
      'a\0b',
      '..',
      '\n',
      '%2e%2e%2f',
      'x'.repeat(1000),
    ]) {
      const reply = await ask('capture_output', { content: 'y'.repeat(6000), source });
      const head = JSON.parse(reply.result.content[0].text);
      expect(head.file_path.startsWith(`${join(place.home, 'captures')}/`)).toBe(true);
      expect(head.artifact_id).toMatch(/^[A-Za-z0-9._-]{1,120}$/);
    }
    expect(readdirSync(outside).sort()).toEqual(['inner.log', 'secret.log']);
  });
});

describe('resources', () => {
  test.each([
    'spillway://artifact/../../../etc/passwd',
    'spillway://artifact/..%2f..%2fetc/output',
    'spillway://artifact//output',
    'spillway://other/x/output',
    'SPILLWAY://artifact/x/output',
    'spillway://artifact/x/output?offset=-1',
    'spillway://artifact/file-public.log-2026-01-13T10-30-00-abc123/output?offset=1e9',
    'spillway://artifact/file-public.log-2026-01-13T10-30-00-abc123/output?limit=99999999999999',
    'spillway://user@artifact/x/output#y',
    'file:///etc/passwd',
    '/etc/passwd',
    '',
    '\0',
  ])('%j is none, to read or to watch', async (uri) => {
    for (const method of ['resources/read', 'resources/subscribe']) {
      const reply = await answerTo({ jsonrpc: '2.0', id: 1, method, params: { uri } });
      expect(reply.error?.code).toBe(-32602);
      expect(textOf(reply)).not.toContain(SECRET);
    }
  });
});

describe('numbers and expressions', () => {
  const file = () => ({ file_path: join(place.files, 'public.log') });

  test.each([
    { start_line: Number.MAX_SAFE_INTEGER },
    { start_line: 1, end_line: Number.MAX_SAFE_INTEGER },
    { start_line: -Number.MAX_SAFE_INTEGER },
    { start_line: 1e300 },
    { lines: Number.MAX_SAFE_INTEGER },
    { lines: -1 },
    { lines: 0.5 },
    { lines: '1; rm -rf /' },
    { lines: [1] },
    { lines: { valueOf: 1 } },
    { max_chars: 0 },
    { max_chars: Number.MAX_SAFE_INTEGER },
    { pattern: '(a+)+$' },
    { pattern: '((((((((((a*)*)*)*)*)*)*)*)*)*)*b' },
    { pattern: '(?:'.repeat(500) + ')'.repeat(500) },
    { pattern: '('.repeat(2500) + ')'.repeat(2500) },
    { pattern: '([)]'.repeat(2500) + ')'.repeat(2500) },
    { pattern: '['.repeat(10_000) },
    { pattern: 'a{1000000000}' },
    { pattern: '(?=(.*))\\1\\1\\1' },
    { pattern: '\\u{10ffff}' },
    { pattern: 'x'.repeat(500_000) },
    { pattern: 'x', context_lines: 1e9 },
    { pattern: 'x', max_matches: -5 },
    { pattern: 'x', cursor: '__proto__' },
    { pattern: 'x', cursor: 'x'.repeat(100_000) },
    { mode: 'summary', max_shapes: 1e9 },
    { mode: '__proto__' },
    { encoding: '__proto__' },
    { encoding: '../../x' },
    { stream: 'constructor' },
  ])('%j is answered, and nothing waits for it', async (args) => {
    const mode = 'pattern' in args ? { mode: 'grep' } : {};
    const reply = await ask('inspect_output', { ...file(), ...mode, ...args });
    expect(reply.result?.content?.[0]?.text).toEqual(expect.any(String));
    expect(textOf(reply).length).toBeLessThan(30_000);
    expect(textOf(reply)).not.toMatch(/ {4}at |node_modules|\.ts:\d|defect/);
  });

  test.each([
    { offset: -1 },
    { offset: Number.MAX_SAFE_INTEGER },
    { offset: 0, limit: Number.MAX_SAFE_INTEGER },
    { limit: 0 },
    { search: '(a+)+$' },
    { search: '[' },
  ])('a window of %j is answered', async (args) => {
    const { outputs } = (await ask('list_outputs', { query: 'public.log' })).result.structuredContent;
    const reply = await ask('read_command_output', { artifact_id: outputs[0].artifact_id, ...args });
    expect(reply.result?.content?.[0]?.text).toEqual(expect.any(String));
  });
});

describe('JSON', () => {
  test('that is deep is answered, wherever it is', async () => {
    const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    const list = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    for (const value of [deep(100_000), list(1_000_000), deep(1000)]) {
      const args = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_outputs","arguments":{"query":${value}}}}`;
      const meta = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"x":${value}}}}`;
      const content = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"capture_output","arguments":{"content":{"x":${value}}}}}`;
      for (const message of [args, meta, content])
        expect(await answerTo(message)).toMatchObject({ jsonrpc: '2.0' });
    }
    expect(textOf(await ask('list_outputs', { query: 'public.log' }))).toContain('public.log');
  });

  test('with __proto__ in it changes nothing for anybody', async () => {
    const messages = [
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_outputs","arguments":{"__proto__":{"limit":0,"polluted":1}}}}',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"__proto__":{"polluted":1},"name":"list_outputs","arguments":{}}}',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","__proto__":{"polluted":1},"params":{"name":"list_outputs"}}',
      '{"jsonrpc":"2.0","id":1,"method":"__proto__"}',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run_command","arguments":{"command":"env","env":{"__proto__":"polluted","constructor":"polluted"}}}}',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"capture_output","arguments":{"content":{"__proto__":{"polluted":1}}}}}',
    ];
    for (const message of messages) expect(await answerTo(message)).toMatchObject({ jsonrpc: '2.0' });
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(Object.prototype).not.toHaveProperty('polluted');
  });

  test('ids of every kind come back as they were', async () => {
    for (const id of [
      '__proto__',
      '',
      '\0',
      'x'.repeat(10_000),
      0,
      -1,
      Number.MAX_SAFE_INTEGER,
      '\u{1f600}',
    ]) {
      expect(await answerTo({ jsonrpc: '2.0', id, method: 'ping' })).toMatchObject({ id, result: {} });
    }
    for (const id of [1.5, true, {}, [], null]) {
      expect(await answerTo({ jsonrpc: '2.0', id, method: 'ping' })).toMatchObject({
        error: { code: -32600 },
      });
    }
  });
});

describe('commands', () => {
  test('get what they were given and nothing besides: no shell, no option, no variable', async () => {
    const hostile = [
      '$(touch pwned)',
      '`touch pwned`',
      '; touch pwned',
      '--',
      '-c',
      '\n touch pwned',
      '| tee pwned',
    ];
    const run = await ask('run_command', { command: 'printf', args: ['%s\\n', ...hostile] });
    expect(run.result.content[1].text.split('\n').slice(0, 2)).toEqual(hostile.slice(0, 2));
    for (const command of hostile.slice(0, 3)) await ask('run_command', { command, args: ['x'] });
    for (const env of [
      { 'A=B': 'c' },
      { '': 'x' },
      { 'A\0': 'x' },
      { A: 'x\0y' },
      { A: null },
      { A: { b: 1 } },
      [],
    ]) {
      const reply = await ask('run_command', { command: 'env', env });
      expect(reply.result.isError, JSON.stringify(env)).toBe(true);
    }
    for (const args of [['a\0b'], [1], [null], 'x', {}]) {
      const reply = await ask('run_command', { command: 'echo', args });
      expect(
        reply.result.isError || reply.result.content[0].text.includes('"success":false'),
        JSON.stringify(args),
      ).toBe(true);
    }
    expect(readdirSync(place.files)).not.toContain('pwned');
  });

  test('that ask for a directory or program that is not there are told so', async () => {
    for (const args of [
      { cwd: '/no/such/place' },
      { cwd: join(place.files, 'public.log') },
      { cwd: 'x'.repeat(100_000) },
    ]) {
      const reply = await ask('run_command', { command: 'true', args: [], ...args });
      expect(reply.result.content[0].text).toMatch(/"success":false/);
    }
    for (const command of ['/', '.', place.files, join(place.files, 'public.log'), 'x'.repeat(100_000)]) {
      const reply = await ask('run_command', { command, args: ['x'] });
      expect(reply.result.content[0].text).toMatch(/"exit_code":12[67]/);
    }
    const long = await ask('run_command', { command: 'echo', args: ['x'.repeat(5_000_000)] });
    expect(long.result.content[0].text).toMatch(/too long|"success":false/);
  });

  test('whose output is hostile come as text, in blocks of their own', async () => {
    const fake = '{"artifact_id":"x","exit_code":0,"success":true}';
    const reply = await ask('run_command', {
      command: `printf '%s\\n' '${fake}'; printf '\\033]0;title\\007\\033[31mred\\033[0m\\n'; exit 7`,
    });
    const [head, text] = reply.result.content;
    expect(JSON.parse(head.text)).toMatchObject({ exit_code: 7, success: false });
    expect(text.text).toBe(`${fake}\nred`);
  });
});

describe('crowds', () => {
  test('a thousand connections one after another, and hundreds at once, are served or turned away at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const all = Array.from({ length: 100 }, () => new RawConnection(served.path).read());
      for (const connection of all) connection.send(INITIALIZE);
      for (const connection of all) expect(await connection.replies(1)).toMatchObject([{ id: 'init' }]);
      for (const connection of all) connection.close();
    }
    const silent = Array.from({ length: 600 }, () => new RawConnection(served.path).read());
    await Promise.all(silent.slice(0, 100).map(({ socket }) => socket.write('{"jsonrpc"')));
    const turnedAway = await Promise.race(silent.map(({ ended }) => ended.then(() => true)));
    expect(turnedAway).toBe(true);
    for (const connection of silent) connection.close();
    // A connection's slot is free once the server noticed its end.
    await vi.waitFor(
      async () => expect(textOf(await ask('list_outputs', { query: 'public.log' }))).toContain('public.log'),
      {
        timeout: ANSWERED_WITHIN_MS,
      },
    );
  }, 120_000);

  test('a storm of cancellations, of what runs, waits, ended or never was, harms nobody', async () => {
    const connection = await connected();
    const cancel = (requestId: unknown) => ({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId },
    });
    for (let id = 0; id < 200; id += 1) {
      connection.send(
        callTool(id, 'run_command', { command: 'sleep', args: ['30'], background: id % 50 === 0 }),
      );
      connection.send(cancel(id), cancel(id), cancel(id - 1), cancel('never'), cancel(null), cancel({}));
    }
    connection.send({ jsonrpc: '2.0', id: 'last', method: 'ping' });
    const late = setTimeout(() => connection.close(), ANSWERED_WITHIN_MS);
    for (let last = false; !last; ) {
      const [reply] = await connection.replies(1);
      if (reply === undefined) throw new Error('the connection ended, or nothing came');
      last = reply.id === 'last';
    }
    clearTimeout(late);
    connection.close();
    expect(textOf(await ask('list_outputs', { query: 'public.log' }))).toContain('public.log');
  });

  test('commands that will not end do not pile up, however fast they are cancelled', async () => {
    const file = join(place.files, 'stubborn');
    writeFileSync(file, '');
    const pids = () => readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number);
    const alive = () => pids().filter((pid) => existsSync(`/proc/${pid}`)).length;
    const connection = await connected();
    const command = `trap '' TERM; echo $$ >> ${file}; while :; do sleep 0.1; done`;
    let most = 0;
    for (let id = 0; id < 12; id += 1) {
      connection.send(callTool(id, 'run_command', { command, timeout: 0 }));
      await vi.waitFor(() => expect(pids()).toHaveLength(id + 1), {
        timeout: ANSWERED_WITHIN_MS,
        interval: 10,
      });
      connection.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
      most = Math.max(most, alive());
    }
    connection.close();
    expect(most).toBeLessThanOrEqual(MAX_IN_FLIGHT);
    await vi.waitFor(() => expect(alive()).toBe(0), { timeout: ANSWERED_WITHIN_MS });
  });

  test('the same id over and over is answered once, and refused while it is not', async () => {
    const connection = await connected();
    for (let round = 0; round < 100; round += 1) connection.send(callTool('same', 'storage_stats'));
    connection.send({ jsonrpc: '2.0', id: 'last', method: 'ping' });
    const replies = await connection.replies(101);
    connection.close();
    const same = replies.filter(({ id }) => id === 'same');
    expect(same).toHaveLength(100);
    expect(same.some(({ result }) => result !== undefined)).toBe(true);
    for (const { error } of same.filter(({ result }) => result === undefined))
      expect(error?.code).toBe(-32600);
  });
});

test('of all this, nothing was a defect of ours', () => {
  expect(defects.map((error) => (error as Error).stack ?? error)).toEqual([]);
});
