/** The user's environment, and that of tests. Nothing here needs an installed package. */
import { readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/**
 * The environment of tests, so that they find the same on each machine.
 * @type {Readonly<Record<string, string>>}
 */
export const TEST_ENVIRONMENT = {
  // Keep captures of agents on this machine out of the tests.
  SPILLWAY_FIND_AGENTS: '0',
  // A CI job has none, and an agent then takes a zsh that happens to be installed.
  SHELL: '/bin/bash',
  // Without the variables of a CI job, which records would name: electron/store/format/record.ts.
  ...Object.fromEntries(
    [
      ...['CI_JOB_URL', 'BUILDKITE_BUILD_URL', 'GITHUB_RUN_ID', 'CIRCLE_BUILD_URL', 'BUILD_URL'],
      ...['CI_COMMIT_SHA', 'BUILDKITE_COMMIT', 'GITHUB_SHA', 'CIRCLE_SHA1', 'GIT_COMMIT'],
      ...['CI_COMMIT_REF_NAME', 'BUILDKITE_BRANCH', 'GITHUB_HEAD_REF', 'GITHUB_REF_NAME'],
      ...['CIRCLE_BRANCH', 'GIT_BRANCH'],
    ].map((name) => [name, '']),
  ),
};

/**
 * Returns the environment in which the user typed `npm …`, without what `npm run` adds for its scripts. A command
 * that is run and recorded must find the same programs as without npm.
 * @param {NodeJS.ProcessEnv} env
 * @param {string} root the project's folder
 * @returns {NodeJS.ProcessEnv}
 */
export function asTyped(env, root) {
  const added = /^(INIT_CWD|npm_command|npm_execpath|npm_node_execpath|npm_(lifecycle|package)_.*)$/;
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => !added.test(name)));
  if (env.npm_lifecycle_event === undefined || kept.PATH === undefined) return kept;
  return { ...kept, PATH: withoutOurs(kept.PATH, root) };
}

/**
 * Returns this process's environment as it was typed. On Linux it is that of npm itself, which has none of the settings
 * that npm gives its scripts: they would change what an npm below does.
 * @param {string} root
 * @returns {NodeJS.ProcessEnv}
 */
export const typedEnvironment = (root) => environmentOfNpm(process.env) ?? asTyped(process.env, root);

/**
 * Makes it this process's, in place: assigning to process.env would not change the process's environment.
 * @param {string} root
 */
export function restore(root) {
  const { env } = process;
  const typed = typedEnvironment(root);
  for (const name of Object.keys(env)) if (!(name in typed)) delete env[name];
  for (const [name, value] of Object.entries(typed)) if (env[name] !== value) env[name] = value;
}

/** Between this process and npm there is a shell. */
const MOST_SHELLS = 3;

/** @param {NodeJS.ProcessEnv} env @returns {NodeJS.ProcessEnv | null} null where it is not known */
function environmentOfNpm(env) {
  if (env.npm_lifecycle_event === undefined) return null;
  try {
    let pid = process.ppid;
    for (let i = 0; i < MOST_SHELLS; i += 1) {
      const pairs = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
      const found = Object.fromEntries(pairs.map((pair) => splitAt(pair, pair.indexOf('='))));
      if (found.npm_lifecycle_script !== env.npm_lifecycle_script) return found;
      pid = Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    }
  } catch {
    // There is no /proc, or npm is gone.
  }
  return null;
}

/** @param {string} text @param {number} at @returns {[string, string]} */
const splitAt = (text, at) => [text.slice(0, at), text.slice(at + 1)];

/**
 * Removes the folders that npm puts first in the PATH: its own, and those of the packages' commands, here and above.
 * @param {string} path
 * @param {string} root
 */
function withoutOurs(path, root) {
  const ours = new Set();
  for (let folder = root; ; folder = dirname(folder)) {
    ours.add(join(folder, 'node_modules', '.bin'));
    if (folder === dirname(folder)) break;
  }
  const folders = path.split(delimiter);
  const first = folders.findIndex((folder) => !ours.has(folder) && !/[\\/]node-gyp-bin$/.test(folder));
  return folders.slice(Math.max(first, 0)).join(delimiter);
}

/**
 * Ends this process as SIGTERM would when its parent process is gone. npm signals the shell between it and us, and
 * many shells die without passing the signal on, which would leave the inspector running.
 * @param {NodeJS.ProcessEnv} [env]
 */
export function followParent(env = process.env) {
  if (process.platform === 'win32' || env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 250);
  timer.unref();
}
