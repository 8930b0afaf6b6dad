/**
 * Fills V8's code caches (electron/app/cached-code.ts) by running commands of a fresh build once. Without a cache, each
 * start compiles its code.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @param {string} folder where the program was built */
export async function writeCodeCaches(folder) {
  const home = mkdtempSync(join(tmpdir(), 'spillway-build-'));
  const env = {
    ...process.env,
    SPILLWAY_HOME: home,
    SPILLWAY_FIND_AGENTS: '0',
    SPILLWAY_WRITE_CODE_CACHE: folder,
  };
  const start = (/** @type {string[]} */ ...args) => spawnSync(process.execPath, args, { env, input: '' });
  const command = ['--quiet', '--', process.execPath, '--version'];
  const cli = join(folder, 'cli.js');
  // Each adds to what those before it have cached.
  const run = join(folder, 'run.cjs');
  for (const name of ['run', 'terminal']) start(run, name, ...command);
  start(run, 'run', '--quiet', '--', process.execPath, '--eval', FAILURE);
  for (const args of [['mcp'], ['list'], ['inspect', cli, '--pattern', 'x']]) start(cli, ...args);
  await serveOnce(cli, env);
  // A thread that is ended can't write; on the main thread the same code ends by itself.
  start(join(folder, 'worker.cjs'));
  rmSync(home, { recursive: true, force: true });
}

/** A command that prints more than is explained at its end alone, and fails. */
const FAILURE = `for (let n = 0; n < 20000; n += 1) console.log('reading part ' + n + ' of the list');
  console.error('error: cannot read the last part: it is not there'); process.exitCode = 1`;

/** Starts the host, and ends it once it can be reached. @param {string} cli @param {NodeJS.ProcessEnv} env */
async function serveOnce(cli, env) {
  const host = spawn(process.execPath, [cli, 'serve', '--port', '0'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 30_000,
  });
  host.stdout.once('data', () => host.kill());
  await new Promise((resolve) => host.once('close', resolve).once('error', resolve));
}
