/** Hostile agents: they read nothing outside readable sources, and cannot hang the server. */
import { readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  answerTo,
  ask,
  connected,
  defects,
  outside,
  place,
  SECRET,
  setUpAttackedMcp,
  textOf,
} from '../../fixtures/mcp/attacked.ts';
import { callTool } from '../../fixtures/mcp/client.ts';

setUpAttackedMcp();

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

test('no request of this file caused a defect', () => {
  expect(defects.map((error) => (error as Error).stack ?? error)).toEqual([]);
});
