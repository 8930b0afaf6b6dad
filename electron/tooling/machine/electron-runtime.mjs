/**
 * Finds out whether a desktop window can be opened here, and with which runtime. Requiring the `electron` package
 * would start a download, or throw. Nothing here needs an installed package.
 */
import { spawn } from 'node:child_process';
import {
  accessSync,
  constants,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inDist, root as project } from '../building/targets.mjs';
import { isAlive, withLock } from './lock.mjs';
import { Problem } from './progress.mjs';

/**
 * @typedef {{ path: string, args: string[] } | { missing: string, fetchable: boolean }} Runtime
 * the executable and the switches it needs here, or why there is none and whether fetching it would help
 */

/**
 * @param {{ root?: string, env?: NodeJS.ProcessEnv, platform?: NodeJS.Platform, uid?: number }} [surroundings]
 * @returns {Runtime}
 */
export function findElectron(surroundings = {}) {
  const { root = project, env = process.env, platform = process.platform } = surroundings;
  const uid = surroundings.uid ?? process.getuid?.() ?? -1;
  if (!hasDisplay(env, platform)) return missing('there is no display');
  const path = executableOf(root, env, platform);
  if (!path) return { missing: 'the Electron runtime is not installed', fetchable: true };
  if (isExecutable(path)) return { path, args: platform === 'linux' && uid === 0 ? ['--no-sandbox'] : [] };
  const fetchable = !env.ELECTRON_OVERRIDE_DIST_PATH;
  return { missing: `there is no Electron runtime at ${path}`, fetchable };
}

/**
 * Fetches the runtime (about 120 MB) in a process of its own, unless one does already: nobody waits for it.
 * @returns {{ why: string, done: Promise<boolean> }} `why`: the reason that there is no window yet. `done` resolves
 *   at the end of the fetch, with whether there is a runtime
 */
export function fetchInBackground() {
  const { pid, bytes, at, problem } = readProgress(PROGRESS);
  if (pid !== null && Date.now() - at < 3 * BEAT_MS && isAlive(pid))
    return { why: `the Electron runtime is being fetched (${megabytes(bytes)} so far)`, done: never };
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url)], {
    detached: true,
    stdio: 'ignore',
  });
  child.unref();
  const done = new Promise((resolve) => {
    child.on('exit', () => resolve('path' in findElectron()));
    child.on('error', () => resolve(false));
  });
  const before = problem === null ? '' : `; the last attempt ended: ${problem}`;
  return { why: `the Electron runtime (about 120 MB) is being fetched${before}`, done };
}

/** Errors of the network, as the packer words them. */
const DOWNLOAD = /RequestError|HTTPError|TimeoutError|ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT/;

/**
 * Returns what to do where the packer could not download the runtime; null if what it printed tells something else.
 * @param {string} printed
 */
export function downloadProblem(printed) {
  if (!DOWNLOAD.test(printed)) return null;
  const [, why = 'the download failed'] = /⨯ (.*?) {2}/.exec(printed) ?? [];
  return new Problem(
    `the Electron runtime could not be downloaded (${why})`,
    'set ELECTRON_MIRROR to a place that has it, or SPILLWAY_ELECTRON_DIST to a folder with it unpacked',
  );
}

/** @type {Promise<boolean>} */
const never = new Promise(() => {});

/** How far a fetch is, for other starts. */
const PROGRESS = inDist('electron-fetch.json');
const BEAT_MS = 1000;
/** A fetch that gets no byte for so long is ended. */
const STALL_MS = 60_000;

/** Fetches the runtime; `npm start` starts this file, and does not wait for it. */
function fetchWatched() {
  const installer = join(project, 'node_modules', 'electron', 'install.js');
  return withLock(inDist('.electron-lock'), async () => {
    const path = executableOf(project, process.env, process.platform);
    if (path && isExecutable(path)) return;
    await runWatched([process.execPath, installer, '--no'], inDist('electron-fetch'), PROGRESS, STALL_MS);
  });
}

/**
 * Runs a command that downloads into its folder for temporary files, and ends it if that folder stops growing. Writes
 * to the file `progress` how far it is, and how it ended.
 * @param {string[]} command
 * @param {string} folder removed afterwards
 * @param {string} progress
 * @param {number} stallMs
 * @returns {Promise<string | null>} what went wrong
 */
export async function runWatched([file = '', ...args], folder, progress, stallMs) {
  mkdirSync(folder, { recursive: true });
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, TMPDIR: folder, TEMP: folder, TMP: folder };
  // Else the package's own downloader passes by the proxy that is set.
  if (Object.keys(env).some((name) => /^https?_proxy$/i.test(name))) env.ELECTRON_GET_USE_PROXY ??= 'true';
  let bytes = 0;
  let grown = Date.now();
  /** @type {string | null} */
  let problem = null;
  const note = (/** @type {number | null} */ pid) =>
    writeFileSync(progress, JSON.stringify({ pid, bytes, at: Date.now(), problem }));
  const child = spawn(file, args, { env, stdio: 'ignore' });
  const beat = setInterval(
    () => {
      const now = bytesIn(folder);
      if (now !== bytes) grown = Date.now();
      bytes = now;
      if (Date.now() - grown > stallMs) {
        problem = `it got nothing for ${Math.round(stallMs / 1000)} s, after ${megabytes(bytes)}`;
        child.kill('SIGKILL');
      }
      note(process.pid);
    },
    Math.min(BEAT_MS, stallMs / 2),
  );
  note(process.pid);
  const code = await new Promise((resolve) => {
    child.on('close', resolve);
    child.on('error', () => resolve(1));
  });
  clearInterval(beat);
  if (code !== 0) problem ??= 'it failed (`npx install-electron --no` says why)';
  note(null);
  rmSync(folder, { recursive: true, force: true });
  return problem;
}

/** @param {string} progress */
function readProgress(progress) {
  const { pid = null, bytes = 0, at = 0, problem = null } = JSON.parse(readText(progress) ?? '{}');
  return { pid, bytes, at, problem };
}

/** @param {string} folder */
function bytesIn(folder) {
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const info = statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false });
    if (info?.isFile()) bytes += info.size;
  }
  return bytes;
}

/** @param {number} bytes */
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

/** @param {NodeJS.ProcessEnv} [env] @param {NodeJS.Platform} [platform] */
function hasDisplay(env = process.env, platform = process.platform) {
  return platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}

/** @param {string} why */
const missing = (why) => ({ missing: why, fetchable: false });

/** @param {string} root @param {NodeJS.ProcessEnv} env @param {NodeJS.Platform} platform */
function executableOf(root, env, platform) {
  const folder = join(root, 'node_modules', 'electron');
  const name = readText(join(folder, 'path.txt'));
  const override = env.ELECTRON_OVERRIDE_DIST_PATH;
  if (override) return join(override, name ?? usualName(platform));
  return name ? join(folder, 'dist', name) : null;
}

/** @param {NodeJS.Platform} platform */
function usualName(platform) {
  if (platform === 'darwin') return 'Electron.app/Contents/MacOS/Electron';
  return platform === 'win32' ? 'electron.exe' : 'electron';
}

/** @param {string} path @returns {string | null} */
function readText(path) {
  try {
    return readFileSync(path, 'utf8').trim() || null;
  } catch {
    return null;
  }
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await fetchWatched();
