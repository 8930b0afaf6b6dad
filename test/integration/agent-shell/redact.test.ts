/** `--record=redact`: secrets are masked before the agent has them, nothing waits long, and nothing is lost. */
import { spawn } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AgentShell, makeAgentShell, ran } from '../../fixtures/agents/shell.ts';
import { cliEntry } from '../../fixtures/cli.ts';

let place: AgentShell;
beforeEach(() => {
  place = makeAgentShell('redact');
});
afterEach(() => place.remove());

const run = (command: string) => ran(place.shell, ['-c', command], { cwd: place.files });
const TOKEN = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
const STARS = '*'.repeat(TOKEN.length);
/** Until the masks are ready, only the most usual secrets are found. */
const READY = 'sleep 1; ';
/** Lines that waited too long, on a busy machine. */
const LATE = /(?:spillway: |; )\d+ lines? w\w+ looked through for the most usual secrets alone, to save time/;
const said = (text: string) => text.replace(LATE, '').trim();

test.each([
  ['nothing', ':', ''],
  ['a line without its end', "printf 'no end'", 'no end'],
  ['bytes that are no text', 'printf "\\0\\377\\200\\n"', '\0\u00ff\u0080\n'],
  ['2 MB', 'seq 300000', Array.from({ length: 300_000 }, (_, i) => `${i + 1}\n`).join('')],
])('%s passes byte for byte', async (_, command, expected) => {
  const { stderr, ...result } = await run(command);
  expect(result).toEqual({ status: 0, signal: null, stdout: expected });
  expect(said(stderr)).toBe('');
});

test('secrets of both streams are masked and counted, and recorded as they were', async () => {
  const { status, stdout, stderr } = await run(`echo "one ${TOKEN}"; echo "two ${TOKEN}" >&2; exit 3`);
  expect(status).toBe(3);
  expect(stdout).toBe(`one ${STARS}\n`);
  expect(stderr).toContain(`two ${STARS}\n`);
  const [record] = place.records();
  expect(place.bytes(record!).toString()).toBe(`one ${TOKEN}\n`);
  expect(place.bytes(record!, 1).toString()).toBe(`two ${TOKEN}\n`);
});

test('a pattern of the person’s own is masked, too, and what was masked is counted', async () => {
  writeFileSync(join(place.home, 'config.json'), '{"redact": {"patterns": ["badge-\\\\d+"]}}');
  // On a busy machine it may pass before it was looked at.
  await expect
    .poll(() => run(`${READY}echo badge-77 is in`), { timeout: 60_000 })
    .toEqual({
      status: 0,
      signal: null,
      stdout: '******** is in\n',
      stderr: 'spillway: 1 secret is masked\n',
    });
});

test('the masks answer each output by itself, with as many bytes, and count what they mask', async () => {
  const key = Array.from(
    { length: 30 },
    (_, i) => `MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ${1000 + i}\n`,
  );
  const masks = spawn(process.execPath, [cliEntry, 'mask-output', place.home], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const parts: Buffer[] = [];
  masks.stdout.on('data', (part) => parts.push(part));
  const said = ['-----BEGIN PRIVATE KEY-----\n', ...key, '-----END PRIVATE KEY-----\npassword:\n  ab12'];
  for (const text of said) masks.stdin.write(message(0, text));
  masks.stdin.write(message(1, 'é plain\n'));
  masks.stdin.write(message(0, 'cd34ef'));
  masks.stdin.end(message(0, ''));
  await new Promise((resolve) => masks.once('close', resolve));
  const answers = answersIn(Buffer.concat(parts));
  const stars = key.map((line) => `${'*'.repeat(line.length - 1)}\n`).join('');
  expect(answers[0]).toEqual({
    text: `-----BEGIN PRIVATE KEY-----\n${stars}-----END PRIVATE KEY-----\npassword:\n  **********`,
    count: 2,
  });
  expect(answers[1]).toEqual({ text: 'é plain\n', count: 0 });
});

function message(index: number, text: string): Buffer {
  const head = Buffer.from([index, 0, 0, 0, 0]);
  head.writeUInt32LE(Buffer.byteLength(text), 1);
  return Buffer.concat([head, Buffer.from(text)]);
}

function answersIn(bytes: Buffer): Record<number, { text: string; count: number }> {
  const answers: Record<number, { text: string; count: number }> = {};
  for (let at = 0; at < bytes.length; ) {
    const [index, length, count] = [bytes[at]!, bytes.readUInt32LE(at + 1), bytes.readUInt32LE(at + 5)];
    at += 9 + length;
    const known = answers[index] ?? { text: '', count: 0 };
    answers[index] = {
      text: known.text + bytes.toString('utf8', at - length, at),
      count: known.count + count,
    };
  }
  return answers;
}

test('a prompt is seen, and what the person types goes on', async () => {
  const child = spawn(place.shell, ['-c', `printf 'go on? '; read -t 20 answer; echo "$answer ${TOKEN}"`], {
    cwd: place.files,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let text = '';
  await new Promise<void>((resolve) =>
    child.stdout.on('data', (chunk) => {
      text += chunk;
      if (text.endsWith('go on? ')) resolve();
    }),
  );
  child.stdin.end('yes\n');
  await new Promise((resolve) => child.once('close', resolve));
  expect(text).toMatch(/^go on\? yes \*{40}\n(?:spillway: 1 secret is masked.*\n|spillway: .*\n)?$/);
});

test('what a background child prints later is masked, too', async () => {
  const { stdout } = await run(`${READY}(sleep 0.5; echo "later ${TOKEN}") & echo now`);
  expect(stdout).toBe(`now\nlater ${STARS}\n`);
});

test('without Spillway’s own command, the most usual secrets are masked all the same, and it is said', async () => {
  renameSync(join(place.home, 'bin', 'spillway-command'), join(place.home, 'gone'));
  const { stdout, stderr } = await run(`echo ${TOKEN}; echo plain`);
  expect(stdout).toBe(`${STARS}\nplain\n`);
  expect(stderr).toBe(
    'spillway: 2 lines were looked through for the most usual secrets alone, to save time\n',
  );
});

test('masks that answer no more are given up, while the command runs', async () => {
  const silent = join(place.files, 'silent');
  writeFileSync(
    silent,
    '#!/bin/sh\ncat > /dev/null\ntouch given-up\n'.replace('given-up', join(place.files, 'given-up')),
    {
      mode: 0o755,
    },
  );
  writeFileSync(join(place.home, 'bin', 'spillway-command'), `${silent}\n${cliEntry}\n`);
  const { stdout, stderr } = await run('seq 1000000; until [ -e given-up ]; do sleep 0.1; done; echo end');
  expect(stdout.length).toBe(6_888_896 + 4);
  expect(stderr).toMatch(LATE);
});
