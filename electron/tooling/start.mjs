/**
 * `npm start [-- PATH… --web --port N --no-open]`: makes the checkout ready and opens the inspector, in a desktop
 * window if there is an Electron runtime, else in the browser.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inDist, root } from './building/targets.mjs';
import { fetchInBackground, findElectron } from './machine/electron-runtime.mjs';
import { checkNode, ensure } from './machine/ensure.mjs';
import { followParent, restore, typedEnvironment } from './machine/environment.mjs';
import { fail, say } from './machine/progress.mjs';
import { parseStartArgs, usage } from './start-args.mjs';

/** @typedef {import('./start-args.mjs').StartArgs} StartArgs */

/** A runtime that shows no window for so long is ended, if need be by force. The variable is for tests. */
const SHOWS_WITHIN_MS = Number(process.env.SPILLWAY_WINDOW_WITHIN_MS ?? 30_000);
/** A runtime that ends sooner, or without a window, has not served anybody: the browser does. */
const FIRST_SECONDS_MS = SHOWS_WITHIN_MS / 3;
const ENDS_WITHIN_MS = 5000;

followParent();
try {
  checkNode(process.versions.node);
  const cwd = process.env.INIT_CWD ?? process.cwd();
  const args = parseStartArgs(process.argv.slice(2), cwd);
  if (args.help) {
    console.log(usage);
  } else {
    await ensure();
    await start(args, cwd);
  }
} catch (error) {
  fail(error);
}

/** @param {StartArgs} args @param {string} cwd */
async function start(args, cwd) {
  // A window is always opened; an address need not be.
  const runtime = findElectron();
  if (args.web || (!args.open && 'path' in runtime)) return serve(args, cwd);
  const why = await openWindow(runtime, [...args.links, ...args.paths], cwd);
  if (why === null) return;
  say(`no desktop window, ${why}: opening the browser interface instead`);
  await serve(args, cwd);
}

/**
 * Resolves with null when the window closes; with the reason if none can be opened here now.
 * @param {import('./machine/electron-runtime.mjs').Runtime} runtime
 * @param {string[]} named paths and links
 * @param {string} cwd
 * @returns {Promise<string | null>}
 */
async function openWindow(runtime, named, cwd) {
  if (!('path' in runtime)) {
    if (!runtime.fetchable) return runtime.missing;
    const { why, done } = fetchInBackground();
    void done.then((isThere) => isThere && say('the desktop window is ready: the next start opens it'));
    return why;
  }
  const env = typedEnvironment(root);
  delete env.ELECTRON_RUN_AS_NODE;
  // The app removes the file as it shows its window, or hands over to another start.
  const folder = mkdtempSync(join(tmpdir(), 'spillway-start-'));
  const awaited = join(folder, 'window');
  writeFileSync(awaited, '');
  env.SPILLWAY_AWAITED_WINDOW = awaited;
  const started = performance.now();
  const child = spawn(runtime.path, [...runtime.args, root, ...named], { cwd, env, stdio: 'inherit' });
  let isAskedToEnd = false;
  let hangs = false;
  /** @type {NodeJS.Timeout | undefined} */
  let force;
  const patience = setTimeout(() => {
    hangs = existsSync(awaited);
    if (!hangs) return;
    child.kill('SIGTERM');
    force = setTimeout(() => child.kill('SIGKILL'), ENDS_WITHIN_MS);
  }, SHOWS_WITHIN_MS);
  const passOn = (/** @type {NodeJS.Signals} */ signal) => {
    isAskedToEnd = true;
    child.kill(signal);
  };
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
  for (const signal of signals) process.on(signal, passOn);
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(`the Electron runtime does not start (${error.message})`));
    child.on('exit', (code, signal) => {
      clearTimeout(patience);
      clearTimeout(force);
      const isShown = !existsSync(awaited);
      rmSync(folder, { recursive: true, force: true });
      for (const name of signals) process.off(name, passOn);
      const status = code ?? 128 + (signal ? constants.signals[signal] : 0);
      if (hangs && !isAskedToEnd) return resolve('the Electron runtime hangs: it showed none');
      const isEarly = status !== 0 && performance.now() - started < FIRST_SECONDS_MS;
      if ((!isShown || isEarly) && !isAskedToEnd) return resolve(`the Electron runtime ${deathOf(status)}`);
      process.exitCode = status;
      resolve(null);
    });
  });
}

/** @param {number} status as a shell has it */
function deathOf(status) {
  if (status === 0) return 'ended without one';
  // The dynamic loader's status.
  if (status === 127) return 'lacks system libraries';
  if (status === 128 + constants.signals.SIGTRAP)
    return 'ended itself (SIGTRAP), as it does where the system allows it no sandbox';
  const signal = Object.entries(constants.signals).find(([, number]) => status === 128 + number)?.[0];
  return signal ? `was ended by ${signal}` : `ended with status ${status}`;
}

/**
 * Runs the command line in this process, so that signals, terminal and exit status are its own.
 * @param {StartArgs} args
 * @param {string} cwd
 */
async function serve({ port, open, paths, links }, cwd) {
  for (const link of links) say(`${link} opens in the desktop window only: find its output in the list`);
  const cli = inDist('node', 'cli.js');
  const options = [...(port === null ? [] : ['--port', port]), ...(open ? ['--open'] : [])];
  restore(root);
  process.argv = [process.execPath, cli, 'serve', ...options, '--', ...paths];
  process.chdir(cwd);
  await import(pathToFileURL(cli).href);
}
