/**
 * `npm start [-- PATH… --web --port N --no-open]`: makes the checkout ready and opens the inspector, in a desktop
 * window if there is an Electron runtime, else in the browser.
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { pathToFileURL } from 'node:url';
import { inDist, root } from './building/targets.mjs';
import { obtainElectron } from './machine/electron-runtime.mjs';
import { checkNode, ensure } from './machine/ensure.mjs';
import { asTyped, followParent, restore } from './machine/environment.mjs';
import { fail, say } from './machine/progress.mjs';
import { parseStartArgs, usage } from './start-args.mjs';

/** @typedef {import('./start-args.mjs').StartArgs} StartArgs */

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
  if (args.web) return serve(args, cwd);
  const runtime = await obtainElectron();
  const why = 'path' in runtime ? await openWindow(runtime, args.paths, cwd) : runtime.missing;
  if (why === null) return;
  say(`no desktop window, ${why}: opening the browser interface instead`);
  await serve(args, cwd);
}

/**
 * Resolves with null when the window closes; with the reason if the runtime can't run here.
 * @param {{ path: string, args: string[] }} runtime
 * @param {string[]} paths
 * @param {string} cwd
 * @returns {Promise<string | null>}
 */
function openWindow(runtime, paths, cwd) {
  const env = asTyped(process.env, root);
  delete env.ELECTRON_RUN_AS_NODE;
  const child = spawn(runtime.path, [...runtime.args, root, ...paths], { cwd, env, stdio: 'inherit' });
  const passOn = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal);
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
  for (const signal of signals) process.on(signal, passOn);
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(`the Electron runtime does not start (${error.message})`));
    child.on('exit', (code, signal) => {
      for (const name of signals) process.off(name, passOn);
      // The dynamic loader reports a missing system library with status 127.
      if (code === 127) return resolve('the Electron runtime lacks system libraries');
      process.exitCode = code ?? 128 + (signal ? constants.signals[signal] : 0);
      resolve(null);
    });
  });
}

/**
 * Runs the command line in this process, so that signals, terminal and exit status are its own.
 * @param {StartArgs} args
 * @param {string} cwd
 */
async function serve({ port, open, paths }, cwd) {
  const cli = inDist('node', 'cli.js');
  const options = [...(port === null ? [] : ['--port', port]), ...(open ? ['--open'] : [])];
  restore(process.env, root);
  process.argv = [process.execPath, cli, 'serve', ...options, '--', ...paths];
  process.chdir(cwd);
  await import(pathToFileURL(cli).href);
}
