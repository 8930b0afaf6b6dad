/** SIGUSR1 never opens Node's debugger, whenever it comes. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { cliEntry, makePlace, type Place } from '../../fixtures/cli.ts';
import { until } from '../../fixtures/until.ts';

let place: Place;

beforeAll(() => {
  place = makePlace();
});
afterAll(() => place.remove());

/** The signal comes at these moments of the start, and none of them can be waited for. */
const MOMENTS_MS = [5, 20, 40, 80, 160, 600];

test.runIf(process.platform === 'linux').each([
  ['run', ['run', '--', 'cat']],
  ['mcp', ['mcp']],
  ['serve', ['serve', '--port', '0']],
])('of %s', async (_, args) => {
  const said = await Promise.all(MOMENTS_MS.map((moment) => signalled(args, moment)));
  for (const stderr of said) expect(stderr).not.toContain('Debugger listening');
});

/** Sends SIGUSR1 before the program's first line, and waits until the debugger listens. */
const EARLY = `process.kill(process.pid, 'SIGUSR1');
const { url } = require('node:inspector');
for (const end = Date.now() + 20_000; !url() && Date.now() < end; );`;

test.runIf(process.platform === 'linux').each([
  ['run', ['run', '--quiet', '--', 'cat']],
  ['mcp', ['mcp']],
  ['serve', ['serve', '--port', '0']],
])('of %s started without the launcher, it is closed at once', async (_, args) => {
  const early = join(place.files, 'early.cjs');
  writeFileSync(early, EARLY);
  const child = spawn(process.execPath, ['--inspect-port=0', '--require', early, cliEntry, ...args], {
    env: { ...process.env, SPILLWAY_HOME: place.home },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [, port] = await new Promise<RegExpExecArray>((resolve, reject) => {
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
      const found = /Debugger listening on ws:\/\/127\.0\.0\.1:(\d+)/.exec(said);
      if (found) resolve(found);
    });
    child.once('close', () => reject(new Error(said)));
  });
  await until(() => isRefused(Number(port)));
  expect(child.exitCode).toBe(null);
});

test.runIf(process.platform === 'linux')('a signal that opens the debugger is for the command', async () => {
  const early = join(place.files, 'early.cjs');
  writeFileSync(early, EARLY);
  const words = ['--inspect-port=0', '--require', early, cliEntry, 'run', '--quiet', '--', 'sleep', '60'];
  const child = spawn(process.execPath, words, { env: { ...process.env, SPILLWAY_HOME: place.home } });
  onTestFinished(() => void child.kill('SIGTERM'));
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const status = await new Promise((resolve) => child.once('close', resolve));
  expect(status).toBe(138);
  expect(stderr).toMatch(/^Debugger listening/);
});

function isRefused(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', () => resolve(true));
  });
}

async function signalled(args: readonly string[], momentMs: number): Promise<string> {
  const home = makePlace();
  const child = spawn(cliEntry, args, { env: { ...process.env, SPILLWAY_HOME: home.home } });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin.on('error', () => {});
  const closed = new Promise((resolve) => child.once('close', resolve));
  const ready = new Promise((resolve) => child.stdout.once('data', resolve));
  await new Promise((resolve) => setTimeout(resolve, momentMs));
  child.kill('SIGUSR1');
  // It lives on to its own end: a debugger would have listened, and said so, by then.
  child.stdin.end();
  if (args[0] === 'serve') {
    await Promise.race([ready, closed]);
    child.kill('SIGTERM');
  }
  await closed;
  home.remove();
  return stderr;
}
