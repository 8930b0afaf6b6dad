/**
 * Finds out whether a desktop window can be opened here, and with which runtime. Requiring the `electron` package
 * would start a download, or throw. Nothing here needs an installed package.
 */
import { spawn } from 'node:child_process';
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { inDist, root as project } from '../building/targets.mjs';
import { withLock } from './lock.mjs';
import { step } from './progress.mjs';

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
 * Like findElectron, but downloads the runtime (about 120 MB) if only that is missing.
 * @returns {Promise<Runtime>}
 */
export async function obtainElectron() {
  const found = findElectron();
  if ('path' in found || !found.fetchable) return found;
  await withLock(inDist('.lock'), () => step('fetching the Electron runtime', fetchElectron));
  const now = findElectron();
  if ('path' in now) return now;
  return missing('the Electron runtime could not be fetched (`npx install-electron --no` says why)');
}

/** Runs the package's own installer. Its failure is not reported: the caller looks for the runtime again. */
function fetchElectron() {
  const installer = join(project, 'node_modules', 'electron', 'install.js');
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [installer, '--no'], { stdio: 'ignore' });
    child.on('close', resolve);
    child.on('error', resolve);
  });
}

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
