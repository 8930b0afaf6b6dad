/** `--record=preview`: short output byte for byte, long output as an excerpt, and nothing ever lost. */

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AgentShell, makeAgentShell, ran } from '../../fixtures/agents/shell.ts';

let place: AgentShell;
beforeEach(() => {
  place = makeAgentShell('preview');
});
afterEach(() => place.remove());

const run = (command: string, PATH = '/usr/bin:/bin') =>
  ran(place.shell, ['-c', command], { cwd: place.files, env: { PATH } });
const seq = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `${from + i}\n`).join('');

test.each([
  ['nothing', ':', ''],
  ['a line without its end', "printf 'no end'", 'no end'],
  ['5,000 bytes', 'head -c 5000 /dev/zero | tr "\\0" x', 'x'.repeat(5000)],
  ['24 KiB', 'head -c 24576 /dev/zero | tr "\\0" x', 'x'.repeat(24576)],
])('%s come byte for byte', async (_, command, expected) => {
  expect(await run(command)).toEqual({ status: 0, signal: null, stdout: expected, stderr: '' });
});

test('a long failure comes as its beginning, an excerpt with its cause, and a line that says how to go on', async () => {
  const { status, stdout, stderr } = await run(
    'seq 1 4000; echo "main.c:7:3: error: expected a semicolon before x"; seq 4002 9000; echo "make: *** [all] Error 1"; exit 2',
  );
  expect(status).toBe(2);
  expect(stdout.startsWith(seq(1, 1040))).toBe(true);
  expect(stdout.length).toBeLessThan(14_000);
  expect(stdout).toContain('[spillway: 9,001 lines; from here on an excerpt, its parts numbered]\n[lines ');
  expect(stdout).toContain('main.c:7:3: error: expected a semicolon before x\n');
  expect(stdout.endsWith('9000\nmake: *** [all] Error 1\n')).toBe(true);
  const [record] = place.records();
  expect(stderr).toBe(
    `spillway: 9,001 lines kept; exit 2; more: inspect_output with artifact_id ${record!.artifact_id}\n`,
  );
  expect(place.bytes(record!).toString()).toContain(seq(4002, 9000));
  // What the agent got is in the record.
  const [excerpt, other] = record!.agent!.recorded!.excerpts!;
  const got = new Set(
    stdout.split('\n').flatMap((line, i) => (/^\d+$/.test(line) && i < 9000 ? Number(line) : [])),
  );
  const shown = excerpt!.lines.flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, i) => from + i),
  );
  expect(shown.filter((line) => line !== 4001 && line !== 9001)).toEqual([...got].sort((a, b) => a - b));
  expect(shown).toEqual(expect.arrayContaining([1, 1040, 4001, 9000, 9001]));
  expect(excerpt!.bytes).toBeGreaterThan(stdout.length);
  expect(other).toBeNull();
});

test('the record says which lines a client that cuts an excerpt passes on', async () => {
  const entry = place.entry('codex');
  const env = { BASH_ENV: entry, CODEX_THREAD_ID: 't1', PATH: '/usr/bin:/bin' };
  await ran('/bin/bash', ['-c', 'yes "a line of some length" | head -n 3000 | cat -n; exit 2'], {
    cwd: place.files,
    env,
  });
  const [record] = place.records();
  const { mode, excerpts } = record!.agent!.recorded!;
  expect(mode).toBe('preview');
  expect(excerpts![0]!.bytes).toBeLessThanOrEqual(10_000);
  expect(excerpts![0]!.lines[0]![0]).toBe(1);
  expect(excerpts![0]!.lines.at(-1)![1]).toBe(3000);
});

test.each([
  ['of both streams', 'seq 9000; seq 9000 >&2', '18,000 lines'],
  ['of both, though one is short', 'seq 9000; echo one >&2', '9,001 lines'],
  ['of a single one, without its end', 'head -c 50000 /dev/zero | tr "\\0" x', '1 line'],
])('the closing line counts the lines that are kept %s', async (_, command, lines) => {
  const { stdout, stderr } = await run(command);
  if (lines === '1 line') expect(stdout).toContain('[spillway: 1 line; from here on');
  expect(stderr).toContain(`spillway: ${lines} kept; exit 0; more: `);
});

test('the closing line names the command where the agent has it', async () => {
  const bin = join(place.files, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'spillway'), '', { mode: 0o755 });
  const { stderr } = await run('seq 9000', `${bin}:/usr/bin:/bin`);
  const [record] = place.records();
  expect(stderr).toContain(`more: spillway inspect ${record!.artifact_id} --pattern RE\n`);
});

test('what the disk has no room for reaches the agent all the same, in order', async () => {
  const limited = `ulimit -f 100; exec "$0" -c 'seq 1 50000; exit 7'`;
  const result = await ran('/bin/bash', ['-c', limited, place.shell], { cwd: place.files });
  expect(result).toEqual({ status: 7, signal: null, stdout: seq(1, 50_000), stderr: '' });
});

test('an output over its cap comes with its last lines', async () => {
  writeFileSync(join(place.home, 'config.json'), '{"maxStreamBytes": 100000}');
  const { stdout } = await run('seq 1 50000');
  expect(stdout.startsWith(seq(1, 1040))).toBe(true);
  expect(stdout.endsWith('\n49999\n50000\n')).toBe(true);
  expect(stdout.length).toBeLessThan(14_000);
});

test('a second of silence releases what was held', async () => {
  const child = spawn(
    place.shell,
    ['-c', 'seq 1 2000; echo -n "go on? "; read -t 20 answer; echo "$answer"'],
    {
      cwd: place.files,
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  let said = '';
  await new Promise<void>((resolve) =>
    child.stdout.on('data', (chunk) => {
      said += chunk;
      if (said.endsWith('go on? ')) resolve();
    }),
  );
  expect(said).toBe(`${seq(1, 2000)}go on? `);
  child.stdin.write('yes\n');
  await new Promise((resolve) => child.once('close', resolve));
  expect(said.endsWith('go on? yes\n')).toBe(true);
});

test('a prompt behind long output is seen', async () => {
  const child = spawn(
    place.shell,
    ['-c', 'seq 1 20000; echo -n "go on? "; read -t 20 answer; echo "$answer"'],
    {
      cwd: place.files,
      stdio: ['pipe', 'pipe', 'ignore'],
    },
  );
  let said = '';
  await new Promise<void>((resolve) =>
    child.stdout.on('data', (chunk) => {
      said += chunk;
      if (said.endsWith('go on? ')) resolve();
    }),
  );
  expect(said.length).toBeLessThan(7000);
  child.stdin.end('yes\n');
  await new Promise((resolve) => child.once('close', resolve));
});

test('variables that a Node acts on are the command’s alone', async () => {
  const env = { NODE_V8_COVERAGE: join(place.files, 'coverage'), OPENSSL_CONF: '/no/such', NODE_DEBUG: '*' };
  const command = 'echo "$OPENSSL_CONF $NODE_DEBUG"; seq 1 20000; exit 2';
  const { stdout } = await ran(place.shell, ['-c', command], { cwd: place.files, env });
  expect(stdout.startsWith('/no/such *\n1\n')).toBe(true);
  expect(stdout).toContain('from here on an excerpt');
  expect(existsSync(env.NODE_V8_COVERAGE)).toBe(false);
});

test('where no excerpt can be had, all of it comes', async () => {
  renameSync(join(place.home, 'bin', 'spillway-command'), join(place.home, 'gone'));
  expect(await run('seq 1 20000')).toEqual({ status: 0, signal: null, stdout: seq(1, 20000), stderr: '' });
});
