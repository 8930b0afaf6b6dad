/** SIGUSR1 never opens Node's debugger, whenever it comes. */
import { spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cliEntry, makePlace, type Place } from '../../fixtures/cli.ts';

let place: Place;

beforeAll(() => {
  place = makePlace();
});
afterAll(() => place.remove());

const MOMENTS_MS = [5, 20, 40, 80, 160, 600];

test.runIf(process.platform === 'linux').each([
  ['run', ['run', '--', 'sleep', '2']],
  ['mcp', ['mcp']],
  ['serve', ['serve', '--port', '0']],
])('of %s', async (_, args) => {
  const said = await Promise.all(MOMENTS_MS.map((moment) => signalled(args, moment)));
  for (const stderr of said) expect(stderr).not.toContain('Debugger listening');
});

async function signalled(args: readonly string[], momentMs: number): Promise<string> {
  const home = makePlace();
  const child = spawn(cliEntry, args, { env: { ...process.env, SPILLWAY_HOME: home.home } });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const closed = new Promise((resolve) => child.once('close', resolve));
  await new Promise((resolve) => setTimeout(resolve, momentMs));
  child.kill('SIGUSR1');
  await new Promise((resolve) => setTimeout(resolve, 400));
  child.kill('SIGKILL');
  child.stdin.end();
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 3000))]);
  home.remove();
  return stderr;
}
