/** Finds a browser for the end-to-end tests, or installs one. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root } from '../building/targets.mjs';
import { Problem, say } from './progress.mjs';

const names = [
  'google-chrome',
  'google-chrome-stable',
  'chromium',
  'chromium-browser',
  'microsoft-edge',
  'microsoft-edge-stable',
];

const shells = ['chrome-headless-shell', 'chromium-headless-shell'];

/** Paths of browsers that are not on the PATH. @type {Partial<Record<NodeJS.Platform, string[]>>} */
const places = {
  darwin: ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
    (app) => `/Applications/${app}.app/Contents/MacOS/${app}`,
  ),
  win32: [process.env.ProgramFiles, process.env['ProgramFiles(x86)'], process.env.LOCALAPPDATA].flatMap(
    (folder) =>
      folder
        ? [
            join(folder, 'Google/Chrome/Application/chrome.exe'),
            join(folder, 'Microsoft/Edge/Application/msedge.exe'),
          ]
        : [],
  ),
};

/**
 * @param {NodeJS.ProcessEnv} [env]
 * @param {NodeJS.Platform} [platform]
 * @returns {string | null} path of an installed Chrome, Chromium or Edge
 * @throws {Problem} when SPILLWAY_BROWSER does not name one
 */
export function systemBrowser(env = process.env, platform = process.platform) {
  const asked = env.SPILLWAY_BROWSER;
  if (asked) {
    if (existsSync(asked)) return asked;
    throw new Problem(`SPILLWAY_BROWSER names ${asked}, which is not there`, 'correct it or unset it');
  }
  const onPath = names.flatMap((name) =>
    (env.PATH ?? '').split(delimiter).map((folder) => join(folder, name)),
  );
  return (
    [...(platform === 'win32' ? [] : onPath), ...(places[platform] ?? [])].find((path) => existsSync(path)) ??
    null
  );
}

/**
 * A browser without any of its own interface, where pages open with a fifth less processor time. SPILLWAY_BROWSER
 * goes before it.
 *
 * @param {NodeJS.ProcessEnv} [env]
 * @param {NodeJS.Platform} [platform]
 * @returns {string | null} its path
 */
export function headlessShell(env = process.env, platform = process.platform) {
  if (env.SPILLWAY_BROWSER || platform === 'win32') return null;
  const paths = (env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => shells.map((name) => join(folder, name)));
  return paths.find((path) => existsSync(path)) ?? null;
}

/** Says before all else what `obtainBrowser` will install on this system. It waits for no answer. */
export async function announceInstall() {
  if (!canInstallFromDebian() || headlessShell() || systemBrowser() || (await playwrights())) return;
  say('no browser found: the tests will install Debian’s Chromium with apt-get, as root');
  say('to avoid that: SPILLWAY_BROWSER=/path/to/chrome npm test');
}

/** @returns {Promise<string>} path of a browser, installed if necessary @throws {Problem} when none can be had */
export async function obtainBrowser() {
  const found = systemBrowser() ?? (await playwrights());
  if (found) return found;
  for (const install of [installFromDebian, installFromPlaywright]) {
    if (!install()) continue;
    const installed = [headlessShell(), systemBrowser(), await playwrights()].find(
      (path) => path && runs(path),
    );
    if (installed) return installed;
  }
  throw new Problem(
    'there is no browser to test in',
    'install Chrome or Chromium, or set SPILLWAY_BROWSER to the path of one',
  );
}

async function playwrights() {
  const { chromium } = await import('playwright');
  const path = chromium.executablePath();
  return existsSync(path) ? path : null;
}

function canInstallFromDebian() {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

function installFromDebian() {
  if (!canInstallFromDebian()) return false;
  say('installing Debian’s Chromium, this takes a minute or two');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // Without package lists nothing can be installed; if updating them fails, old ones may still do.
  run('apt-get', ['-qq', 'update'], { env });
  const install = (/** @type {string} */ name) =>
    run('apt-get', ['-qq', '-y', '--no-install-recommends', 'install', name], { env });
  // Half as large, and its pages take less processor time.
  return install('chromium-headless-shell') || install('chromium');
}

function installFromPlaywright() {
  say('no browser found: fetching Playwright’s');
  return run(process.execPath, [join(root, 'node_modules/playwright/cli.js'), 'install', 'chromium'], {});
}

/** Prints to stderr. @param {string} command @param {string[]} args @param {{ env?: NodeJS.ProcessEnv }} options */
function run(command, args, options) {
  return spawnSync(command, args, { ...options, stdio: ['ignore', 2, 2] }).status === 0;
}

/** Ubuntu's package is a stub that needs snap. @param {string} path */
function runs(path) {
  return spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 30_000 }).status === 0;
}
